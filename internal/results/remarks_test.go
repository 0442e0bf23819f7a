package results

import (
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
