package results

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/traces"
)

// seeded is a run of a scheme with a seed, without flows.
func seeded(cc string, seed uint64) *Run {
	return &Run{Name: "x", Summary: driver.Summary{Seed: seed}, Settings: []Setting{{"seed", fmt.Sprint(seed)}, {"cc.name", cc}}}
}

// Runs that differ only in the seed are one; the same seed twice is not two samples.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		dirs  []string
		cc    []string
		seeds []uint64
		want  string
	}{
		{[]string{"hpcc-1", "hpcc-2", "dcqcn-1", "dcqcn-2"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "hpcc[1 2] dcqcn[1 2]"},
		{[]string{"1/hpcc", "1/dcqcn", "2/hpcc", "2/dcqcn"}, []string{"h", "d", "h", "d"}, []uint64{1, 1, 2, 2}, "hpcc[1 2] dcqcn[1 2]"},
		{[]string{"hpcc/1", "hpcc/2", "dcqcn/1"}, []string{"h", "h", "d"}, []uint64{1, 2, 1}, "hpcc[1 2] dcqcn/1[1]"},
		{[]string{"r/h-seed1", "r/h-seed10", "r/h-seed9"}, []string{"h", "h", "h"}, []uint64{1, 10, 9}, "h[1 9 10]"},
		{[]string{"h-2", "h-1", "d-1", "d-2"}, []string{"h", "h", "d", "d"}, []uint64{2, 1, 1, 2}, "h[1 2] d[1 2]"},
		{[]string{"w/seed1-h", "w/seed1-d", "w/seed12-h", "w/seed12-d"}, []string{"h", "d", "h", "d"}, []uint64{1, 1, 12, 12}, "h[1 12] d[1 12]"},
		{[]string{"k8-seed1-load0.5", "k8-seed11-load0.5"}, []string{"h", "h"}, []uint64{1, 11}, "k8-load0.5[1 11]"},
		{[]string{"1/k8", "2/k8"}, []string{"h", "h"}, []uint64{1, 2}, "k8[1 2]"},
		{[]string{".", "../results"}, []string{"h", "h"}, []uint64{1, 2}, "results[1 2]"},
		{[]string{"w/seed1-a", "w/seed2-b"}, []string{"h", "h"}, []uint64{1, 2}, "w[1 2]"},
		{[]string{"h\n1", "h\n2"}, []string{"h", "h"}, []uint64{1, 2}, `h\n[1 2]`}, // what cannot be seen is written out
		{[]string{"w/alpha", "w/beta"}, []string{"h", "h"}, []uint64{1, 2}, "w[1 2]"},
		{[]string{"种子一", "种子二"}, []string{"h", "h"}, []uint64{1, 2}, "种子[1 2]"},                          // the last letters have two bytes in common
		{[]string{"h-load0.3", "h-load0.3-seed2"}, []string{"h", "h"}, []uint64{1, 2}, "h-load0.3[1 2]"}, // 3 is a whole number
		{[]string{"a-1", "a-2"}, []string{"h", "h"}, []uint64{1, 1}, "a-1[1] a-2[1]"},
		{[]string{"a-1", "a-2"}, []string{"h", "d"}, []uint64{1, 2}, "a-1[1] a-2[2]"},
		{[]string{"a-1", "a-2", "a-3", "a-4"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "a-1[1 2] a-3[1 2]"},
		{[]string{"p/h-seed1", "p/h-seed2", "q/h-seed1", "q/h-seed2"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "p/h[1 2] q/h[1 2]"},
		{[]string{"h-seed1", "h-seed2", "../q/h-seed1", "../q/h-seed2"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "h[1 2] ../q/h[1 2]"},
		{[]string{"p/1/h", "p/2/h", "q/1/h", "q/2/h"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "p/h[1 2] q/h[1 2]"},
		{[]string{"p/h/1", "p/h/2", "q/h/1", "q/h/2"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "p/h[1 2] q/h[1 2]"},
		{[]string{"/p/h/1", "/p/h/2", "/q/h/1", "/q/h/2"}, []string{"h", "h", "d", "d"}, []uint64{1, 2, 1, 2}, "/p/h[1 2] /q/h[1 2]"},
		{[]string{"p/h-seed1", "p/h-seed2", "q/h"}, []string{"h", "h", "d"}, []uint64{1, 2, 1}, "p/h[1 2] h[1]"},
	} {
		var runs []*Run
		for i, dir := range c.dirs {
			r := seeded(c.cc[i], c.seeds[i])
			r.Name, r.dir = filepath.Base(dir), dir
			runs = append(runs, r)
		}
		got := ""
		for i, r := range join(runs) {
			var seeds []uint64
			for _, s := range r.Seeds() {
				seeds = append(seeds, s.Summary.Seed)
			}
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%s%v", r.Name, seeds)
		}
		if got != c.want {
			t.Errorf("%v: got %s, want %s", c.dirs, got, c.want)
		}
	}
}

// Runs of different versions are not samples of the same thing.
func TestJoinVersions(t *testing.T) {
	a, b := seeded("h", 1), seeded("h", 2)
	b.Summary.Version = "v2"
	if runs := join([]*Run{a, b}); len(runs) != 2 {
		t.Errorf("%d runs, want 2", len(runs))
	}
}

// The depths of several seeds are one distribution.
func TestPooledQueues(t *testing.T) {
	row := func(upper, samples int64) traces.QueueCDFRow {
		return traces.QueueCDFRow{Node: traces.AllPorts, Port: traces.AllPorts, UpperBytes: upper, Samples: samples}
	}
	r := &Run{queues: []traces.QueueCDFRow{row(1000, 5), row(3000, 1), row(9000, 1)}}
	r.others = []*Run{{queues: []traces.QueueCDFRow{row(1000, 1), row(2000, 2), row(5000, 6)}}}
	var got []string
	for _, q := range r.pooledQueues() {
		got = append(got, fmt.Sprint(q.UpperBytes, q.Samples, q.Cumulative))
	}
	if want := []string{"1000 6 0.375", "2000 2 0.5", "3000 1 0.5625", "5000 6 0.9375", "9000 1 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The table and the curve of several seeds hold the means of the seeds' separate values, and every
// flow once.
func TestSeeds(t *testing.T) {
	a, b := seeded("h", 1), seeded("h", 2)
	a.Flows, b.Flows = someFlows(300, 1<<20), someFlows(400, 1<<20)
	queues := func(samples ...int64) (rows []traces.QueueCDFRow) {
		for i, n := range samples {
			rows = append(rows, traces.QueueCDFRow{UpperBytes: int64(i+1) * 1000, Samples: n})
		}
		return rows
	}
	a.queues, b.queues = queues(1, 0, 3), queues(3, 1)
	alone := [][]Class{BySize([]*Run{a}), BySize([]*Run{b})}
	runs := join([]*Run{a, b})
	for i, c := range BySize(runs) {
		x, y := alone[0][i].Rows[0], alone[1][i].Rows[0]
		for p, e := range c.Rows[0].Values {
			if want := NewEstimate([]float64{x.Values[p].Mean, y.Values[p].Mean}); e != want || e.N != 2 {
				t.Errorf("%s, %d: got %v, want %v", c.Label, p, e, want)
			}
		}
		if c.Rows[0].Flows != x.Flows+y.Flows {
			t.Errorf("%s: %d flows", c.Label, c.Rows[0].Flows)
		}
	}
	flows := 0
	for _, g := range groups(runs[0].pooled(), 2) {
		flows += len(g.flows)
		var of [2][]float64
		for _, f := range g.flows {
			of[f.seed] = append(of[f.seed], f.Slowdown)
		}
		slices.Sort(of[0])
		slices.Sort(of[1])
		want := NewEstimate([]float64{slowdown.Percentile(of[0], 50), slowdown.Percentile(of[1], 50)})
		if got := g.estimates(2)[0]; got != want {
			t.Errorf("group to %d: got %v, want %v", g.bytes, got, want)
		}
	}
	if flows != 700 {
		t.Errorf("%d flows are in groups", flows)
	}
	curve := slowdownChart(runs).Series[0]
	if len(curve.Low) != len(curve.X) || curve.Low[0] >= curve.Y[0] || curve.High[0] <= curve.Y[0] {
		t.Errorf("the curve has no intervals: %+v", curve)
	}
	if got := queueChart(runs).Series[0].Y; !slices.Equal(got, []figure.Num{0.5, 0.625, 1}) {
		t.Errorf("queues: got %v", got)
	}
	if last := fctChart(runs).Series[0]; len(last.X) != maxPoints || last.Y[0] != figure.Num(1.0/700) {
		t.Errorf("completion times: %d points, the first at %v", len(last.X), last.Y[0])
	}
}

// A figure that shows only the first of several seeds, as those of flows do, says so; one that shows all does not.
func TestNoteOfSeeds(t *testing.T) {
	first := loadedRun(t, 1)
	runs := []*Run{loadedRun(t, 1)}
	runs[0].others = []*Run{loadedRun(t, 2)}
	noted := 0
	for _, k := range Kinds() {
		one, all := k.Figure([]*Run{first}), k.Figure(runs)
		if one.Empty != "" {
			continue
		}
		alike := reflect.DeepEqual(one.Series, all.Series)
		if told := all.Note == "Of several seeds it shows the first."; told != alike {
			t.Errorf("%s: the seeds' figure is like that of the first: %v; its note is %q", k.Name, alike, all.Note)
		} else if told {
			noted++
		}
	}
	if noted != 4 { // rate, goodput, in-flight, rtt; dcqcn has no window
		t.Errorf("%d figures show the first seed alone", noted)
	}
}

// loadedRun is a sample of a seed.
func loadedRun(t *testing.T, seed uint64) *Run {
	t.Helper()
	runs, err := Load([]string{sample.Seed(t, t.TempDir(), "dcqcn", seed)})
	if err != nil {
		t.Fatal(err)
	}
	return runs[0]
}

// Only keeps the flows of a tag, in all seeds.
func TestOnly(t *testing.T) {
	a, b := seeded("h", 1), seeded("h", 2)
	a.Flows, b.Flows = []Flow{{Tag: "x"}, {Tag: "y"}, {}}, []Flow{{Tag: "y"}, {Tag: "y"}}
	runs := join([]*Run{a, b})
	if err := Only(runs, "z"); err == nil || err.Error() != `no finished flow has the tag "z": the tags are x, y` {
		t.Errorf("got %v", err)
	}
	if err := Only(runs, "y"); err != nil || len(a.Flows) != 1 || len(b.Flows) != 2 {
		t.Errorf("%v: %v and %v are left", err, a.Flows, b.Flows)
	}
	if err := Only([]*Run{a}, "z"); err == nil || err.Error() != `no finished flow has the tag "z": the tags are y` {
		t.Errorf("of one tag: %v", err)
	}
	if err := Only([]*Run{seeded("h", 1)}, "z"); err == nil || err.Error() != `no finished flow has the tag "z": none has a tag` {
		t.Errorf("without flows: %v", err)
	}
}
