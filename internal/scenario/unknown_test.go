package scenario

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

// A run says where it goes beyond what is known of the reference: one note for each change to a case of which
// everything is known.
func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		mode      int64
		from, to  string // replaced in the files
		want      string // part of the note; empty: there is none
		otherwise string // scheme to run with, if not that of CC_MODE
	}{
		{3, "", "", "", ""},
		{3, "USE_DYNAMIC_PFC_THRESHOLD 1", "USE_DYNAMIC_PFC_THRESHOLD 0", "USE_DYNAMIC_PFC_THRESHOLD", ""},
		{3, "USE_DYNAMIC_PFC_THRESHOLD 1", "USE_DYNAMIC_PFC_THRESHOLD 0", "", "none"},
		{3, "USE_DYNAMIC_PFC_THRESHOLD 1", "", "", ""},
		{3, "LINK_DOWN 0 0 0", "LINK_DOWN 0 2 3", "LINK_DOWN", ""},
		{3, "LINK_DOWN 0 0 0", "LINK_DOWN 1 2 3", "", ""},
		{3, "LINK_DOWN 0 0 0", "LINK_DOWN 1.5 2 3", "parts of a microsecond: LINK_DOWN:", ""},
		{1, "RP_TIMER 300", "RP_TIMER 300.7", "parts of a microsecond: RP_TIMER:", ""},
		{3, "RP_TIMER 300", "RP_TIMER 300.7", "", ""},
		{3, "LINK_DOWN 0 0 0", "LINK_DOWN 1 2 0", "cuts off", ""},
		{3, "L2_BACK_TO_ZERO 0", "L2_BACK_TO_ZERO 1", "", ""},
		{1, "L2_BACK_TO_ZERO 0", "L2_BACK_TO_ZERO 1 ERROR_RATE_PER_LINK 0.1", "start of the chunk", ""},
		{3, "L2_BACK_TO_ZERO 0 LINK_DOWN 0 0 0", "L2_BACK_TO_ZERO 1 LINK_DOWN 5 2 3", "L2_BACK_TO_ZERO", ""},
		{3, "L2_BACK_TO_ZERO 0 ", "L2_BACK_TO_ZERO 0 ERROR_RATE_PER_LINK 0.1 ", "flow's first packet", ""},
		{3, "FAST_REACT 1", "FAST_REACT 0 ERROR_RATE_PER_LINK 0.1", "", ""},
		{10, "L2_BACK_TO_ZERO 0 ", "L2_BACK_TO_ZERO 0 ERROR_RATE_PER_LINK 0.1 ", "", ""},
		{3, "L2_ACK_INTERVAL 1", "L2_ACK_INTERVAL 4000", "L2_ACK_INTERVAL is 4000", ""},
		{3, "L2_ACK_INTERVAL 1", "L2_ACK_INTERVAL 0", "L2_ACK_INTERVAL is 0", ""},
		{3, "L2_ACK_INTERVAL 1", "L2_ACK_INTERVAL 4000", "", "none"},
		{3, "L2_ACK_INTERVAL 1", "", "missing: L2_ACK_INTERVAL:", ""},
		{3, "GLOBAL_T 1", "", "missing: GLOBAL_T:", ""},
		{3, "QLEN_MON_START 2000000000", "", "missing: QLEN_MON_START:", ""},
		{3, "QLEN_MON_FILE qlen.txt\nQLEN_MON_START 2000000000\nQLEN_MON_END 2000000000", "", "", ""},
		{3, "MULTI_RATE 0", "", "missing: MULTI_RATE:", ""},
		{3, "CLAMP_TARGET_RATE 0", "", "", ""},
		{1, "CLAMP_TARGET_RATE 0", "", "missing: CLAMP_TARGET_RATE:", ""},
		{1, "MULTI_RATE 0", "", "", ""},
		{3, "L2_BACK_TO_ZERO 0 ", "", "", ""},
		{1, "L2_BACK_TO_ZERO 0 ", "ERROR_RATE_PER_LINK 0.1 ", "missing: L2_BACK_TO_ZERO:", ""},
		{3, "MI_THRESH 0", "", "", ""},
		{8, "PACKET_PAYLOAD_SIZE 1000", "PACKET_PAYLOAD_SIZE 1500", "PACKET_PAYLOAD_SIZE", ""},
		{3, "PACKET_PAYLOAD_SIZE 1000", "PACKET_PAYLOAD_SIZE 1500", "", ""},
		{3, "2\n0 1 3 100 1000 2\n", "55537\n" + strings.Repeat("0 1 3 100 1000 2\n", 55536), "", ""},
		{3, "2\n0 1 3 100 1000 2\n", "55538\n" + strings.Repeat("0 1 3 100 1000 2\n", 55537), "source ports", ""},
		{1, "1 0 3", "1 0 4", "priority groups", ""},
		{1, "100Gbps", "40Gbps", "", ""},
		{3, "100Gbps", "40Gbps", "40Gbps", ""},
		{3, "INT_MULTI 4", "INT_MULTI 8", "", ""},
		{3, "INT_MULTI 4", "INT_MULTI 9", "INT_MULTI 9", ""},
		{10, "INT_MULTI 4", "INT_MULTI 9", "", ""},
		{3, "4 2 3\n2 3\n", "4 2 4\n2 3\n0 1 100Gbps 1us 0\n", "no switch", ""},
		{1, "4 2 3\n2 3\n", "4 2 4\n2 3\n0 1 100Gbps 1us 0\n", "", ""},
		{3, "4 2 3\n2 3\n0 2 ", manySwitches(5), "", ""},
		{3, "4 2 3\n2 3\n0 2 ", manySwitches(6), "more switches than the 5", ""},
		{3, "HAS_WIN 1", "HAS_WIN 0", "HAS_WIN is 0", ""},
		{7, "HAS_WIN 1", "HAS_WIN 0", "", ""},
		{1, "4 2 3\n2 3\n", "4 2 4\n2 3\n3 2 100Gbps 1us 0\n", "several links", ""},
		{1, "4 2 3\n2 3\n", secondWay + "100Gbps 1us 0\n", "", ""},
		{1, "4 2 3\n2 3\n", secondWay + "100Gbps 2us 0\n", "such as 1 and 0, differ", ""},
		{1, "4 2 3\n2 3\n", secondWay + "40Gbps 1us 0\n", "such as 1 and 0, differ", ""},
		{3, "4.294967295\n", "4.294967297\n", "4.294967295 s", ""},
		{3, "QLEN_MON_END 2000000000", "QLEN_MON_END 4294967295", "", ""},
		{3, "QLEN_MON_END 2000000000", "QLEN_MON_END 4294967296", "4.294967295 s", ""},
		{3, "4294967295 ", "4294967296 ", "4294967295 B", ""},
	} {
		notes := notesOf(t, c.mode, c.otherwise, c.from, c.to)
		holds := func(note string) bool { return strings.Contains(note, "not known") && strings.Contains(note, c.want) }
		if wanted := min(1, len(c.want)); len(notes) != wanted || !slices.ContainsFunc(notes, holds) && wanted > 0 {
			t.Errorf("CC_MODE %d, %.80q for %q: notes %q", c.mode, c.to, c.from, notes)
		}
	}
}

