package results

import (
	"fmt"
	"slices"
	"testing"
)

func TestRemarks(t *testing.T) {
	run := func(name string, seed uint64, unfinished int, fct ...float64) *Run {
		r := seeded("hpcc", seed)
		r.Name, r.Summary.Flows.Unfinished, r.Summary.Flows.Total = name, unfinished, unfinished+len(fct)
		for _, v := range fct {
			r.Flows = append(r.Flows, Flow{Bytes: 1, FCT: v, Slowdown: v})
		}
		return r
	}
	group := func(first *Run, others ...*Run) *Run {
		first.others = others
		return first
	}
	equal := "its 3 seeds give equal flows, so nothing in it is random: confidence intervals mean nothing"
	for _, c := range []struct {
		run  *Run
		want []Remark
	}{
		{run("one", 1, 0, 1, 2), nil},
		{run("one", 1, 2, 1, 2), []Remark{{"one", "2 of 4 flows did not finish: percentiles are of the others"}}},
		{run("last", 1, 1, 1, 2), []Remark{{"last", "1 of 3 flows did not finish: percentiles are of the others"}}},
		{group(run("lone", 1, 0, 1), run("lone", 2, 0, 1)), []Remark{{"lone", "its 2 seeds give equal flows, so nothing in it is random: confidence intervals mean nothing"}}},
		{group(run("some", 1, 2, 1), run("some", 2, 0, 1, 2, 3)), []Remark{{"some", "2 of 6 flows did not finish: percentiles are of the others"}}},
		{group(run("same", 1, 0, 1, 2), run("same", 2, 0, 1, 2), run("same", 3, 0, 1, 2)), []Remark{{"same", equal}}},
		{group(run("two", 1, 0, 1, 2), run("two", 2, 0, 1, 2), run("two", 3, 0, 1, 3)), nil},
		{group(run("none", 1, 0), run("none", 2, 0)), nil},
	} {
		if got := Remarks([]*Run{c.run}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.run.Name, got, c.want)
		}
	}
}

// By nearest rank p99 of fewer than 100 flows is the largest, and p95 of fewer than 20: of the seeds of a run, those
// that have flows, the one with fewest counts.
func TestFewFlows(t *testing.T) {
	run := func(name string, seeds ...int) *Run {
		of := func(n int) *Run { return &Run{Name: name, Flows: make([]Flow, n)} }
		r := of(seeds[0])
		for _, n := range seeds[1:] {
			r.others = append(r.others, of(n))
		}
		return r
	}
	var many []*Run
	for i := range 10 {
		many = append(many, run(fmt.Sprint("r", i), 90+i))
	}
	for _, c := range []struct {
		runs []*Run
		want string
	}{
		{[]*Run{run("a", 100), run("b", 0), run("c", 200, 0)}, ""},
		{[]*Run{run("a", 99), run("b", 100)}, "Runs have fewer than 100 flows of a seed, so that their p99 is the largest: a (99)."},
		{[]*Run{run("a", 200, 20, 30), run("b", 0, 50)}, "Runs have fewer than 100 flows of a seed, so that their p99 is the largest: a (20), b (50)."},
		{[]*Run{run("a", 19), run("b", 70, 1)}, "Runs have fewer than 100 flows of a seed, so that their p99 is the largest, below 20 also p95: a (19), b (1)."},
		{many, "Runs have fewer than 100 flows of a seed, so that their p99 is the largest: r0 (90), r1 (91), r2 (92), r3 (93), r4 (94), r5 (95), r6 (96), r7 (97) and 2 more."},
	} {
		if got := FewFlows(c.runs); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		for _, r := range c.runs {
			r.Settings = []Setting{{"load", fmt.Sprint(len(r.Flows))}}
		}
		if f, err := Trend(c.runs, "load"); err != nil || f.Note != c.want {
			t.Errorf("the trend says %q, %v; want %q", f.Note, err, c.want)
		}
	}
}
