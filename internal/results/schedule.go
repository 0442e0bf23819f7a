package results

import "slices"

// ScheduleDone returns when the last host had done its part of the run's schedule, in ns; not if there is none, or if it
// was not done.
func (r *Run) ScheduleDone() (ns float64, ok bool) {
	s := r.Summary.Schedule
	if s == nil || s.Done < s.Hosts {
		return 0, false
	}
	return s.DoneNs, true
}

// HaveSchedule reports whether some run has a schedule.
func HaveSchedule(runs []*Run) bool {
	return slices.ContainsFunc(runs, func(r *Run) bool { return r.Summary.Schedule != nil })
}

// scheduled estimates when a run's schedule was done, and counts the hosts that did their part, from the seeds in which
// all did.
func (r *Run) scheduled() (e Estimate, hosts int) {
	var times []float64
	for _, s := range r.Seeds() {
		if ns, ok := s.ScheduleDone(); ok {
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
		row.Time, row.Flows = r.scheduled()
		class.Rows = append(class.Rows, row)
	}
	return []Class{class}
}
