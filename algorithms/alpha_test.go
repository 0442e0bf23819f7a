package algorithms

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Alpha that makes up for missed decays is, to the bit, alpha with a timer that ticks.
func TestAlphaTwin(t *testing.T) {
	const gain, every = 1.0 / 256, 55 * core.Microsecond
	r := rand.New(rand.NewPCG(1, 1))
	a, twin := NewAlpha(1, gain), 1.0
	now, tick := core.Time(0), core.Never
	for i := range 5000 {
		now = now.Add(core.Duration(r.IntN(1000)) * core.Microsecond)
		if i%500 == 499 {
			now = now.Add(core.Second) // until nothing of alpha is left
		}
		for ; tick <= now; tick = tick.Add(every) {
			twin = float64((1 - gain) * twin)
		}
		a.Decay(core.Instant{Now: now, Born: core.Never})
		if d := a.Value - twin; d > gain*negligible || d < -gain*negligible {
			t.Fatalf("at %v: alpha %v, ticking %v", now, a.Value, twin)
		}
		a.Raise()
		twin = float64((1-gain)*twin) + gain
		if a.Value != twin {
			t.Fatalf("at %v: alpha %v after a notification, ticking %v", now, a.Value, twin)
		}
		a.Restart(now, every)
		tick = now.Add(every)
	}
}
