package scenario

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// tangle is a network without regularity: parallel cables, hosts with several, cables between hosts, and delays from
// zero to most of a microsecond.
func tangle(rng *rand.Rand) *topo.Topology {
	rates := []core.Rate{10 * core.Gbps, 100 * core.Gbps, 1600 * core.Gbps}
	near := []core.Duration{0, 1, 333, 10 * core.Nanosecond, 700 * core.Nanosecond}
	far := []core.Duration{1, 333, 1023, 50 * core.Nanosecond, 700 * core.Nanosecond}
	for {
		t := &topo.Topology{}
		join := func(a, b int, delays []core.Duration) {
			t.Links = append(t.Links, topo.Link{A: core.NodeID(a), B: core.NodeID(b), Rate: rates[rng.IntN(3)], Delay: delays[rng.IntN(len(delays))]})
		}
		hosts, switches := 4+rng.IntN(6), 2+rng.IntN(4)
		for i := range hosts + switches {
			t.Kinds = append(t.Kinds, topo.Host)
			if i >= hosts {
				t.Kinds[i] = topo.Switch
				if i > hosts {
					join(i, hosts+rng.IntN(i-hosts), far)
				}
			}
		}
		for h := range hosts {
			join(h, hosts+rng.IntN(switches), near)
		}
		for range 1 + rng.IntN(6) {
			if a, b := rng.IntN(hosts+switches), rng.IntN(hosts+switches); a != b {
				join(a, b, far)
			}
		}
		if t.Validate() == nil {
			return t
		}
	}
}

// tangled is a set-up of some flows on a tangle.
func tangled(t *testing.T, rng *rand.Rand) *sim.Setup {
	cc := []string{"dcqcn", "hpcc", "none", "dctcp", "timely", "swift"}[rng.IntN(6)]
	sc := of(t, append(tight(cc), "buffer", "6MB", "loss", []string{"0", "0.01"}[rng.IntN(2)], "workload", "none", "patterns", "permutation:1KB")...)
	sc.UseNetwork(tangle(rng))
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	s.Flows = nil
	hosts, start := len(sc.network.Hosts()), core.Time(0)
	for range 3 + rng.IntN(12) {
		src := rng.IntN(hosts)
		start += []core.Time{0, 1, 5000, 1_000_000}[rng.IntN(4)]
		s.Flows = append(s.Flows, sim.Flow{
			Src: core.NodeID(src), Dst: core.NodeID((src + 1 + rng.IntN(hosts-1)) % hosts), Bytes: 1 + rng.Int64N(20_000), Start: start, Prio: 3, DstPort: 100,
		})
	}
	return s
}

// However irregular a network is, nothing depends on its division into parts or on the steps of a
// run.
func TestPartsOfTangles(t *testing.T) {
	cut := 0
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 77))
		s := tangled(t, rng)
		whole, _ := play(t, s)
		for s.Threads = 2; s.Threads < 4; s.Threads++ {
			n, _ := begin(t, s)
			if n.Parts() > 1 {
				cut++
			}
			events := []int{1, 30, 1000, 1 << 20}[rng.IntN(4)]
			for n.Step(core.Never, events) {
			}
			t.Run(fmt.Sprintf("seed %d, %d parts, steps of %d", seed, n.Parts(), events), func(t *testing.T) {
				sameOutcome(t, outcomeOf(n), outcomeOf(whole))
				if n.Now() != whole.Now() || n.Engine.Events() != whole.Engine.Events() || !reflect.DeepEqual(histograms(n), histograms(whole)) {
					t.Errorf("ended at %v after %d events, the whole at %v after %d; queues %v, %v", n.Now(), n.Engine.Events(), whole.Now(), whole.Engine.Events(), histograms(n), histograms(whole))
				}
			})
		}
	}
	if cut < 20 {
		t.Errorf("%d runs in parts: too few to mean much", cut)
	}
}
