package results

import (
	"slices"

	"github.com/qbb-sim/qbb/internal/driver"
)

// ScheduleDone returns when the last host had done its part of the run's schedules, in ns; not if there are none, or if one
// was not done.
func (r *Run) ScheduleDone() (ns float64, ok bool) {
	return r.ofSchedule(func(s *driver.ScheduleTotals) float64 { return s.DoneNs })
}

// Computing returns in the same way for how long a host computed, a mean over hosts.
func (r *Run) Computing() (ns float64, ok bool) {
	return r.ofSchedule(func(s *driver.ScheduleTotals) float64 { return s.ComputingNs })
}

// Exposed returns in the same way for how long a host did not compute until it was done, a mean over hosts.
func (r *Run) Exposed() (ns float64, ok bool) {
	return r.ofSchedule(func(s *driver.ScheduleTotals) float64 { return s.ExposedNs })
}

func (r *Run) ofSchedule(value func(s *driver.ScheduleTotals) float64) (ns float64, ok bool) {
	s := r.Summary.Schedule
	if s == nil || s.Done < s.Hosts {
		return 0, false
	}
	return value(s), true
}

// HaveSchedule reports whether some run has a schedule.
func HaveSchedule(runs []*Run) bool {
	return slices.ContainsFunc(runs, func(r *Run) bool { return r.Summary.Schedule != nil })
}

// scheduled estimates a value of the schedule, and counts the hosts that did their part, from the seeds in which all did.
func (r *Run) scheduled(value func(r *Run) (ns float64, ok bool)) (e Estimate, hosts int) {
	var times []float64
	for _, s := range r.Seeds() {
		if ns, ok := value(s); ok {
			times, hosts = append(times, ns), hosts+s.Summary.Schedule.Hosts
		}
	}
	return NewEstimate(times), hosts
}

// BySchedule has one class, in which a row has no slowdown, but the number of hosts that did a schedule and the time when
// the last had; none if no run has a schedule.
func BySchedule(runs []*Run) []Class {
	if !HaveSchedule(runs) {
		return nil
	}
	class := Class{Label: "schedule"}
	for _, r := range runs {
		row := Row{Run: r}
		row.Time, row.Flows = r.scheduled((*Run).ScheduleDone)
		class.Rows = append(class.Rows, row)
	}
	return []Class{class}
}
