package swift

import (
	"cmp"
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// window is one of the two control loops: the fabric's or the endpoint's.
type window struct {
	p       *Params
	cwnd    float64   // packets
	most    float64   // packets
	reduced core.Time // when it last fell
}

// mayFall reports whether a round trip has passed since the window last fell.
func (w *window) mayFall(now core.Time, rtt core.Duration) bool { return now.Sub(w.reduced) >= rtt }

// delayed digests n packets acknowledged with a delay (Swift: an ACK).
func (w *window) delayed(now core.Time, n float64, delay, target, rtt core.Duration) {
	cwnd := w.cwnd
	switch {
	case delay < target && cwnd >= 1:
		cwnd += w.p.AI * n / cwnd
	case delay < target:
		cwnd += float64(w.p.AI * n)
	case w.mayFall(now, rtt):
		cut := float64(w.p.Beta * float64(delay-target) / float64(delay))
		cwnd *= max(1-cut, 1-w.p.MaxMDF)
	}
	w.set(now, cwnd)
}

// lost digests a loss.
func (w *window) lost(now core.Time, rtt core.Duration) {
	if w.mayFall(now, rtt) {
		w.set(now, w.cwnd*(1-w.p.MaxMDF))
	}
}

func (w *window) set(now core.Time, cwnd float64) {
	cwnd = min(max(cwnd, w.p.MinCwnd), w.most)
	if cwnd < w.cwnd {
		w.reduced = now
	}
	w.cwnd = cwnd
}

// target is the fabric delay aimed at, as a function of the window.
type target struct {
	base  float64 // with hops, ps
	a, b  float64 // ps
	limit float64 // fs_range, ps
}

// leastTarget is the target for paths that are shorter, by default.
const leastTarget = 20 * core.Microsecond

func newTarget(p *Params, f *algorithms.Flow) target {
	base := cmp.Or(p.BaseTarget, max(leastTarget, f.BaseRTT))
	perHop := cmp.Or(float64(p.PerHop), float64(base)/6.55)
	limit := cmp.Or(float64(p.FSRange), 5*float64(base))
	a := limit / (1/math.Sqrt(p.FSMin) - 1/math.Sqrt(p.FSMax))
	return target{
		base:  float64(base) + float64(float64(f.Hops)*perHop),
		a:     a,
		b:     -a / math.Sqrt(p.FSMax),
		limit: limit,
	}
}

// scaling is the part of the target that flow scaling adds, in ps.
func (t *target) scaling(cwnd float64) float64 {
	return min(max(t.a/math.Sqrt(cwnd)+t.b, 0), t.limit)
}

func (t *target) at(cwnd float64) core.Duration {
	return core.Truncate[core.Duration](t.base + t.scaling(cwnd))
}
