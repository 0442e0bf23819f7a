package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/internal/slowdown"
)

// Class is a part of a table of slowdowns: a kind of flow, and a row for every run.
type Class struct {
	Label string
	Rows  []Row
}

// Row holds what a run's finished flows of a class took.
type Row struct {
	Run    *Run
	Flows  int                                 // of all seeds
	Values [len(slowdown.Percentiles)]Estimate // slowdown at each percentile; without flows, of no seeds
}

// BySize lists the ranges of sizes in which a flow of any run finished, and all flows.
func BySize(runs []*Run) []Class {
	var table []Class
	for _, b := range slowdown.Buckets(nil) {
		c := class(b.Label(), runs, func(f *Flow) bool { return int64(b.From) <= f.Bytes && f.Bytes < int64(b.To) })
		if c.flows() > 0 {
			table = append(table, c)
		}
	}
	return table
}

// ByTag lists the tags of flows, in order of the alphabet; none if all flows have the same.
func ByTag(runs []*Run) []Class {
	tags := tagsOf(runs)
	if len(tags) < 2 {
		return nil
	}
	var table []Class
	for _, tag := range tags {
		table = append(table, class(cmp.Or(tag, "no tag"), runs, func(f *Flow) bool { return f.Tag == tag }))
	}
	return table
}

// Only leaves the flows with a tag. The error says that no run has such flows, and which there are.
func Only(runs []*Run, tag string) error {
	tags := tagsOf(runs)
	if !slices.Contains(tags, tag) {
		known := "none has a tag"
		if named := slices.DeleteFunc(tags, func(t string) bool { return t == "" }); len(named) > 0 {
			known = "the tags are " + strings.Join(named, ", ")
		}
		return fmt.Errorf("no finished flow has the tag %q: %s", tag, known)
	}
	for _, r := range runs {
		for _, s := range r.Seeds() {
			s.Flows = slices.DeleteFunc(s.Flows, func(f Flow) bool { return f.Tag != tag })
		}
	}
	return nil
}

// tagsOf lists the tags of the runs' flows in order of the alphabet.
func tagsOf(runs []*Run) []string {
	known := make(map[string]bool)
	var tags []string
	for _, r := range runs {
		for _, s := range r.Seeds() {
			for i := range s.Flows {
				if tag := s.Flows[i].Tag; !known[tag] {
					known[tag] = true
					tags = append(tags, tag)
				}
			}
		}
	}
	slices.Sort(tags)
	return tags
}

// class makes the rows of the flows that belong to it.
func class(label string, runs []*Run, belongs func(*Flow) bool) Class {
	c := Class{Label: label}
	for _, r := range runs {
		row := Row{Run: r}
		seeds := make([][]float64, 0, 1)
		for _, s := range r.Seeds() {
			var values []float64
			for i := range s.Flows {
				if f := &s.Flows[i]; belongs(f) {
					values = append(values, f.Slowdown)
				}
			}
			row.Flows += len(values)
			seeds = append(seeds, values)
		}
		row.Values = percentiles(seeds)
		c.Rows = append(c.Rows, row)
	}
	return c
}

// flows is the number of all flows of the class.
func (c *Class) flows() int {
	n := 0
	for i := range c.Rows {
		n += c.Rows[i].Flows
	}
	return n
}
