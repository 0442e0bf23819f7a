package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

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

func loadAll(t *testing.T, dirs ...string) []*results.Run {
	t.Helper()
	runs, err := results.Load(dirs)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// write returns the page of runs.
func write(t *testing.T, runs []*results.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, runs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var embedded = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// dataOf returns the page's data for its script.
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
func chartOf(t *testing.T, d data, id string) figure.Figure {
	t.Helper()
	for _, c := range d.Charts {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no chart %s", id)
	return figure.Figure{}
}
