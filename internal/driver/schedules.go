package driver

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// ScheduleTotals say how far a schedule has come.
type ScheduleTotals struct {
	Tag    string  `json:"tag,omitempty" doc:"of its flows, if it is one of several"`
	Hosts  int     `json:"hosts" doc:"those that have a part in it"`
	Done   int     `json:"done" doc:"those that have done all of theirs"`
	DoneNs float64 `json:"done_ns" unit:"ns" doc:"when the last of these was done; messages and computing"`

	ComputingNs float64 `json:"computing_ns" unit:"ns" doc:"for how long a host computed, on any number of cpus; mean over hosts"`
	ExposedNs   float64 `json:"exposed_ns" unit:"ns" doc:"for how long a host did not, from the start of the schedule until it was done, or the run ended: communication that no computing hides, and waiting for others; mean over hosts"`
}

// scheduleSum sums up what hosts have done.
type scheduleSum struct {
	ScheduleTotals
	computing, exposed float64 // ps, of all hosts
}

// add counts a host, of which a run has come to a time.
func (s *scheduleSum) add(p sim.Program, now core.Time) {
	s.Hosts++
	if at, done := p.Done(); done {
		s.Done++
		s.DoneNs = max(s.DoneNs, traces.Nanos(at))
	}
	computing, exposed := p.Spent(now)
	s.computing += float64(computing)
	s.exposed += float64(exposed)
}

func (s *scheduleSum) totals() ScheduleTotals {
	t, hosts := s.ScheduleTotals, float64(s.Hosts)*float64(core.Nanosecond)
	t.ComputingNs, t.ExposedNs = s.computing/hosts, s.exposed/hosts
	return t
}

// addSchedules sums up the schedules, if there are any: all of them, and each of several.
func (sum *Summary) addSchedules(n *sim.Network) {
	var all scheduleSum
	var each []scheduleSum
	for _, p := range n.Setup.Programs {
		if p == nil {
			continue
		}
		number, tag := scenario.ScheduleOf(p)
		for len(each) <= number {
			each = append(each, scheduleSum{})
		}
		each[number].Tag = tag
		each[number].add(p, n.Now())
		all.add(p, n.Now())
	}
	if all.Hosts > 0 {
		t := all.totals()
		sum.Schedule = &t
	}
	for i := range each {
		if len(each) > 1 {
			sum.Schedules = append(sum.Schedules, each[i].totals())
		}
	}
}
