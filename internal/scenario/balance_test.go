package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// fourPairs is a network of two leaves with four hosts each and four spines, all links of one rate, on which every host
// of the first leaf sends to one of the second.
func fourPairs(t *testing.T, bytes int64, pairs ...string) *sim.Setup {
	t.Helper()
	var flows []sim.Flow
	for i := range core.NodeID(4) {
		flows = append(flows, sim.Flow{Src: i, Dst: 4 + i, Bytes: bytes, Prio: 3, DstPort: 100})
	}
	return unsampled(t, flows, append([]string{
		"topology", "leaf-spine:leaves=2,spines=4,hosts=4,rate=100Gbps,fabric=100Gbps", "cc", "none",
		"host.recovery", "selective", "host.window", "off",
	}, pairs...)...)
}

// Four senders fill four paths if switches choose a path for every packet: each finishes in little more than the time that it takes
// alone. By hash some share a path, which halves their rate at least. Nothing is sent again that has only been overtaken.
func TestBalancedLoad(t *testing.T) {
	for way, most := range map[string]float64{"ecmp": 0, "spray": 1.1, "drill": 1.02, "adaptive": 1.02, "random": 1.1} {
		key, allowed := "switch.load_balance", "100"
		if way == "random" {
			key, allowed = "host.entropy", "1000"
		}
		n, _ := play(t, fourPairs(t, 5e6, key, way, "host.reordering", allowed))
		worst := 0.0
		for i := range n.Setup.Flows {
			r := n.Record(i)
			worst = max(worst, r.Slowdown())
			if !r.Finished || r.Retx != 0 || r.Timeouts != 0 {
				t.Errorf("%s: flow %d: %+v", way, i, r)
			}
		}
		if way == "ecmp" && worst < 1.95 || way != "ecmp" && worst > most {
			t.Errorf("%s: the slowest flow takes %.3f times what it takes alone, want at most %v, or by hash twice", way, worst, most)
		}
	}
}

// Of four paths one has a quarter of the rate. At random every path gets as many packets, and the slow one decides. REPS
// leaves a path while its packets are marked, which NSCC leaves to it: the paths carry nearly what they can, 4 of 13 parts each
// and 1 (Bonato et al., 2024).
func TestRecycledEntropyLeavesSlowPath(t *testing.T) {
	slow := func(way string) (share, worst float64) {
		s := fourPairs(t, 20e6, "host.entropy", way, "host.reordering", "100000", "cc", "nscc")
		for i := range s.Topology.Links {
			if l := &s.Topology.Links[i]; l.A == 8 && l.B == 10 || l.A == 10 && l.B == 8 {
				l.Rate = 25 * core.Gbps
			}
		}
		n, _ := play(t, s)
		sum, over := int64(0), int64(0)
		for spine := core.NodeID(10); spine < 14; spine++ {
			c := n.Counters(spine, 1)
			if sum += c.TxBytes; spine == 10 {
				over = c.TxBytes
			}
		}
		for i := range s.Flows {
			worst = max(worst, core.Duration(n.Record(i).FCT).Seconds())
		}
		return float64(over) / float64(sum), worst
	}
	random, took := slow("random")
	reps, less := slow("reps")
	if random < 0.24 || random > 0.26 || reps < 1.0/13 || reps > 1.2/13 || less > 0.4*took {
		t.Errorf("at random %.3f of the bytes take the slow path, and %.3g s pass; with REPS %.3f and %.3g s", random, took, reps, less)
	}
}

