package report

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// simulate makes the folder of a short run under a scheme, with an incast into a small buffer.
func simulate(t *testing.T, dir, scheme string) string {
	t.Helper()
	sc := scenario.Default()
	sc.Duration, sc.Load, sc.Incast, sc.Buffer = 200*core.Microsecond, 0.7, "12x300KB@50us", 2e6
	sc.CC = scenario.CC{Name: scheme}
	setup, err := driver.Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := driver.Run(t.Context(), sc, setup, driver.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if sum.PFC.PausesSent == 0 {
		t.Fatalf("%s: the run has no pauses", scheme)
	}
	return dir
}

// replaceFlows writes another fct.parquet.
func replaceFlows(t *testing.T, dir string, rows []traces.FCTRow) {
	t.Helper()
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := tables.Create[traces.FCTRow](out, "fct.parquet", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
}

func loadAll(t *testing.T, dirs ...string) []*Run {
	t.Helper()
	runs, err := Load(dirs)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// write returns the page of runs.
func write(t *testing.T, runs []*Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, runs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var embedded = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// dataOf returns what the page holds for its script.
func dataOf(t *testing.T, html string) data {
	t.Helper()
	found := embedded.FindStringSubmatch(html)
	if found == nil {
		t.Fatal("the page has no data")
	}
	var d data
	decoder := json.NewDecoder(bytes.NewReader([]byte(found[1])))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	return d
}

// chartOf returns a chart by its name.
func chartOf(t *testing.T, d data, id string) chart {
	t.Helper()
	for _, c := range d.Charts {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no chart %s", id)
	return chart{}
}

// twoRuns are the folders of two runs that differ in their scheme.
func twoRuns(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	return []string{simulate(t, filepath.Join(dir, "hpcc"), "hpcc"), simulate(t, filepath.Join(dir, "dcqcn"), "dcqcn")}
}
