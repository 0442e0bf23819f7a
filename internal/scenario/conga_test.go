package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Of two paths between two leaves the second has half the rate behind its spine, where the first leaf does not see it (figure 2
// of the CONGA paper: links of 80 Gb/s, one of 40, and a demand of 100 Gb/s). Half of the load is more than the slow path carries:
// ways that look at nothing, or at what is near, let messages wait ever longer.
func TestCONGASeesSlowLinkFarAway(t *testing.T) {
	const hosts, messages = 5, 300
	finish := func(way string, more ...string) (mean, slow float64) {
		var flows []sim.Flow
		for k := range messages {
			for i := range core.NodeID(hosts) {
				at := core.Time(0).Add(core.Duration(4400*(5*k+int(i))) * core.Nanosecond)
				flows = append(flows, sim.Flow{Src: i, Dst: hosts + i, Bytes: 50e3, Start: at, Prio: 3, DstPort: 100})
			}
		}
		s := unsampled(t, flows, append(more, "topology", "leaf-spine:leaves=2,spines=2,hosts=5,rate=20Gbps,fabric=80Gbps", "cc", "none", "host.window", "on",
			"switch.load_balance", way, "host.recovery", "selective", "host.reordering", "1000", "options.rto", "100ms", "host.rto_low", "100ms")...)
		for i := range s.Topology.Links {
			if l := &s.Topology.Links[i]; l.A == 11 && l.B == 13 {
				l.Rate = 40 * core.Gbps
			}
		}
		n, _ := play(t, s)
		for i := range s.Flows {
			r := n.Record(i)
			mean += r.Slowdown() / float64(len(s.Flows))
			if !r.Finished || r.Retx != 0 {
				t.Errorf("%s: flow %d: %+v", way, i, r)
			}
		}
		over, slowly := n.Counters(12, 1).TxBytes, n.Counters(13, 1).TxBytes
		return mean, float64(slowly) / float64(over+slowly)
	}
	conga, slow := finish("conga")
	if conga > 2.5 || slow < 0.3 || slow > 0.4 {
		t.Errorf("conga: %.2f times the time of a lone message, %.3f of the bytes on the slow path, which has a third of the rate", conga, slow)
	}
	if mean, slow := finish("conga", "lossy", "3", "switch.trim", "true"); mean > 2.5 || slow < 0.3 || slow > 0.4 {
		t.Errorf("told by acknowledgements of class 0: %.2f times the time of a lone message, %.3f of the bytes on the slow path", mean, slow)
	}
	by := map[string]float64{}
	for _, way := range []string{"ecmp", "flowlet", "adaptive"} {
		by[way], slow = finish(way)
		if by[way] < 2*conga || slow < 0.4 || slow > 0.6 {
			t.Errorf("%s: %.2f times the time of a lone message, conga %.2f; %.3f of the bytes on the slow path", way, by[way], conga, slow)
		}
	}
	if by["adaptive"] < by["ecmp"] {
		t.Errorf("what the leaf sees makes it worse than hashing in the paper: here %.2f, and %.2f by hash", by["adaptive"], by["ecmp"])
	}
}
