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
	return congestion{
		alpha: 1,
		keep:  1 - p.G,
		gain:  p.G,
		least: p.G * negligible,
		fixed: p.Alpha == "fixed10",
		clock: ticker{due: core.Never, every: p.AlphaTimer},
	}
}

// begin starts the timer at the first notification.
func (a *congestion) begin(now core.Time) {
	a.alpha = 1
	if a.fixed {
		a.alpha = 1023.0 / 1024
	}
	a.notified = false
	a.clock.start(now, a.clock.every)
}

// catchUp makes up for all ticks that come before the instant.
func (a *congestion) catchUp(at core.Instant) {
	for a.clock.fired(at) {
		if a.alpha == 0 && !a.notified {
			a.clock.skip(at)
			return
		}
		a.tick()
		a.clock.tick()
	}
}

func (a *congestion) tick() {
	a.alpha = float64(a.keep * a.alpha)
	if a.notified {
		a.alpha += a.gain
		a.notified = false
	}
	if a.fixed {
		a.alpha = math.Floor(a.alpha*1024) / 1024
	}
	if a.alpha < a.least {
		a.alpha = 0
	}
}
