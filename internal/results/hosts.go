package results

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/traces/tables"
)

// What hosts do for a schedule, at the same time or not.
const (
	computing = iota
	sending
	doings
)

// activity is which share of the hosts of a schedule computed, and sent, over time.
type activity struct {
	tag    string
	hosts  int
	shares [doings]track // of activityParts equal parts of the time until scheduleEnd
}

// activityParts leaves a point of a curve for the end of the last part.
const activityParts = maxPoints - 1

// operation has the columns of schedule.parquet of which an activity is made.
type operation struct {
	Host    core.NodeID `parquet:"host"`
	Tag     string      `parquet:"tag"`
	Kind    string      `parquet:"kind"`
	FlowID  int64       `parquet:"flow_id"`
	BeginNs float64     `parquet:"begin_ns"`
	EndNs   float64     `parquet:"end_ns"`
}

// stretch is a time, in ns.
type stretch struct{ begin, end float64 }

// loadActivities reads the table only if the run had a schedule: one in the folder may be older. It keeps the operations of
// one host, whose rows are together, though not in the order of time.
func (r *Run) loadActivities(path string) error {
	if r.Summary.Schedule == nil {
		return nil
	}
	all := r.newActivities()
	host, of := core.NodeID(-1), all[0]
	var did [doings][]stretch
	err := tables.Scan(path, func(rows []operation) {
		for i := range rows {
			o := &rows[i]
			if o.Host != host {
				of.add(&did)
				host, of = o.Host, activityOf(all, o.Tag)
			}
			end := o.EndNs
			if end < 0 {
				end = r.Summary.EndNs
			}
			switch {
			case o.BeginNs < 0:
			case o.Kind == "calc":
				did[computing] = append(did[computing], stretch{o.BeginNs, end})
			case o.Kind == "send" && o.FlowID >= 0: // others are to the host itself
				did[sending] = append(did[sending], stretch{o.BeginNs, end})
			}
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the file was removed: the report does without it
	}
	of.add(&did)
	r.hosts = all
	return err
}

// newActivities returns an activity of every schedule, in which no host does anything yet.
func (r *Run) newActivities() (all []*activity) {
	schedules := r.Summary.Schedules
	if len(schedules) == 0 {
		schedules = []driver.ScheduleTotals{*r.Summary.Schedule}
	}
	width := r.scheduleEnd() / activityParts
	for i := range schedules {
		a := &activity{tag: schedules[i].Tag, hosts: schedules[i].Hosts}
		for what := range a.shares {
			for k := range activityParts {
				a.shares[what].points = append(a.shares[what].points, seriesPoint{at: float64(width * float64(k)), span: width})
			}
		}
		all = append(all, a)
	}
	return all
}

// activityOf returns the activity of a tag. The summary does not name a schedule that is the only one.
func activityOf(all []*activity, tag string) *activity {
	if len(all) == 1 {
		all[0].tag = tag
	}
	if i := slices.IndexFunc(all, func(a *activity) bool { return a.tag == tag }); i >= 0 {
		return all[i]
	}
	return &activity{} // the summary of another run
}

// scheduleEnd is when all schedules were done, or the run ended, in ns.
func (r *Run) scheduleEnd() float64 {
	if ns, done := r.ScheduleDone(); done {
		return ns
	}
	return r.Summary.EndNs
}

// add adds what a host did, and forgets it.
func (a *activity) add(did *[doings][]stretch) {
	for what, list := range did {
		for _, one := range merged(list) {
			a.shares[what].add(one, 1/float64(a.hosts))
		}
		did[what] = list[:0]
	}
}

// merged sorts stretches of time and joins those that touch.
func merged(list []stretch) []stretch {
	slices.SortFunc(list, func(a, b stretch) int { return cmp.Compare(a.begin, b.begin) })
	n := 0
	for _, next := range list {
		if n > 0 && next.begin <= list[n-1].end {
			list[n-1].end = max(list[n-1].end, next.end)
			continue
		}
		list[n] = next
		n++
	}
	return list[:n]
}

// add adds a value, which holds for some time, to the means.
func (t *track) add(during stretch, value float64) {
	ended := func(p seriesPoint, at float64) int { return cmp.Compare(p.at+p.span, at) }
	first, _ := slices.BinarySearchFunc(t.points, during.begin, ended)
	for k := first; k < len(t.points) && t.points[k].at < during.end; k++ {
		p := &t.points[k]
		if shared := min(during.end, p.at+p.span) - max(during.begin, p.at); shared > 0 {
			p.mean += float64(value * shared / p.span)
		}
	}
}
