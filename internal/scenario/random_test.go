package scenario

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/laws"
	"github.com/qbb-sim/qbb/internal/sim"
)

// randomNetworks are topologies, each with a link that may fail.
var randomNetworks = [][2]string{
	{"star:n=5", "0-5"}, {"star:n=4,delay=300ps", "2-4"}, {"star:n=3,rate=10Gbps,delay=0s", "1-3"}, {"dumbbell:n=3,bottleneck=40Gbps,delay=500500ps", "6-7"},
	{"leaf-spine:leaves=3,spines=2,hosts=3,rate=25Gbps,fabric=100Gbps,delay=100ns", "9-12"},
	{"leaf-spine:leaves=2,spines=3,hosts=2,rate=400Gbps", "4-6"}, {"fat-tree:k=4,rate=40Gbps,delay=10us", "16-24"},
}

// randomKeys are keys that a random scenario sets once in oneIn cases, to one of the values.
var randomKeys = []struct {
	oneIn  int
	key    string
	values string
}{
	{1, "load", "0.3 0.6 0.9"}, {1, "mtu", "1KB 256B 1500B 9000B"}, {1, "seed", "1 2 3 4 5 6 7 8 9"}, {3, "loss", "0.01 0.001"},
	{2, "incast", "2x30KB 2x3KB@10us"}, {2, "patterns", "permutation:9KB all-to-all:700B one-many:5KB,3 ring-all-reduce:20KB,2 halving-doubling:9KB,2,hosts=2,0-1,3,group=2 ['one-many:5KB,tag=x','all-to-all:900B,start=9us,after=x','ring-all-reduce:9KB,start=2us']"}, {4, "buffer", "2MB 6MB"},
	{4, "ecn.mark", "off enqueue"}, {4, "host.recovery", "go-back-0 selective"}, {4, "host.window", "on off"}, {5, "host.global_rtt", "false"},
	{5, "host.scale_window", "true"}, {6, "host.paced", "false"}, {5, "host.ack_prio0", "true"}, {6, "host.delay", "3300ns"},
	{6, "host.service", "50ns"}, {5, "host.nack_every", "1us 10us"}, {5, "host.rto_low", "20us"}, {5, "switch.reserve", "0B 10KB"},
	{5, "switch.resume", "0B 10KB"}, {5, "switch.alpha_shift", "0 5"}, {5, "switch.exact_headroom", "false"}, {5, "options.pause_quanta", "0 10"},
	{7, "options.mark_any", "true"}, {2, "options.rto", "50us 300us"}, {5, "options.retries", "0 2"}, {6, "options.ack_class", "3 7"},
	{9, "options.ack_duplicates", "false"}, {9, "options.skip_acked", "false"}, {9, "options.wake_for_all", "true"},
	{9, "options.keep_order", "true"}, {9, "options.forget_receiver", "true"}, {5, "options.short_int", "true"}, {5, "options.ecmp", "descending"},
	{9, "flow_control", "credits none"}, {9, "lossy", "3 1,3"}, {7, "recovery_by_class", "{3:selective}"},
	{3, "class_by_tag", "{background:1}"}, {4, "switch.weights", "{1:5} {1:1,3:200}"}, {6, "switch.strict", "1 3"},
	{3, "switch.load_balance", "spray flowlet drill adaptive conga conweave"}, {5, "switch.flowlet_gap", "0s 1us"}, {2, "conweave.reply", "1us 4us"}, {3, "conweave.resume", "0s 5us"}, {4, "host.reordering", "1 16"},
	{7, "options.timing", "ns3"}, {3, "options.order", "schedule"}, {4, "host.ack_every", "2 16 1000"},
	{4, "host.entropy", "random reps plb"}, {2, "host.plb_rounds", "1 4"}, {2, "host.plb_threshold", "0.1"}, {6, "host.connections", "1 2 5"},
	{6, "switch.sharing", "complete abm"}, {4, "pfc_watchdog.detection", "1us 10us"}, {2, "pfc_watchdog.restoration", "100ns 20us"},
}

// random is a scenario in which everything is random.
func random(t *testing.T, rng *rand.Rand) *Scenario {
	t.Helper()
	schemes := catalog.All()
	network := randomNetworks[rng.IntN(len(randomNetworks))]
	sc := of(t, "topology", network[0], "cc", schemes[rng.IntN(len(schemes))].Name, "workload", "fbhadoop", "duration", "60us", "stop", "10ms")
	for _, o := range randomKeys {
		if values := strings.Fields(o.values); rng.IntN(o.oneIn) == 0 {
			if err := sc.Set(o.key, values[rng.IntN(len(values))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if sc.Switch.Sharing != switching.Dynamic && sc.Lossy == "" { // others are for lossy classes
		sc.FlowControl, sc.Buffer = "none", 600_000
	}
	if rng.IntN(4) == 0 {
		if err := sc.Set("links", fmt.Sprintf("[{at: 5us, down: %s}, {at: 60us, up: %[1]s}]", network[1])); err != nil {
			t.Fatal(err)
		}
	}
	return sc
}

// Whatever the keys, packets obey the laws of a network, no flow is faster than it would be alone on its path, also when links
// fail, and three parts give the same result as one.
func TestRandomScenarios(t *testing.T) {
	ran, finished, cut := 0, 0, 0
	for seed := range uint64(130) {
		rng := rand.New(rand.NewPCG(seed, 31))
		sc := random(t, rng)
		s, err := sc.Setup()
		if err != nil {
			continue // keys that exclude each other
		}
		n, err := sim.Build(s, &quiet{})
		if err != nil {
			continue
		}
		for n.Step(core.Never, 1<<20) {
		}
		ran++
		t.Run(fmt.Sprintf("seed %d, %s", seed, sc.CC.Name), func(t *testing.T) {
			finished += notFaster(t, n)
			s.Threads = 3
			apart, _ := play(t, s)
			sameOutcome(t, outcomeOf(apart), outcomeOf(n))
			if apart.Parts() > 1 {
				cut++
			}
			s.Threads = 0
			if broken, err := laws.Run(s); err != nil || broken != nil {
				t.Errorf("%v: %s", err, strings.Join(broken, "\n"))
			}
		})
	}
	t.Logf("%d runs, %d of them in parts too, %d flows finish", ran, cut, finished)
	if ran < 100 || finished < 4000 || cut < 40 {
		t.Errorf("%d runs, %d of them in parts too, %d flows finish: this tests too little", ran, cut, finished)
	}
}

// notFaster checks completion times against ideal ones, and returns the number of flows that have finished. In these networks
// all shortest paths are alike, so that a failed link does not lead to a faster one. Where acknowledgements may be lost, the
// laws know better: the last one need not wait for one before it.
func notFaster(t *testing.T, n *sim.Network) (finished int) {
	for i := range n.Setup.Flows {
		r := n.Record(i)
		if !r.Finished {
			continue
		}
		finished++
		if r.FCT < r.Ideal && n.Setup.Balance == switching.ECMP && n.Setup.Entropy == nic.OfFlow && n.Setup.LossPerLink == 0 {
			t.Errorf("flow %d of %d bytes ends after %v, alone it takes %v", i, n.Setup.Flows[i].Bytes, r.FCT, r.Ideal)
		}
	}
	return finished
}
