package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// When a failed link moves a flow to a port that has sent much more than the former one, its scheme does not take the
// difference for load, which would bring the rate down to the lowest, 1 Gb/s.
func TestRecordsOfTwoPathsAreNotCompared(t *testing.T) {
	for _, cc := range []string{"hpcc", "hpcc-window", "powertcp"} {
		for _, spine := range []int{6, 7} {
			s := withFlows(t, []sim.Flow{
				{Src: 0, Dst: 2, Bytes: 40_000_000, Prio: 3, SrcPort: 10_000, DstPort: 100},
				{Src: 1, Dst: 2, Bytes: 3_000_000, Prio: 3, SrcPort: 10_012, DstPort: 100, Start: core.Time(1550 * core.Microsecond)},
			}, "topology", "leaf-spine:leaves=2,spines=2,hosts=2", "cc", cc)
			const fails = core.Time(1600 * core.Microsecond)
			for i, l := range s.Topology.Links {
				if l.A+l.B == core.NodeID(4+spine) && min(l.A, l.B) == 4 {
					s.Links = []sim.LinkEvent{{At: fails, Link: i}}
				}
			}
			n, _ := begin(t, s)
			for at := fails.Add(core.Microsecond); at < fails.Add(40*core.Microsecond); at = at.Add(core.Microsecond) {
				n.Step(at, 1<<30)
				for i := range s.Flows {
					if _, c, ok := n.Running(i); !ok || c.Rate < 5*core.Gbps {
						t.Fatalf("%s, link 4-%d fails: flow %d at %v: running %v, rate %v", cc, spine, i, at, ok, c.Rate)
					}
				}
			}
		}
	}
}

// When failed links make a path longer than all paths at the start, complete telemetry still has the records of every
// switch on it: two flows whose only way out of their leaf is the first of five hops keep the queue there short.
func TestRecordsOfLongerPaths(t *testing.T) {
	const leaf, spine = 6, 9
	for _, cc := range []string{"hpcc", "hpcc-window", "powertcp"} {
		s := unsampled(t, nil, "topology", "leaf-spine:leaves=3,spines=2,hosts=2", "cc", cc, "stop", "1s")
		for i := range core.NodeID(2) {
			s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: 2 + i, Bytes: endless, Prio: 3, DstPort: 100})
		}
		for i, l := range s.Topology.Links {
			if l.A+l.B == leaf+spine+1 && min(l.A, l.B) == leaf || l.A+l.B == leaf+1+spine && min(l.A, l.B) == leaf+1 {
				s.Links = append(s.Links, sim.LinkEvent{At: core.Time(core.Microsecond), Link: i})
			}
		}
		n, _ := begin(t, s)
		upTo(n, core.Time(3*ms))
		for port, p := range n.Ports()[leaf] {
			if depth := n.Depth(leaf, port); p.Peer == spine && depth > 20_000 {
				t.Errorf("%s: %v wait in the leaf of the senders", cc, depth)
			}
		}
	}
}

// Where paths of equal cost differ, the ideal time of a flow is that of the path which its packets take and of the one on
// which its acknowledgements return: a flow that is alone takes it to the picosecond.
func TestLoneFlowsOnUnevenPaths(t *testing.T) {
	network := &topo.Topology{Kinds: []topo.Kind{topo.Host, topo.Host, topo.Host, topo.Switch, topo.Switch}}
	for i, l := range [][2]core.NodeID{{0, 3}, {0, 3}, {1, 3}, {2, 4}, {3, 4}, {3, 4}, {3, 4}} {
		network.Links = append(network.Links, topo.Link{
			A: l[0], B: l[1], Rate: []core.Rate{10, 25, 40, 100}[i%4] * core.Gbps, Delay: core.Duration(1+i*i) * 700_001,
		})
	}
	for _, timing := range []string{"exact", "ns3"} {
		sc := of(t, "cc", "none", "workload", "none", "patterns", "permutation:1KB", "options.timing", timing)
		sc.UseNetwork(network)
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		s.Flows = nil
		for i := range 60 {
			src := core.NodeID(i % 3)
			s.Flows = append(s.Flows, sim.Flow{
				Src: src, Dst: 2 - src + src%2, Bytes: []int64{1, 1001, 9999}[i/3%3], Start: core.Time(i) * core.Time(core.Millisecond), Prio: 3, DstPort: 100,
			})
		}
		_, q := play(t, s)
		ideals := make(map[core.Duration]bool)
		for _, r := range q.ends {
			if ideals[r.Ideal] = true; r.FCT != r.Ideal {
				t.Errorf("%s: flow %d, %d to %d, %d bytes: took %v, ideal is %v", timing, r.ID, r.Flow.Src, r.Flow.Dst, r.Flow.Bytes, r.FCT, r.Ideal)
			}
		}
		if len(q.ends) != len(s.Flows) || len(ideals) < 20 {
			t.Errorf("%s: %d flows ended, with %d ideal times", timing, len(q.ends), len(ideals))
		}
	}
}
