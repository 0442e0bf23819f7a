package dcqcn

import "github.com/qbb-sim/qbb/core"

// ticker is a timer that arms itself again whenever it fires.
type ticker struct {
	due   core.Time // of the next tick; core.Never while it stands still
	armed core.Time // when that tick was armed
	every core.Duration
}

func (t *ticker) start(now core.Time, delay core.Duration) {
	t.due, t.armed = now.Add(delay), now
}

// tick moves to the tick after the one that is due.
func (t *ticker) tick() { t.due, t.armed = t.due.Add(t.every), t.due }

// fired reports whether a tick comes before the instant.
func (t *ticker) fired(at core.Instant) bool { return at.Fired(t.due, t.armed) }

// before returns the number of ticks that come before the instant.
func (t *ticker) before(at core.Instant) int64 {
	n := int64(0)
	if t.due < at.Now {
		n = int64((at.Now.Sub(t.due) - 1) / t.every)
	}
	later := *t
	for later.pass(n); later.fired(at); n++ {
		later.tick()
	}
	return n
}

// pass moves on by so many ticks.
func (t *ticker) pass(ticks int64) {
	if ticks > 0 {
		t.due = t.due.Add(core.Duration(ticks) * t.every)
		t.armed = t.due.Add(-t.every)
	}
}

// skip passes all ticks that come before the instant.
func (t *ticker) skip(at core.Instant) { t.pass(t.before(at)) }
