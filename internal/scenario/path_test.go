package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Where a failed link sends a flow over a port that has sent much more than the one before, its scheme does
// not take the difference for load, which would bring the rate down to the lowest, 1 Gb/s.
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