// Flows that meet on a path by hash share it to their ends. With PLB they leave it while its packets are marked, at random, until
// each has a path of its own; nothing is sent again that has only been overtaken.
func TestCongestedPathsAreLeft(t *testing.T) {
	slowest := func(way, seed string) (worst float64) {
		n, _ := play(t, fourPairs(t, 50e6, "host.entropy", way, "host.reordering", "1000", "host.window", "on", "options.mark_any", "true",
			"ecn.thresholds", "{rate: 100Gbps, kmin: 20KB, kmax: 20KB, pmax: 1}", "seed", seed))
		for i := range n.Setup.Flows {
			r := n.Record(i)
			worst = max(worst, r.Slowdown())
			if !r.Finished || r.Retx != 0 || r.Timeouts != 0 {
				t.Errorf("%s, seed %s: flow %d: %+v", way, seed, i, r)
			}
		}
		return worst
	}
	if flow := slowest("flow", "1"); flow < 1.95 {
		t.Errorf("by hash the slowest flow takes %.3f times what it takes alone, want twice", flow)
	}
	var sum float64
	for _, seed := range []string{"1", "2", "3", "4"} {
		sum += slowest("plb", seed)
	}
	if mean := sum / 4; mean > 1.3 {
		t.Errorf("with PLB the slowest of four flows takes %.3f times what it takes alone, in the mean of four seeds", mean)
	}
}

// NSCC is made for packets that take many paths (UE 1.0, section 3.6.13): a mark that comes without delay changes nothing.
// DCTCP and Swift, made for one path, lose 5 % and more.
func TestSchemesOnManyPaths(t *testing.T) {
	for cc, want := range map[string]span{"nscc": {1, 1.03}, "dctcp": {1.05, 1.2}, "swift": {1.05, 1.2}} {
		n, _ := play(t, fourPairs(t, 20e6, "switch.load_balance", "spray", "host.reordering", "100", "cc", cc))
		worst := 0.0
		for i := range n.Setup.Flows {
			r := n.Record(i)
			worst = max(worst, r.Slowdown())
		}
		if worst < want.from || worst > want.to {
			t.Errorf("%s: the slowest flow takes %.3f times what it takes alone, want %v", cc, worst, want)
		}
	}
}

// Without an allowance for packets that overtake others, the others are sent again, and flows end nevertheless.
func TestOvertakenIsSentAgain(t *testing.T) {
	for _, recovery := range []string{"go-back-n", "go-back-0", "selective"} {
		n, _ := play(t, fourPairs(t, 1e6, "switch.load_balance", "spray", "host.recovery", recovery))
		again := int64(0)
		for i := range n.Setup.Flows {
			r := n.Record(i)
			again += r.Retx
			if !r.Finished || r.Acked != 1e6 {
				t.Errorf("%s: flow %d: %+v", recovery, i, r)
			}
		}
		if again == 0 {
			t.Errorf("%s: nothing is sent again", recovery)
		}
	}
}

// A flow without pauses is one flowlet: it keeps its path, and no packet is overtaken. With a gap of 0, every
// packet is a flowlet of its own.
func TestFlowletGap(t *testing.T) {
	used := func(gap string) (paths int, again int64) {
		s := fourPairs(t, 1e6, "switch.load_balance", "flowlet", "switch.flowlet_gap", gap)
		s.Flows = s.Flows[:1]
		n, _ := play(t, s)
		for spine := core.NodeID(10); spine < 14; spine++ {
			if n.Counters(spine, 1).TxPackets > 0 {
				paths++
			}
		}
		return paths, n.Record(0).Retx
	}
	if paths, again := used("100us"); paths != 1 || again != 0 {
		t.Errorf("the packets of a flowlet take %d paths, %d bytes are sent again", paths, again)
	}
	if paths, _ := used("0s"); paths != 4 {
		t.Errorf("with a gap of 0 packets take %d paths, want 4", paths)
	}
}

