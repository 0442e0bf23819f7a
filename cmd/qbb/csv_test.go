package main

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/traces/tables"
)

// The CSV of a run's folder has a line for every flow of its fct.parquet; so does the CSV of the file itself.
func TestCSV(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, append(with(small, "--out", "a,b"), "--cc", "dcqcn:ai=40Mbps,hai=400Mbps")...)
	flows, err := tables.LoadFCT("a,b/fct.parquet")
	if err != nil {
		t.Fatal(err)
	}
	text := mustQBB(t, "csv", "a,b")
	if same := mustQBB(t, "csv", "a,b/fct.parquet"); same != text {
		t.Errorf("the file gives\n%s, its folder\n%s", same, text)
	}
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != len(flows)+1 || len(flows) == 0 {
		t.Fatalf("%d lines of %d flows, %v", len(lines), len(flows), err)
	}
	for i, line := range lines[1:] {
		f := &flows[i]
		for k, want := range map[string]string{
			"flow_id": strconv.FormatInt(f.FlowID, 10), "scheme": f.Scheme, "finished": strconv.FormatBool(f.Finished),
			"slowdown": strconv.FormatFloat(f.Slowdown, 'f', -1, 64), "size_bytes": strconv.FormatInt(f.SizeBytes, 10),
		} {
			at := slices.Index(lines[0], k)
			if at < 0 || line[at] != want {
				t.Errorf("line %d: %s is in column %d of %q, want %s", i+2, k, at, line, want)
			}
		}
	}
}
