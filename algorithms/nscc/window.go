package nscc

import "github.com/qbb-sim/qbb/core"

// window is what NSCC measures, and how it grows and shrinks the window by that.
type window struct {
	rules
	cwnd     float64       // bytes
	most     float64       // max_wnd, bytes
	baseRTT  core.Duration // the least measured
	avgDelay float64       // ps

	received float64 // bytes since the last adjustment
	inc      float64 // increases since then, times the window
	adjusted core.Time
	idle     float64 // fi_count: bytes that have met no queue, in a row
	fast     bool    // fast increase is under way
	cut      core.Time
}

func (w *window) bytes() core.Bytes { return core.Bytes(w.cwnd) }

// measure digests a round trip, and returns the queueing delay in it.
func (w *window) measure(rtt core.Duration) core.Duration {
	if rtt < w.baseRTT {
		w.baseRTT = rtt
		w.most = max(w.mtu, w.mostEver*(float64(rtt)/float64(w.base)))
	}
	delay := rtt - w.baseRTT
	w.average(delay)
	return delay
}

// average digests the queueing delay of a packet. The mean is over about the packets of one base round trip, which are
// the smaller part of a window the longer they have waited.
func (w *window) average(delay core.Duration) {
	trips := 1 + float64(delay)/float64(max(1, w.baseRTT))
	w.avgDelay += float64((float64(delay) - w.avgDelay) * min(1, trips*w.mtu/w.cwnd))
}

// react are the four cases, for n bytes that have arrived. A mark without delay changes nothing: it is for the
// choice of paths.
func (w *window) react(now core.Time, n float64, delay core.Duration, marked bool) {
	switch late := delay >= w.target; {
	case !marked && late:
		w.inc += float64(w.fi * n)
	case !marked:
		w.increase(n, delay)
	case late:
		w.decrease(now)
	}
}

// increase is proportional_increase and fast_increase.
func (w *window) increase(n float64, delay core.Duration) {
	if delay >= w.zero {
		w.idle, w.fast = 0, false
	} else {
		w.idle += n
		w.fast = w.fast || w.idle > w.cwnd
	}
	if w.fast {
		w.cwnd = min(w.cwnd+float64(n*w.fiScale), w.most)
		return
	}
	w.inc += float64(w.alpha * n * (w.target - delay).Seconds())
}

// decrease is multiplicative_decrease.
func (w *window) decrease(now core.Time) {
	w.idle, w.fast = 0, false
	target := float64(w.target)
	if w.avgDelay <= target || now.Sub(w.cut) <= w.baseRTT {
		return
	}
	excess := (w.avgDelay - target) / w.avgDelay
	w.cwnd = max(w.cwnd*max(1-float64(w.Gamma*excess), w.MaxMDJump), w.mtu)
	w.cut = now
}

// lose takes lost bytes off.
func (w *window) lose(n float64) { w.cwnd = max(w.cwnd-n, w.mtu) }

// adjust applies the increases of the time since the last adjustment, if it is time (fulfill_adjustment).
func (w *window) adjust(now core.Time) {
	due := now.Sub(w.adjusted) >= w.period
	if !due && w.received <= w.batch {
		return
	}
	w.cwnd += w.inc / w.cwnd
	if due {
		w.adjusted = now
		w.cwnd += w.eta
	}
	w.cwnd = min(w.cwnd, w.most)
	w.restart()
}

// restart forgets what has been gathered for the next adjustment.
func (w *window) restart() { w.inc, w.received = 0, 0 }
