package reproduce

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

var rewrite = flag.Bool("rewrite", false, "rewrite testdata/quick.txt")

// Every experiment runs with -quick, measures every published value, and its verdicts are the
// recorded ones. A changed verdict is not by itself a fault of the simulator: it has to be
// investigated, explained in docs/reproduce.md, and then recorded with -rewrite.
func TestQuick(t *testing.T) {
	const file = "testdata/quick.txt"
	var got strings.Builder
	for _, e := range Experiments() {
		r, err := e.Run(t.Context(), true, runtime.GOMAXPROCS(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Figures) == 0 {
			t.Errorf("%s has no figure", e.Name)
		}
		for i := range r.Rows {
			if row := &r.Rows[i]; row.Verdict == Agrees || row.Verdict == Differs {
				fmt.Fprintf(&got, "%s %s %s\n", e.Name, row.Measure, row.Verdict)
			}
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the verdicts are not those of %s; now they are\n%s", file, got.String())
	}
}

// The data file and the experiments refer to each other, and every claim can be judged.
func TestPublished(t *testing.T) {
	all, err := published()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Experiments() {
		if len(all[e.Name]) == 0 {
			t.Errorf("%s: nothing was published", e.Name)
		}
		seen := make(map[string]bool)
		for _, c := range all[e.Name] {
			if _, err := c.Within.of(c.Published); err != nil {
				t.Errorf("%s, %s: tolerance %q: %v", e.Name, c.Measure, c.Within, err)
			}
			if c.What == "" || c.Where == "" || c.Why == "" || seen[c.Measure] || !slices.Contains([]relation{about, atMost, atLeast, moreThan}, c.Is) {
				t.Errorf("%s: incomplete claim, or one given twice: %+v", e.Name, c)
			}
			seen[c.Measure] = true
		}
	}
	for name := range all {
		if _, err := Find(name); err != nil {
			t.Errorf("published.yaml: %v", err)
		}
	}
}

func TestJudge(t *testing.T) {
	no := false
	for _, c := range []struct {
		is        relation
		published float64
		within    tolerance
		quick     *bool
		ours      float64
		want      Verdict
	}{
		{about, 100, "20%", nil, 120, Agrees},
		{about, 100, "20%", nil, 120.1, Differs},
		{about, -1, "5%", nil, -0.95, Agrees},
		{about, -1, "5%", nil, -0.94, Differs},
		{about, 3, "0.5", nil, 2.5, Agrees},
		{about, 80, "0", nil, 40, Differs},
		{about, 5, "20%", nil, math.Inf(1), Differs},
		{about, 5, "20%", nil, math.NaN(), Differs},
		{atMost, 0, "0", nil, 0, Agrees},
		{atMost, 0, "0", nil, 1, Differs},
		{atLeast, 20, "20%", nil, 16, Agrees},
		{atLeast, 20, "20%", nil, 15.9, Differs},
		{atLeast, 20, "20%", nil, math.Inf(1), Agrees},
		{moreThan, 2, "0", nil, 2, Differs},
		{moreThan, 2, "0", nil, 2.1, Agrees},
		{atLeast, 20, "20%", &no, 3, NotJudged},
	} {
		r := &Result{Experiment: &Experiment{}, Quick: true}
		claim := &claim{Is: c.is, Published: c.published, Within: c.within, Quick: c.quick}
		if row := r.judge(claim, c.ours); row.Verdict != c.want {
			t.Errorf("%v %v within %v, ours %v: %q, want %q", c.is, c.published, c.within, c.ours, row.Verdict, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0.24641: "0.2464", 5.5: "5.5", 1200: "1200", 9999.6: "10000", 9999.4: "9999", 13032: "13032", 140334.4: "140334", -20000: "-20000",
		2.5e9: "2.5e+09", math.Inf(1): "never", math.NaN(): "",
	} {
		if got := number(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

// Published values in figures are those of the data file.
func TestPublishedValue(t *testing.T) {
	r := &Result{Experiment: &Experiment{Name: "mpcc-horizon"}}
	if v := r.published("solve.20"); v != 916_831 {
		t.Errorf("published %v", v)
	}
}

// The output of --print-scenario, put into files, gives exactly the run of the experiment: the same flows, to the
// picosecond, on the same network under the same settings.
func TestPrintedCases(t *testing.T) {
	for _, e := range Experiments() {
		for _, quick := range []bool{false, true} {
			for _, c := range e.Cases(quick) {
				if !quick && len(c.Flows) == 0 {
					continue // differs from quick in durations
				}
				sc, err := c.scenario()
				if err != nil {
					t.Fatal(err)
				}
				ours, err := sc.Setup()
				if err != nil {
					t.Fatal(err)
				}
				fromText := printed(t, &c)
				theirs, err := fromText.Setup()
				if err != nil {
					t.Fatalf("%s, %s: %v", e.Name, c.Name, err)
				}
				if names := differing(ours, theirs); len(names) > 0 {
					t.Errorf("%s, %s: differs in %q", e.Name, c.Name, names)
				}
				if err := errors.Join(sc.Complete(), fromText.Complete()); err != nil {
					t.Fatal(err)
				}
				if !sameCC(sc.CC, fromText.CC) || !maps.EqualFunc(sc.CCByTag, fromText.CCByTag, sameCC) {
					t.Errorf("%s, %s: congestion control %+v, printed %+v", e.Name, c.Name, sc.CC, fromText.CC)
				}
			}
		}
	}
}

func sameCC(a, b scenario.CC) bool { return a.Name == b.Name && maps.Equal(a.Params, b.Params) }

// printed puts the output of --print-scenario for a case into the files that it names, and loads
// them.
func printed(t *testing.T, c *Case) *scenario.Scenario {
	t.Helper()
	var text bytes.Buffer
	if err := c.Print(&text); err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	dir := t.TempDir()
	yaml, flows, has := strings.Cut(text.String(), "\n# "+c.flowsFile()+", to be put into a file of its own\n")
	for name, part := range map[string]string{c.Name + ".yaml": yaml, c.flowsFile(): flows} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(part), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if has != (len(c.Flows) > 0) {
		t.Errorf("%s: has a file of flows: %v; %d flows", c.Name, has, len(c.Flows))
	}
	sc, err := scenario.Load(filepath.Join(dir, c.Name+".yaml"))
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return sc
}

// differing lists the fields in which two runs differ. ECN thresholds are compared by their values for the links'
// rates, schemes by their names.
func differing(a, b *sim.Setup) (names []string) {
	for _, l := range a.Topology.Links {
		k1, m1, p1, ok1 := a.ECN(l.Rate)
		k2, m2, p2, ok2 := b.ECN(l.Rate)
		if k1 != k2 || m1 != m2 || p1 != p2 || ok1 != ok2 {
			return []string{"ECN"}
		}
	}
	name := func(s algorithms.Scheme) string { return s.Traits().Name }
	if !slices.EqualFunc(a.Schemes, b.Schemes, func(s, o algorithms.Scheme) bool { return name(s) == name(o) }) {
		names = append(names, "Schemes")
	}
	v, w := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; name {
		case "ECN", "Schemes":
		default:
			if !reflect.DeepEqual(v.Field(i).Interface(), w.Field(i).Interface()) {
				names = append(names, name)
			}
		}
	}
	return names
}

// The files of an experiment: equal for equal runs on one thread and on two, tables that can be read back, figures, and
// scenarios that give the same run from disk.
func TestWrite(t *testing.T) {
	e, err := Find("mpcc-window")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for threads := 1; threads <= 2; threads++ {
		r, err := e.Run(t.Context(), true, threads, nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := r.Write(dir); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	for _, name := range []string{
		"results.parquet", "series.parquet", "results.txt", "figure-3.4.png", "figure-3.4.svg",
		"window.yaml", "window.flows.csv", "no-window.yaml",
	} {
		first, err := os.ReadFile(filepath.Join(dirs[0], name))
		if err != nil {
			t.Fatal(err)
		}
		second, err := os.ReadFile(filepath.Join(dirs[1], name))
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: two runs differ (%v)", name, err)
		}
	}
	rows, err := parquet.ReadFile[Row](filepath.Join(dirs[0], "results.parquet"))
	if err != nil || len(rows) != 2 || rows[0].Measure != "bound" || rows[0].Verdict != Agrees {
		t.Errorf("results.parquet: %+v, %v", rows, err)
	}
	series, err := parquet.ReadFile[SeriesRow](filepath.Join(dirs[0], "series.parquet"))
	if err != nil || len(series) < 1000 {
		t.Errorf("series.parquet: %d rows, %v", len(series), err)
	}
	sc, err := scenario.Load(filepath.Join(dirs[0], "window.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := sc.Setup(); err != nil || len(s.Flows) != 4 {
		t.Errorf("window.yaml: %v", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	e, err := Find("mpcc-window")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(ctx, true, 2, nil); err == nil {
		t.Error("an interrupted run has a result")
	}
}

func TestFind(t *testing.T) {
	_, err := Find("mpcc-windo")
	if err == nil || err.Error() != `unknown experiment "mpcc-windo": did you mean mpcc-window? qbb reproduce lists all` {
		t.Error(err)
	}
}
