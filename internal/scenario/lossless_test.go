package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// PFC loses nothing: hosts that send at line rate, without congestion control, to one of them, over
// switches with hardly more memory than what they promise to their ports.
func TestLossless(t *testing.T) {
	for _, spec := range []string{
		"star:n=17", "star:n=17,rate=10Gbps,delay=50us", "star:n=9,rate=400Gbps,delay=0s", "star:n=9,rate=1.6Tbps,delay=10us",
		"dumbbell:n=8,bottleneck=25Gbps", "leaf-spine:leaves=4,spines=2,hosts=4,fabric=40Gbps", "fat-tree:thesis",
	} {
		t.Run(spec, func(t *testing.T) {
			s := withFlows(t, nil, "topology", spec, "cc", "none", "ecn.scale", "true", "mtu", "1500B", "options.rto", "0s")
			promised := make([]core.Bytes, len(s.Topology.Kinds))
			for i := range s.Topology.Links {
				l := &s.Topology.Links[i]
				promised[l.A] += s.Headroom(l) + s.Reserve
				promised[l.B] += s.Headroom(l) + s.Reserve
			}
			s.Buffer = 0
			hosts := core.NodeID(0)
			for id, kind := range s.Topology.Kinds {
				if kind == topo.Switch {
					s.Buffer = max(s.Buffer, promised[id]+20_000)
				} else {
					hosts++
				}
			}
			for i := range hosts - 1 {
				s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: hosts - 1, Bytes: 1_000_000, Prio: 3, DstPort: 100, Tag: "incast"})
			}
			n, q := play(t, s)
			if len(q.ends) != len(s.Flows) || n.Dropped() != 0 {
				t.Errorf("%d of %d flows ended, %d packets dropped", len(q.ends), len(s.Flows), n.Dropped())
			}
			if q.pauses == 0 {
				t.Error("there were no pauses")
			}
		})
	}
}
