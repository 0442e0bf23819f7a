package algorithms

import "github.com/qbb-sim/qbb/core"

// MaxTimers is the number of timers a machine may have.
const MaxTimers = 4

// Timers are the timers of one machine: a fixed array, no heap, no closure. The zero value
// has all timers due at time 0; call Reset first.
type Timers struct {
	due   [MaxTimers]core.Time
	armed [MaxTimers]core.Time
}

// Reset disarms all timers.
func (t *Timers) Reset() {
	for i := range t.due {
		t.due[i], t.armed[i] = core.Never, core.Never
	}
}

// Arm sets timer i to fire at due; now is when that was decided.
func (t *Timers) Arm(i int, now, due core.Time) { t.due[i], t.armed[i] = due, now }

// Disarm stops timer i.
func (t *Timers) Disarm(i int) { t.due[i] = core.Never }

// Armed reports whether timer i is running.
func (t *Timers) Armed(i int) bool { return t.due[i] != core.Never }

// Next returns the earliest deadline.
func (t *Timers) Next() core.Time {
	first := t.due[0]
	for _, d := range t.due[1:] {
		first = min(first, d)
	}
	return first
}

// Pop returns the next timer that fires before the instant, and when it was due,
// and disarms it; ok is false when there is none. Timers due together fire in the order in
// which they were armed, then by index. Call it in a loop: a timer that fires may arm others.
func (t *Timers) Pop(now core.Instant) (i int, at core.Time, ok bool) {
	for k := range t.due {
		if t.due[k] < t.due[i] || t.due[k] == t.due[i] && t.armed[k] < t.armed[i] {
			i = k
		}
	}
	at = t.due[i]
	if at == core.Never || !now.Fired(at, t.armed[i]) {
		return i, at, false
	}
	t.due[i] = core.Never
	return i, at, true
}
