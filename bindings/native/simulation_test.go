package native

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// A run in which a panic has shown a bug makes no results: its network is in the middle of an event.
func TestBrokenSimulation(t *testing.T) {
	s := NewScenario()
	if err := s.Apply(`{"topology": "star:n=3", "workload": "none", "patterns": ["permutation:1KB"]}`); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := s.Start(dir, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	m.rec.done = nil // where the first flow that ends is kept
	_, bug := m.Run(1e12, 1e6, Nothing)
	if bug == nil || !strings.HasPrefix(bug.Error(), failed) {
		t.Fatalf("the run met %v", bug)
	}
	if _, err := m.Run(1e12, 1e6, Nothing); err != bug {
		t.Errorf("it goes on with %v", err)
	}
	if text, err := m.Finish(); err != bug {
		t.Errorf("it ends with %q, %v", text, err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// A closed loop that has come to an end goes on with a flow that is added, and counts as interrupted without its end.
func TestAddedFlowIsLeft(t *testing.T) {
	s := NewScenario()
	if err := s.Apply(`{"topology": "star:n=3", "workload": "none"}`); err != nil {
		t.Fatal(err)
	}
	m, err := s.Start("", 1, true)
	if err != nil {
		t.Fatal(err)
	}
	for start := range int64(2) {
		if why, err := m.Run(int64(core.Never), 1e6, Nothing); err != nil || why != Over {
			t.Fatalf("the run stopped as %d, %v", why, err)
		}
		if _, err := m.Add(fmt.Sprintf("src,dst,bytes,start_ns\n0,1,1000,%d000000\n", start)); err != nil {
			t.Fatal(err)
		}
		if text, err := m.Progress(); err != nil || !strings.Contains(text, `"Over":false`) {
			t.Errorf("a flow has been added: %s, %v", text, err)
		}
	}
	if text, err := m.Finish(); err != nil || !strings.Contains(text, `"stopped_early":true`) || !strings.Contains(text, "had not started when the run was interrupted") {
		t.Errorf("%s, %v", text, err)
	}
}

// While parts of the network are at different times, the table has every flow once nevertheless; the tables of an interrupted
// run are those of its files.
func TestFlowsOfParts(t *testing.T) {
	s := NewScenario()
	if err := s.Apply(`{"topology": "fat-tree:k=4", "workload": "googlerpc2008", "load": 0.6, "duration": "100us"}`); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := s.Start(dir, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	if m.run.Network.Parts() < 2 {
		t.Skip("a single processor has a single part")
	}
	flows := func() []traces.FCTRow {
		t.Helper()
		table, err := m.Table("fct")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := rowsOf[traces.FCTRow](table, "fct")
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	apart := 0 // looks at parts that were at different times
	for range 20 {
		if why, err := m.Run(int64(core.Never), 0, Nothing); err != nil || why != GoOn {
			t.Fatalf("the run goes on as %d, %v", why, err)
		}
		rows, seen := flows(), make(map[int64]bool)
		for _, r := range rows {
			seen[r.FlowID] = true
		}
		if all := len(m.run.Network.Setup.Flows); len(rows) != all || len(seen) != all {
			t.Errorf("%d rows of %d flows, of which there are %d", len(rows), len(seen), all)
		}
		if !slices.IsSortedFunc(rows, func(a, b traces.FCTRow) int { // finished ones by their ends, then the others by number
			switch {
			case a.Finished != b.Finished:
				return cmp.Compare(truth(b.Finished), truth(a.Finished))
			case a.Finished:
				return cmp.Compare(traces.PicosOf(a.StartNs+a.FCTNs), traces.PicosOf(b.StartNs+b.FCTNs))
			}
			return cmp.Compare(a.FlowID, b.FlowID)
		}) {
			t.Error("the rows are not in order")
		}
		finished := slices.IndexFunc(rows, func(r traces.FCTRow) bool { return !r.Finished })
		if m.rec.done.Rows() < finished {
			apart++
		}
	}
	if apart == 0 {
		t.Error("all parts were at the same time whenever the run was looked at")
	}
	if _, err := m.Finish(); err != nil {
		t.Fatal(err)
	}
	file, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if rows := flows(); !slices.Equal(rows, file) {
		t.Errorf("%d rows are not the %d of the file", len(rows), len(file))
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
