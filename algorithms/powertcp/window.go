package powertcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// window turns a measured power into a window, for both schemes.
type window struct {
	cwnd   float64 // bytes
	smooth float64

	gamma, beta float64
	floor, bdp  float64 // bytes
	tau         float64 // s
	line        core.Rate
	mtu         core.Bytes
}

func (w *window) start(p *Params, f *algorithms.Flow, c *algorithms.Control) {
	tau := f.BaseRTT.Seconds()
	mtu := max(1, f.MTU)
	bdp := max(float64(mtu), float64(f.Line)*tau/8)
	*w = window{
		cwnd: bdp, smooth: 1,
		gamma: p.Gamma, beta: bdp / p.Flows,
		floor: float64(f.Floor(p.MinRate)) * tau / 8, bdp: bdp,
		tau: tau, line: f.Line, mtu: mtu,
	}
	*c = algorithms.Control{Wake: core.Never}
	w.answer(c)
}

// measure smooths the power of a stretch of dt seconds (PowerTCP).
func (w *window) measure(power, dt float64) {
	dt = min(dt, w.tau)
	w.smooth = (float64(w.smooth*(w.tau-dt)) + float64(power*dt)) / w.tau
}

// update moves the window, which was old when the packet was sent. A power of 0 asks for the whole BDP.
func (w *window) update(old float64) {
	cwnd := float64(w.gamma*(old/w.smooth+w.beta)) + float64((1-w.gamma)*w.cwnd)
	w.cwnd = max(min(cwnd, w.bdp), w.floor)
}

// answer gives window and rate.
func (w *window) answer(c *algorithms.Control) {
	c.Window = max(w.mtu, core.Bytes(w.cwnd))
	c.Rate = max(1, min(w.line, core.RateOf(w.cwnd*8/w.tau)))
	c.Do |= algorithms.Repace
}
