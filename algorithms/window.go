package algorithms

import "github.com/qbb-sim/qbb/core"

// RateWindow gives a rate-based scheme the window that goes with its rate: W = Rate*BaseRTT,
// at least one MTU. Switched off it leaves the window to the host.
type RateWindow struct {
	baseRTT float64 // ps; 0: off
	mtu     core.Bytes
}

// Start returns the window of the rate f.Line, or core.Unlimited if on is false.
func (w *RateWindow) Start(f *Flow, on bool) core.Bytes {
	*w = RateWindow{mtu: max(1, f.MTU)}
	if !on {
		return core.Unlimited
	}
	w.baseRTT = float64(f.BaseRTT)
	return w.at(f.Line)
}

// Set changes the rate of c, and the window with it.
func (w *RateWindow) Set(c *Control, r core.Rate) {
	c.Rate = r
	if w.baseRTT > 0 {
		c.Window = w.at(r)
	}
}

func (w *RateWindow) at(r core.Rate) core.Bytes {
	const bitsPerByteSecond = 8 * float64(core.Second)
	return max(w.mtu, core.Truncate[core.Bytes](float64(r)*w.baseRTT/bitsPerByteSecond))
}
