package scenario

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Parts that are stopped by a number of events stop far apart where the links between them are long, and do
// not run on after the end of the run. Here the last flow is between neighbours of a part that has much
// to do, in the other part timers still run, and the links between them are as long as the run.
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

// Parts promise one another that the run lasts until a time, which must lie before its end; and where hosts have much to
// receive it lies near that. Without losses nothing arrives in vain.
func TestPromisesOfParts(t *testing.T) {
	for name, c := range map[string]struct {
		options []string
		all     bool    // hosts receive, not one alone
		near    float64 // least share of the run for which it is promised to last
	}{
		"all to all":          {[]string{"cc", "hpcc"}, true, 0.8},
		"incast":              {[]string{"cc", "none", "flow_control", "none", "buffer", "100MB"}, false, 0.9},
		"incast with pauses":  {[]string{"cc", "dcqcn"}, false, 0.8},
		"losses":              {[]string{"cc", "swift", "loss", "0.02"}, true, 0},
		"losses, selective":   {[]string{"cc", "hpcc", "loss", "0.02", "host.recovery", "selective"}, true, 0},
		"losses, given up":    {[]string{"cc", "none", "loss", "0.3", "options.rto", "20us", "options.retries", "2"}, true, 0},
		"slow hosts":          {[]string{"cc", "hpcc", "host.service", "300ns"}, true, 0},
		"hosts with a delay":  {[]string{"cc", "swift", "host.delay", "30us"}, true, 0},
		"drops":               {[]string{"cc", "dctcp", "flow_control", "none", "buffer", "100KB"}, false, 0},
		"headers of no bytes": {[]string{"cc", "none", "host.header", "0B", "mtu", "256B"}, true, 0.8},
	} {
		t.Run(name, func(t *testing.T) {
			var flows []sim.Flow
			for dst := range 12 {
				for k := range 11 {
					if c.all || dst == 0 {
						flows = append(flows, sim.Flow{Src: core.NodeID((dst + 1 + k) % 12), Dst: core.NodeID(dst), Bytes: int64(1 + (7919*(dst+13*k))%40_000), Prio: 3, DstPort: 100})
					}
				}
			}
			s := withFlows(t, flows, append([]string{"topology", "leaf-spine:leaves=4,spines=2,hosts=3"}, c.options...)...)
			whole, _ := play(t, s)
			s.Threads = 2
			n, _ := begin(t, s)
			lasts, promised := n.Engine.Lasts, core.Time(0)
			n.Engine.Lasts = func() (core.Time, int) {
				until, looks := lasts()
				promised = max(promised, until)
				return until, min(looks, 10)
			}
			for n.Step(core.Never, 100) {
			}
			sameOutcome(t, outcomeOf(n), outcomeOf(whole))
			if share := float64(promised) / float64(whole.Now()); n.Parts() < 2 || share >= 1 || share < c.near {
				t.Errorf("%d parts promise that the run lasts until %v of %v", n.Parts(), promised, whole.Now())
			}
		})
	}
}

// histograms are those of all switch ports.
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
