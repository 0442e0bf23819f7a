package dcqcnpaper

import "github.com/qbb-sim/qbb/core"

// congestion is alpha, the estimate of the extent of congestion. It decays whenever its
// timer runs out; that shows only at the next notification, so it is made up for then.
type congestion struct {
	alpha float64
	g     float64
	every core.Duration
	due   core.Time // of the next decay; core.Never before the first notification
	armed core.Time
}

// negligible is the fraction of g below which alpha can be taken for 0 without changing any
// result: adding it to g, or half of it to 1, is lost to rounding.
const negligible = 1.0 / (1 << 60)

// decay makes up for the decays that come before the instant (SIGCOMM 2015, equation 2).
func (a *congestion) decay(at core.Instant) {
	for at.Fired(a.due, a.armed) && a.alpha > 0 {
		a.alpha = float64((1 - a.g) * a.alpha)
		a.armed, a.due = a.due, a.due.Add(a.every)
		if a.alpha < a.g*negligible {
			a.alpha = 0
		}
	}
}

// raise takes account of a notification (SIGCOMM 2015, equation 1).
func (a *congestion) raise() { a.alpha = float64((1-a.g)*a.alpha) + a.g }

func (a *congestion) restart(now core.Time) { a.armed, a.due = now, now.Add(a.every) }
