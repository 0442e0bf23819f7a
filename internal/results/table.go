package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/internal/slowdown"
)

// Class is a part of a table of slowdowns: a kind of flow, and a row for every run.
type Class struct {
	Label string
	Rows  []Row
}

// Row holds the results of a run's finished flows of a class.
type Row struct {
	Run    *Run
	Flows  int                                 // of all seeds; hosts of a schedule
	Values [len(slowdown.Percentiles)]Estimate // slowdown at each percentile; without flows, from no seeds
	Time   Estimate                            // ns from the first start to the last end, of the seeds in which all such flows finished
}

// BySize lists the ranges of sizes in which a flow of any run finished, and all flows.
func BySize(runs []*Run) []Class {
	buckets := slowdown.Buckets(nil)
	last := len(buckets) - 1 // all flows
	var labels []string
	for _, b := range buckets[:last] {
		labels = append(labels, b.Label())
	}
	table := classes(labels, runs, func(f *Flow) int {
		return slices.IndexFunc(buckets[:last], func(b slowdown.Bucket) bool { return f.Bytes < int64(b.To) })
	})
	table = append(table, ofAll(buckets[last].Label(), runs))
	return slices.DeleteFunc(table, Class.empty)
}

// ByTag lists the tags of flows in alphabetical order; none if all flows have the same.
func ByTag(runs []*Run) []Class {
	tags := tagsOf(runs)
	if len(tags) < 2 {
		return nil
	}
	at := make(map[string]int)
	var labels []string
	for i, tag := range tags {
		at[tag] = i
		labels = append(labels, cmp.Or(tag, "no tag"))
	}
	return classes(labels, runs, func(f *Flow) int {
		if i, ok := at[f.Tag]; ok {
			return i
		}
		return -1 // none with the tag finished
	})
}

// Only keeps the flows with a tag, and no schedule, which is of hosts. The error says that no run has such flows, and which tags there
// are.
func Only(runs []*Run, tag string) error {
	tags := tagsOf(runs)
	if !slices.Contains(tags, tag) {
		known := "none has a tag"
		if named := slices.DeleteFunc(tags, func(t string) bool { return t == "" }); len(named) > 0 {
			const most = 20
			known = "the tags are " + strings.Join(named[:min(len(named), most)], ", ")
			if more := len(named) - most; more > 0 {
				known += fmt.Sprintf(" and %d more", more)
			}
		}
		return fmt.Errorf("no finished flow has the tag %q: %s", tag, known)
	}
	for _, r := range runs {
		for _, s := range r.Seeds() {
			other := func(f Flow) bool { return f.Tag != tag }
			s.Flows, s.missing = slices.DeleteFunc(s.Flows, other), slices.DeleteFunc(s.missing, other)
			s.Summary.Schedule = nil
		}
	}
	return nil
}

// tagsOf lists the tags of the runs' flows in alphabetical order.
func tagsOf(runs []*Run) []string {
	tags := make(map[string]bool)
	for _, r := range runs {
		for _, s := range r.Seeds() {
			for i := range s.Flows {
				tags[s.Flows[i].Tag] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(tags))
}

// classes makes a class for every label, of the flows that belong to it.
func classes(labels []string, runs []*Run, of func(*Flow) int) []Class {
	table := make([]Class, len(labels))
	for _, r := range runs {
		seeds := r.Seeds()
		values := make([][][]float64, len(labels)) // by class and seed
		times := make([][]float64, len(labels))    // by class, of the seeds with such flows
		for i := range values {
			values[i] = make([][]float64, len(seeds))
		}
		for k, s := range seeds {
			spans := make(map[int]span)
			for i := range s.Flows {
				f := &s.Flows[i]
				c := of(f)
				spans[c] = spans[c].with(f, len(values[c][k]) == 0)
				values[c][k] = append(values[c][k], f.Slowdown)
			}
			for i := range s.missing {
				delete(spans, of(&s.missing[i]))
			}
			for c, t := range spans {
				times[c] = append(times[c], t.to-t.from)
			}
		}
		for c := range table {
			row := Row{Run: r, Values: percentiles(values[c]), Time: NewEstimate(times[c])}
			for _, v := range values[c] {
				row.Flows += len(v)
			}
			table[c].Label, table[c].Rows = labels[c], append(table[c].Rows, row)
		}
	}
	return table
}

// ofAll makes the class of all flows.
func ofAll(label string, runs []*Run) Class {
	return classes([]string{label}, runs, func(*Flow) int { return 0 })[0]
}

// allFlows holds the results of all flows of a run.
func (r *Run) allFlows() *Row { return &ofAll("", []*Run{r}).Rows[0] }

// span is the time from the first start to the last end of flows, ns.
type span struct{ from, to float64 }

func (s span) with(f *Flow, first bool) span {
	if first {
		return span{f.Start, f.Start + f.FCT}
	}
	return span{min(s.from, f.Start), max(s.to, f.Start+f.FCT)}
}

// empty reports whether no run has flows of the class.
func (c Class) empty() bool {
	return !slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Flows > 0 })
}