// A run says where hosts or schemes expect packets in order.
func TestNotesOnSeveralPaths(t *testing.T) {
	for _, c := range []struct {
		keys  string // KEY VALUE ...
		notes []string
	}{
		{"cc hpcc", nil},
		{"cc hpcc switch.load_balance flowlet", nil},
		{"cc dcqcn switch.load_balance spray", []string{"with switch.load_balance spray packets overtake each other"}},
		{"cc dcqcn switch.load_balance spray host.reordering 10", []string{"host.reordering changes nothing without host.recovery: selective", "with switch.load_balance spray packets overtake each other"}},
		{"cc dcqcn switch.load_balance drill host.recovery selective host.reordering 10", nil},
		{"cc hpcc switch.load_balance adaptive host.recovery selective host.reordering 10", []string{"hpcc compares the INT records"}},
		{"cc none host.entropy flow trace all", nil},
		{"cc none host.entropy reps trace all host.recovery selective host.reordering 10", []string{"with host.entropy reps the packets of a flow have many source ports"}},
		{"cc dcqcn host.entropy plb host.recovery selective host.reordering 10", nil},
		{"cc dcqcn host.entropy plb", []string{"with host.entropy plb packets overtake each other"}},
		{"cc dcqcn ecn.mark off host.entropy plb host.recovery selective host.reordering 10", []string{"host.entropy plb goes by marks of congestion, which no switch sets in packets of dcqcn: flows leave their paths after time-outs only"}},
		{"cc hpcc host.entropy plb host.recovery selective host.reordering 10", []string{"host.entropy plb goes by marks of congestion, which no switch sets in packets of hpcc"}},
		{"cc hpcc options.mark_any true host.entropy plb host.recovery selective host.reordering 10", nil},
		{"cc none flow_control none switch.trim true host.entropy plb host.recovery selective host.reordering 10", []string{"host.entropy plb goes by marks of congestion, which no switch sets in packets of none: flows leave their paths after time-outs and trimmed packets only"}},
		{"cc hpcc options.mark_any true host.entropy plb switch.load_balance spray host.recovery selective host.reordering 10", []string{"hpcc compares the INT records of successive packets, but switch.load_balance spray sends", "host.entropy changes nothing: switch.load_balance spray does not go by source ports"}},
		{"cc none host.connections 1", nil},
		{"cc none host.connections 1 trace all", []string{"with host.connections several flows from one host to another have one source port"}},
		{"cc hpcc host.entropy reps", []string{"hpcc compares the INT records of successive packets, but host.entropy reps sends them on several paths, where its rates mean little: choose another scheme, or one path", "with host.entropy reps packets overtake each other"}},
	} {
		s, err := of(t, append(strings.Fields(c.keys), "topology", "star:n=3", "workload", "none", "patterns", "permutation:1KB")...).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(s.Notes, c.notes, strings.HasPrefix) {
			t.Errorf("%s: notes %q, want %q", c.keys, s.Notes, c.notes)
		}
	}
}

// Flows with queue pairs of their own take several of four paths, those of one queue pair a single one, except for the flow whose port is given.
func TestConnectionsPorts(t *testing.T) {
	var flows []sim.Flow
	for range 16 {
		flows = append(flows, sim.Flow{Src: 0, Dst: 4, Bytes: 10_000, Prio: 3, DstPort: 100})
	}
	for connections, want := range map[string]int{"0": 4, "1": 1} {
		n, _ := play(t, unsampled(t, flows, "topology", "leaf-spine:leaves=2,spines=4,hosts=4", "cc", "none", "host.connections", connections))
		used := 0
		for port, peer := range n.Ports()[8] {
			if n.Counters(8, port).TxPackets > 0 && n.Setup.Topology.Kinds[peer.Peer] == topo.Switch {
				used++
			}
		}
		if used != want {
			t.Errorf("%s connections: %d of 4 paths are used, want %d", connections, used, want)
		}
	}
	given := append(slices.Clone(flows), sim.Flow{Src: 0, Dst: 4, Bytes: 1, Prio: 3, SrcPort: 7, DstPort: 100})
	n, _ := begin(t, unsampled(t, given, "topology", "leaf-spine:leaves=2,spines=4,hosts=4", "host.connections", "1"))
	if first, last := n.Record(0).SrcPort, n.Record(16).SrcPort; first != sim.FirstSourcePort || last != 7 {
		t.Errorf("source ports %d and %d, want %d and 7", first, last, sim.FirstSourcePort)
	}
}
