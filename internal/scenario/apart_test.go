package scenario

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Where the links between parts are long, parts that are stopped by a number of events stop far apart, and they do not
// run on after the end of the run. Here the last flow is between neighbours of a part that has much to do, timers still
// run in the other part, and the links between them are as long as the run.
func TestStepsOfPartsFarApart(t *testing.T) {
	flows := []sim.Flow{{Src: 0, Dst: 1, Bytes: 300_000, Prio: 3, DstPort: 100}, {Src: 2, Dst: 1, Bytes: 50_000, Prio: 3, DstPort: 100}}
	for i := range core.Time(10) {
		flows = append(flows, sim.Flow{Src: 3, Dst: 4, Bytes: 100, Prio: 3, DstPort: 100, Start: 2 * i * core.Time(core.Microsecond)})
	}
	s := withFlows(t, flows, "topology", "leaf-spine:leaves=2,spines=1,hosts=3", "cc", "none", "options.rto", "15us")
	for i := range s.Topology.Links {
		switch l := &s.Topology.Links[i]; {
		case s.Topology.Kinds[l.A] == topo.Switch:
			l.Delay = 20 * core.Microsecond
		case l.A < 3:
			l.Delay = 10 * core.Nanosecond
		default:
			l.Delay, l.Rate = 10*core.Nanosecond, core.Gbps
		}
	}
	whole, _ := play(t, s)
	s.Threads = 2
	for _, events := range []int{1, 7, 50, 1 << 20} {
		n, _ := begin(t, s)
		lasts, promised := n.Engine.Lasts, core.Time(0)
		n.Engine.Lasts = func() (core.Time, int) {
			until, looks := lasts()
			promised = max(promised, until)
			return promised, looks
		}
		for n.Step(core.Never, events) {
			histograms(n)
		}
		if got, want := histograms(n), histograms(whole); !reflect.DeepEqual(got, want) {
			t.Errorf("steps of %d events: queues %v, want %v", events, got, want)
		}
		sameOutcome(t, outcomeOf(n), outcomeOf(whole))
		if n.Parts() < 2 || n.Now() != whole.Now() || n.Engine.Events() != whole.Engine.Events() {
			t.Errorf("%d parts, steps of %d events: ended at %v after %d events, the whole at %v after %d",
				n.Parts(), events, n.Now(), n.Engine.Events(), whole.Now(), whole.Engine.Events())
		}
		if promised < whole.Now()/2 || promised >= whole.Now() {
			t.Errorf("steps of %d events: the run, which lasts until %v, is said to last until %v", events, whole.Now(), promised)
		}
	}
}

// With the reference's profile a receiver is forgotten when its sender has finished, which parts that run at the same
// time would learn too late: from the first drop on, after which packets are sent twice, they run one by one. Here PFC has
// too little headroom, and every gap is reported many times.
func TestForgottenReceiversOfParts(t *testing.T) {
	for _, size := range []string{"10KB", "46KB", "50KB"} {
		s, err := of(t, "profile", "ns3", "topology", "leaf-spine:leaves=4,spines=2,hosts=4,delay=30ns", "cc", "none", "buffer", "300KB",
			"host.nack_every", "1ns", "patterns", "all-to-all:"+size).Setup()
		if err != nil {
			t.Fatal(err)
		}
		whole, cut := wholeAndCut(t, s)
		if cut.Parts() < 2 || whole.Parts() != 1 || whole.Dropped() < 50 {
			t.Errorf("%d and %d parts, %d drops: the case means little", cut.Parts(), whole.Parts(), whole.Dropped())
		}
	}
}

// Nor does a notification that is due after its flow has ended leave only because the parts have not met since: a receiver
// that has been forgotten sends none.
func TestNotificationsOfForgottenReceivers(t *testing.T) {
	s, err := of(t, "profile", "ns3", "topology", "star:n=17,delay=5us", "cc", "dcqcn-plus", "cc.params.cnp_hold", "43us", "cc.params.cnp_gap", "4402ns", "workload", "none",
		"incast", "15x42KB@100us", "duration", "300us", "seed", "16", "ecn.thresholds", "{rate: 100Gbps, kmin: 1KB, kmax: 10KB, pmax: 1}").Setup()
	if err != nil {
		t.Fatal(err)
	}
	wholeAndCut(t, s)
}

// wholeAndCut runs a network on one thread and on two, and demands the same outcome.
func wholeAndCut(t *testing.T, s *sim.Setup) (whole, cut *sim.Network) {
	t.Helper()
	whole, _ = play(t, s)
	s.Threads = 2
	cut, _ = play(t, s)
	sameOutcome(t, outcomeOf(cut), outcomeOf(whole))
	return whole, cut
}

// promises are what the parts of a running network promise one another: the latest time up to which the run lasts, and
// how much of that time was promised before it came.
type promises struct {
	asked int
	last  core.Time
	ahead core.Duration
}

// watchPromises records the promises of a run that has begun, and checks how many hosts and flows are looked at for
// them against how many there are.
func watchPromises(t *testing.T, n *sim.Network) *promises {
	p := new(promises)
	hosts, lasts := len(n.Setup.Topology.Hosts()), n.Engine.Lasts
	n.Engine.Lasts = func() (core.Time, int) {
		until, looks := lasts()
		p.asked++
		p.ahead += max(0, until.Sub(max(p.last, n.Engine.Bound())))
		p.last = max(p.last, until)
		least, most := hosts+2*(n.Started()-n.Ended()), hosts+2*n.Started()
		if n.Started() == len(n.Setup.Flows) && (looks < least || looks > most) {
			t.Errorf("%d looks at %d to %d hosts and flows", looks, least, most)
		}
		return until, min(looks, 10)
	}
	return p
}

