package algorithms

import "github.com/qbb-sim/qbb/core"

// Floor returns the lowest rate that a sender may choose: the greater of the scheme's own
// floor and the host's; 1 % of the line where neither has one; never above the line.
func (f *Flow) Floor(own core.Rate) core.Rate {
	floor := max(own, f.MinRate)
	if floor == 0 {
		floor = f.Line / 100
	}
	return max(1, min(floor, f.Line))
}

// CutFloor is the lowest rate after a cut of a scheme that the reference simulator has too: Floor, but in
// NS-3's arithmetic a floor above the line stays, as there, and a cut then leads to it.
func (f *Flow) CutFloor(own core.Rate) core.Rate {
	if f.Timing == core.Exact {
		return f.Floor(own)
	}
	return max(f.Floor(own), own, f.MinRate)
}

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
