package dcqcn

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// congestion is alpha, the estimate of the extent of congestion, and the timer that
// updates it.
type congestion struct {
	alpha    float64
	keep     float64 // 1-g
	gain     float64 // g
	least    float64 // below it alpha counts as 0
	notified bool
	fixed    bool
	clock    ticker
}

// negligible is the fraction of g below which alpha can be taken for 0 without changing any
// result: adding it to g, or half of it to 1, is lost to rounding.
const negligible = 1.0 / (1 << 60)

func newCongestion(p *Params) congestion {
	c := congestion{
		alpha: 1,
		keep:  1 - p.G,
		gain:  p.G,
		least: p.G * negligible,
		fixed: p.Alpha == "fixed10",
		clock: ticker{due: core.Never, every: p.AlphaTimer},
	}
	if c.fixed {
		c.alpha = 1023.0 / 1024
	}
	return c
}

// begin starts the timer at the first notification.
func (a *congestion) begin(now core.Time) { a.clock.start(now, a.clock.every) }

// catchUp makes up for all ticks that come before the instant.
func (a *congestion) catchUp(at core.Instant) {
	for a.clock.fired(at) {
		if a.notified {
			a.alpha = a.rounded(float64(a.keep*a.alpha) + a.gain)
			a.notified = false
			a.clock.tick()
			continue
		}
		ticks := a.clock.before(at)
		a.decay(ticks)
		a.clock.pass(ticks)
	}
}

// decay is so many ticks that find no notification.
func (a *congestion) decay(ticks int64) {
	alpha, keep := a.alpha, a.keep
	for ; ticks > 0 && alpha != 0; ticks-- {
		alpha = float64(keep * alpha)
		if a.fixed || alpha < a.least {
			alpha = a.rounded(alpha)
		}
	}
	a.alpha = alpha
}

// rounded is alpha as the arithmetic keeps it.
func (a *congestion) rounded(alpha float64) float64 {
	if a.fixed {
		alpha = math.Floor(alpha*1024) / 1024
	}
	if alpha < a.least {
		return 0
	}
	return alpha
}
