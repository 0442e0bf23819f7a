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

// skip passes all ticks that come before the instant.
func (t *ticker) skip(at core.Instant) {
	if t.due < at.Now {
		if n := (at.Now.Sub(t.due) - 1) / t.every; n > 0 {
			t.due = t.due.Add(n * t.every)
			t.armed = t.due.Add(-t.every)
		}
	}
	for t.fired(at) {
		t.tick()
	}
}
