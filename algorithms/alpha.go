package algorithms

import "github.com/qbb-sim/qbb/core"

// Alpha is the estimate of the extent of congestion of the DCQCN family: an average of 1 for
// every notification and 0 for every timer that runs out without one. The decays by the
// timer show only where Value is used, and are made up for there.
type Alpha struct {
	Value float64
	gain  float64 // g
	every core.Duration
	due   core.Time // of the next decay; core.Never before the first notification
	armed core.Time
}

// NewAlpha returns an estimate of gain g whose timer stands still.
func NewAlpha(value, g float64) Alpha {
	return Alpha{Value: value, gain: g, due: core.Never, armed: core.Never}
}

// negligible is the fraction of the gain below which alpha can be taken for 0 without
// changing any result: adding it to the gain, or half of it to 1, is lost to rounding.
const negligible = 1.0 / (1 << 60)

// Decay makes up for the decays that come before the instant (DCQCN, SIGCOMM 2015,
// equation 2).
func (a *Alpha) Decay(at core.Instant) {
	for at.Fired(a.due, a.armed) && a.Value > 0 {
		a.Value = float64((1 - a.gain) * a.Value)
		a.armed, a.due = a.due, a.due.Add(a.every)
		if a.Value < a.gain*negligible {
			a.Value = 0
		}
	}
}

// Raise takes account of a notification (DCQCN, SIGCOMM 2015, equation 1).
func (a *Alpha) Raise() { a.Value = min(1, float64((1-a.gain)*a.Value)+a.gain) }

// Restart starts the timer, which has run up to now, with a period.
func (a *Alpha) Restart(now core.Time, every core.Duration) {
	a.every, a.armed, a.due = every, now, now.Add(every)
}