// Parts promise one another that the run lasts until a time, which must lie before its end; and where hosts have much
// to send or to receive, or flows wait for others, most of the time is promised before it comes. Without losses nothing
// arrives in vain.
func TestPromisesOfParts(t *testing.T) {
	for name, c := range map[string]struct {
		options []string
		flows   []sim.Flow
		ahead   float64 // smallest share of the run that is promised before it comes
		asks    int     // at most so many questions for these promises; 0: any number
	}{
		"all to all":          {[]string{"cc", "hpcc"}, allToAll(), 0.85, 30},
		"incast":              {[]string{"cc", "none", "flow_control", "none", "buffer", "100MB"}, toOne(), 0.7, 15},
		"incast with pauses":  {[]string{"cc", "dcqcn"}, toOne(), 0.7, 15},
		"one to all":          {[]string{"cc", "none", "topology", "leaf-spine:leaves=4,spines=2,hosts=24"}, oneToAll(), 0.5, 15},
		"one after the other": {[]string{"cc", "none"}, chain(0), 0.8, 20},
		"after a while":       {[]string{"cc", "none"}, chain(50 * core.Microsecond), 0.75, 40},
		"after two":           {[]string{"cc", "none"}, afterTwo(), 0.7, 0},
		"the last one late":   {[]string{"cc", "none"}, append(toOne(), sim.Flow{Src: 3, Dst: 1, Bytes: 1000, Prio: 3, DstPort: 100, Start: core.Time(core.Millisecond)}), 0.9, 5},
		"losses":              {[]string{"cc", "swift", "loss", "0.02"}, allToAll(), 0, 0},
		"losses, selective":   {[]string{"cc", "hpcc", "loss", "0.02", "host.recovery", "selective"}, allToAll(), 0, 0},
		"losses, given up":    {[]string{"cc", "none", "loss", "0.3", "options.rto", "20us", "options.retries", "2"}, allToAll(), 0, 0},
		"slow hosts":          {[]string{"cc", "hpcc", "host.service", "300ns"}, allToAll(), 0.2, 0},
		"hosts with a delay":  {[]string{"cc", "swift", "host.delay", "30us"}, allToAll(), 0.2, 0},
		"drops":               {[]string{"cc", "dctcp", "flow_control", "none", "buffer", "100KB"}, toOne(), 0, 0},
		"headers of no bytes": {[]string{"cc", "none", "host.header", "0B", "mtu", "256B"}, allToAll(), 0.85, 50},
	} {
		t.Run(name, func(t *testing.T) {
			s := withFlows(t, c.flows, append([]string{"topology", "leaf-spine:leaves=4,spines=2,hosts=3"}, c.options...)...)
			whole, _ := play(t, s)
			s.Threads = 2
			n, _ := begin(t, s)
			p := watchPromises(t, n)
			for n.Step(core.Never, 100) {
			}
			sameOutcome(t, outcomeOf(n), outcomeOf(whole))
			share := float64(p.ahead) / float64(whole.Now())
			if n.Parts() < 2 || p.last >= whole.Now() || share < c.ahead || c.asks > 0 && p.asked > c.asks {
				t.Errorf("%d parts promise that the run lasts until %v of %v, and %.3f of it before it comes, when asked %d times", n.Parts(), p.last, whole.Now(), share, p.asked)
			}
		})
	}
}

// allToAll is messages of many sizes between all pairs of twelve hosts, toOne those to host 0; oneToAll is short ones
// from it to 95 others.
func allToAll() (flows []sim.Flow) {
	for dst := range 12 {
		for k := range 11 {
			flows = append(flows, sim.Flow{
				Src: core.NodeID((dst + 1 + k) % 12), Dst: core.NodeID(dst), Bytes: int64(1 + (7919*(dst+13*k))%40_000), Prio: 3, DstPort: 100,
			})
		}
	}
	return flows
}

func toOne() []sim.Flow {
	return slices.DeleteFunc(allToAll(), func(f sim.Flow) bool { return f.Dst != 0 })
}

func oneToAll() (flows []sim.Flow) {
	for i := range core.NodeID(2 * 95) {
		flows = append(flows, sim.Flow{Src: 0, Dst: 1 + i%95, Bytes: 1000, Prio: 3, DstPort: 100})
	}
	return flows
}

// chain is messages to and fro between two hosts, each of which starts a pause after the one before has been received.
func chain(pause core.Duration) (flows []sim.Flow) {
	for i := range int32(20) {
		f := sim.Flow{Src: core.NodeID(i % 2 * 11), Dst: core.NodeID((i + 1) % 2 * 11), Bytes: 100_000, Prio: 3, DstPort: 100}
		if i > 0 {
			f.After, f.Start = []int32{i - 1}, core.Time(pause)
		}
		flows = append(flows, f)
	}
	return flows
}

// afterTwo is a chain in which all but the first wait for two others, and for a while after them.
func afterTwo() []sim.Flow {
	flows := chain(50 * core.Microsecond)
	for i := 2; i < len(flows); i++ {
		flows[i].After = []int32{int32(i - 2), int32(i - 1)}
	}
	return flows
}

// histograms returns those of all switch ports.
func histograms(n *sim.Network) (all [][]uint64) {
	for id, ports := range n.Ports() {
		for port := range ports {
			if n.Setup.Topology.Kinds[id] == topo.Switch {
				all = append(all, slices.Clone(n.Histogram(core.NodeID(id), port)))
			}
		}
	}
	return all
}