// A lower ECN threshold above the upper one is without effect, as in the reference, which the run says if a link has that
// rate and switches mark.
func TestCrossedThresholds(t *testing.T) {
	const at100, at40 = "400 40000000000 400\n\t\tKMAX", "400\n\t\tKMAX"
	for _, c := range []struct {
		changes []string
		want    int
	}{
		{[]string{at100, "401 40000000000 400\n\t\tKMAX"}, 1},
		{[]string{at40, "401\n\t\tKMAX"}, 0},
		{[]string{at40, "401\n\t\tKMAX", "100Gbps", "40Gbps"}, 1},
		{[]string{at100, "401 40000000000 400\n\t\tKMAX", "ENABLE_QCN 1", "ENABLE_QCN 0"}, 0},
	} {
		notes := notesOf(t, 1, "", c.changes...)
		if len(notes) != c.want || c.want > 0 && !strings.Contains(notes[0], "KMIN_MAP exceeds KMAX_MAP at") {
			t.Errorf("%q: notes %q, want %d", c.changes, notes, c.want)
		}
	}
	crossed := &traces.Config{
		KMin: []traces.RateSize{{Rate: core.Gbps, Size: 7000}}, KMax: []traces.RateSize{{Rate: core.Gbps, Size: 5000}},
		PMax: []traces.RateProb{{Rate: core.Gbps, Prob: 0.5}},
	}
	if got, want := thresholds(crossed), (Threshold{core.Gbps, 5000, 5000, 0.5}); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// HPCC's record has codes for five rates of a switch's links; those between hosts do not count.
func TestBeyondRecord(t *testing.T) {
	for gbps, known := range map[core.Rate]bool{10: false, 25: true, 40: false, 50: true, 100: true, 200: true, 400: true, 800: false} {
		net := &topo.Topology{Kinds: []topo.Kind{topo.Host, topo.Host, topo.Switch}, Links: []topo.Link{{A: 0, B: 1, Rate: core.Gbps}, {A: 1, B: 2, Rate: gbps * core.Gbps}}}
		if rate, found := beyondRecord(net); found == known || found && rate != gbps*core.Gbps {
			t.Errorf("%d Gb/s: %v, %v", gbps, rate, found)
		}
	}
}

// secondWay begins notesOf's network so that its hosts are also joined by the other switch, over links of which the last
// one follows.
const secondWay = "4 2 5\n2 3\n0 3 100Gbps 1us 0\n1 3 "

// manySwitches begins notesOf's network so that there are n switches between its hosts.
func manySwitches(n int) string {
	ids, links, last := "2 3", "", 2
	for id := 4; id < n+3; id++ {
		ids += fmt.Sprint(" ", id)
		links += fmt.Sprintln(last, id, "100Gbps 1us 0")
		last = id
	}
	return fmt.Sprintf("%d %d %d\n%s\n%s0 %d ", n+3, n+1, n+2, ids, links, last)
}

// A window belongs to a pair of hosts, and the link that limits it fails.
func TestUnknownWindow(t *testing.T) {
	failure := []string{"4 2 3\n2 3\n", "4 2 4\n2 3\n3 0 40Gbps 1us 0\n", "LINK_DOWN 0 0 0", "LINK_DOWN 1 0 2"}
	own := slices.Concat(failure, []string{"GLOBAL_T 1", "GLOBAL_T 0"})
	for _, c := range []struct {
		changes []string
		want    int
	}{
		{failure, 0},
		{own, 1},
		{slices.Concat(own, []string{"HAS_WIN 1", "HAS_WIN 0"}), 0},
		{slices.Concat(own, []string{"3 0 40Gbps", "3 0 100Gbps"}), 0},
	} {
		if notes := notesOf(t, 7, "", c.changes...); len(notes) != c.want || c.want > 0 && !strings.Contains(notes[0], "window from before") {
			t.Errorf("%q: notes %q", c.changes, notes)
		}
	}
}

// notesOf returns the notes for a case of which everything is known, after replacing texts in its files, one after the
// other, or with another scheme.
func notesOf(t *testing.T, mode int64, otherwise string, changes ...string) []string {
	t.Helper()
	const (
		network = "4 2 3\n2 3\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n2 3 100Gbps 1us 0\n"
		traffic = "2\n0 1 3 100 1000 2\n1 0 3 100 4294967295 4.294967295\n"
	)
	dir := t.TempDir()
	text := fullConfig(t, mode)
	for _, key := range []string{"TOPOLOGY_FILE", "FLOW_FILE", "ENABLE_TRACE", "ERROR_RATE_PER_LINK", "KMIN_MAP", "KMAX_MAP", "PMAX_MAP", "L2_BACK_TO_ZERO", "LINK_DOWN"} {
		text = without(text, key)
	}
	text += "\nTOPOLOGY_FILE " + dir + "/topology.txt\nFLOW_FILE " + dir + `/flow.txt
		KMIN_MAP 2 100000000000 400 40000000000 400
		KMAX_MAP 2 100000000000 400 40000000000 400
		PMAX_MAP 2 100000000000 0.5 40000000000 0.5
		L2_BACK_TO_ZERO 0 LINK_DOWN 0 0 0
`
	for name, content := range map[string]string{"config.txt": text, "topology.txt": network, "flow.txt": traffic} {
		for i := 0; i < len(changes); i += 2 {
			content = strings.ReplaceAll(content, changes[i], changes[i+1])
		}
		write(t, filepath.Join(dir, name), content)
	}
	sc, err := Load(filepath.Join(dir, "config.txt"))
	if err == nil && otherwise != "" {
		err = sc.Set("cc", otherwise)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	return s.Notes
}
