package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

func TestLoadMistakes(t *testing.T) {
	good := sample.Run(t, filepath.Join(t.TempDir(), "good"), "hpcc")
	broken := func(name, text string) string {
		dir := filepath.Join(t.TempDir(), "broken")
		if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if text == "" {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, c := range []struct {
		dirs []string
		want string
	}{
		{[]string{filepath.Join(good, "none")}, "none: no such folder: give the folder of a finished run"},
		{[]string{filepath.Join(good, "fct.parquet")}, "fct.parquet: not a folder"},
		{[]string{t.TempDir()}, "no summary.json: is this the folder of a finished run?"},
		{[]string{broken("fct.parquet", "")}, "no fct.parquet: is this"},
		{[]string{broken("ports.parquet", "")}, "no ports.parquet"},
		{[]string{broken("pfc.parquet", "")}, "no pfc.parquet"},
		{[]string{broken("queue_cdf.parquet", "")}, "no queue_cdf.parquet"},
		{[]string{broken("summary.json", "{")}, "summary.json: not the summary of a run"},
		{[]string{broken("summary.json", "{}")}, "summary.json: not the summary of a run: it holds no scenario"},
		{[]string{broken("summary.json", `{"scenario": "a: [b"}`)}, "summary.json: scenario: not a scenario"},
		{[]string{broken("ports.parquet", "PAR1")}, "ports.parquet: not a complete Parquet file"},
		{[]string{broken("pfc.parquet", "time 1")}, "pfc.parquet: not a Parquet file"},
		{[]string{good, good + string(filepath.Separator)}, "given twice"},
		{copies(t, good, figure.MaxNames+1), "9 runs that differ in more than the seed: a figure shows at most 8; qbb table and qbb plot trend take any number"},
	} {
		_, err := Load(c.dirs)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: got %v, want %q", c.dirs, err, c.want)
		}
	}
}

// Notes name files, whose names may be anything.
func TestVisibleNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.json")
	if err := os.WriteFile(path, []byte(`{"scenario": "seed: 1", "notes": ["a\u001b is cut"]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	var r Run
	if err := r.loadSummary(path); err != nil || !slices.Equal(r.Summary.Notes, []string{`a\x1b is cut`}) {
		t.Errorf("%q, %v", r.Summary.Notes, err)
	}
}

// The content of a run: finished flows by size, and the queues of all ports together, if it sampled any.
func TestLoadRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	flows, err := tables.Create[traces.FCTRow](out, "fct.parquet", nil)
	if err == nil {
		err = flows.Write([]traces.FCTRow{{SizeBytes: 3000, FCTNs: 7, Finished: true}, {SizeBytes: 1, FCTNs: 8}, {SizeBytes: 2000, FCTNs: 9, Finished: true}})
	}
	queues, err2 := tables.Create[traces.QueueCDFRow](out, "queue_cdf.parquet", nil)
	if err2 == nil {
		err2 = queues.Write([]traces.QueueCDFRow{{Node: 5, UpperBytes: 1000}, {Node: traces.AllPorts, UpperBytes: 2000}, {Node: 6, UpperBytes: 3000}})
	}
	if err := errors.Join(err, err2, out.Commit()); err != nil {
		t.Fatal(err)
	}
	r, err := openRun(dir)
	if err != nil || r.Name != "run" {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := r.loadFlows(filepath.Join(dir, "fct.parquet")); err != nil || !slices.Equal(r.Flows, []Flow{{Bytes: 2000, FCT: 9}, {Bytes: 3000, FCT: 7}}) {
		t.Errorf("flows %+v, %v", r.Flows, err)
	}
	path := filepath.Join(dir, "queue_cdf.parquet")
	if err := r.loadQueues(path); err != nil || r.queues != nil {
		t.Errorf("queues that were not sampled: %+v, %v", r.queues, err)
	}
	r.Summary.Queue = &driver.QueueSummary{}
	if err := r.loadQueues(path); err != nil || len(r.queues) != 1 || r.queues[0].UpperBytes != 2000 {
		t.Errorf("queues %+v, %v", r.queues, err)
	}
}

// Tables of many runs need only the summary and flows of each.
func TestLoadFlows(t *testing.T) {
	dir := sample.Run(t, filepath.Join(t.TempDir(), "run"), "hpcc")
	whole, err := Load([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ports.parquet", "pfc.parquet", "queue_cdf.parquet", "series.parquet"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("not read"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := LoadFlows([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	table := func(runs []*Run) (text string) {
		for _, class := range slices.Concat(BySize(runs), ByTag(runs)) {
			for _, row := range class.Rows {
				text += fmt.Sprintln(class.Label, row.Run.Name, row.Flows, row.Values)
			}
		}
		return text
	}
	if got, want := table(runs), table(whole); got != want || got == "" {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := LoadFlows([]string{dir, dir + "/."}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Error(err)
	}
}

// Figures of flows need no more either; every other figure of a run reads all of it.
func TestKindsLoad(t *testing.T) {
	dir := sample.Run(t, filepath.Join(t.TempDir(), "run"), "hpcc")
	whole, err := Load([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ports.parquet", "pfc.parquet", "queue_cdf.parquet", "series.parquet"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	many := copies(t, dir, figure.MaxNames+1)
	for _, k := range Kinds() {
		runs, err := k.Load([]string{dir})
		if k.Name != "slowdown" && k.Name != "fct-cdf" {
			if err == nil || !strings.Contains(err.Error(), "no ports.parquet") {
				t.Errorf("%s: %v", k.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", k.Name, err)
		}
		if got, want := k.Figure(runs), k.Figure(whole); !reflect.DeepEqual(got, want) || len(got.Series) == 0 {
			t.Errorf("%s: the figure is %+v, not %+v", k.Name, got, want)
		}
		if runs, err := k.Load(many[1:]); err != nil || len(runs) != figure.MaxNames || runs[0].Name != "1" {
			t.Errorf("%s of eight runs: %d, %v", k.Name, len(runs), err)
		}
		if _, err := k.Load(many); err == nil || !strings.HasPrefix(err.Error(), "9 runs that differ") {
			t.Errorf("%s of nine runs: %v", k.Name, err)
		}
	}
}

// copies makes folders with the same run.
func copies(t *testing.T, of string, n int) []string {
	t.Helper()
	var dirs []string
	for i := range n {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := os.CopyFS(dir, os.DirFS(of)); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// Runs whose folders have the same name are told apart by the path.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	sample.Run(t, filepath.Join("a", "out"), "hpcc")
	for _, to := range []string{filepath.Join("b", "out"), "other"} {
		if err := os.CopyFS(to, os.DirFS(filepath.Join("a", "out"))); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	runs, err := Load([]string{"a/out", "b/out/", "other"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		names = append(names, r.Name)
	}
	if want := []string{"a/out", "b/out", "other"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// Flows of a figure are told apart by their tags, if these differ and flows were chosen.
func TestLoadTags(t *testing.T) {
	for _, c := range []struct {
		flows string
		tags  []string
		want  map[int32]string
	}{
		{"all", []string{"incast", "victim", ""}, map[int32]string{0: "incast", 1: "victim", 2: ""}},
		{"all", []string{"incast", "incast"}, nil},
		{"all", nil, nil},
		{"none", []string{"incast", "victim"}, nil},
		{"", []string{"incast", "victim"}, nil},
	} {
		var rows []traces.FCTRow
		for i, tag := range c.tags {
			rows = append(rows, traces.FCTRow{FlowID: int64(i), Tag: tag})
		}
		r := &Run{Settings: []Setting{{Key: "series.flows", Value: c.flows}}}
		if r.loadTags(rows); !reflect.DeepEqual(r.tags, c.want) {
			t.Errorf("%q of %q: %v", c.flows, c.tags, r.tags)
		}
	}
}
