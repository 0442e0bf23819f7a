package hpcc

import "github.com/qbb-sim/qbb/core"

// meter turns two records of a hop into its utilisation.
type meter struct {
	format core.INTFormat
	line   float64 // of the sender's NIC, bit/s
	window float64 // of the line rate, bytes; 0: the reference divides by it anyway
	by0    bool    // it also divides by a time of 0, as between records 2^24 ns apart
}

// read returns the utilisation u of a hop since its old record and the time tau, in ns,
// over which it was measured, and replaces the old record (HPCC, algorithm 1), but by none that is older.
// The order of the operations is part of the result.
func (m *meter) read(h, old *core.Hop) (u, tau float64) {
	if tau = m.format.Elapsed(h, old).Nanos(); tau < 0 {
		return 0, 0
	}
	sent := float64(m.format.TxBytes(h, old))
	queue := m.format.QueueBytes(h)
	queue = min(queue, m.format.QueueBytes(old))
	*old = *h
	if tau == 0 && !m.by0 {
		return 0, 0
	}
	hopLine := float64(h.Line)
	u = sent * 8 / (tau * 1e-9) / hopLine
	if queue > 0 || m.window == 0 {
		u += float64(queue) * m.line / hopLine / m.window
	}
	return u, tau
}

// busiest reads the hops of an ACK and returns the highest utilisation, with the time over which that was measured.
// With skipIdle it leaves out hops without a queue; ok is false if these are all.
func (m *meter) busiest(hops, old []core.Hop, skipIdle bool) (u, tau float64, ok bool) {
	for i := range hops {
		if skipIdle && hops[i].Queue == 0 {
			continue
		}
		ok = true
		if hu, ht := m.read(&hops[i], &old[i]); hu > u {
			u, tau = hu, ht
		}
	}
	return u, tau, ok
}

// smoothed returns a mean utilisation, of a base round trip, after a utilisation u that was measured over the last tau,
// both times in ns (HPCC, algorithm 1).
func smoothed(mean, u, tau, baseRTT float64) float64 {
	tau = min(tau, baseRTT)
	return (float64(mean*(baseRTT-tau)) + float64(u*tau)) / baseRTT
}

// loop is the state of one control loop: the path's, or with MultiRate one hop's.
type loop struct {
	u     float64   // smoothed utilisation
	rate  core.Rate // reference rate Rc
	stage int       // additive steps since the last multiplicative one
}

// law is the reaction to a measured utilisation, with all parameters resolved.
type law struct {
	target  float64
	baseRTT float64 // ns
	ai      core.Rate
	floor   core.Rate
	line    core.Rate
	thresh  int
	wraps   bool // a quotient beyond 64 bits is 0, as in the reference
}

// over returns rate/k, at most the line rate: more is a link with next to nothing to send.
func (w *law) over(rate core.Rate, k float64) core.Rate {
	if w.wraps {
		return min(rate.Over(k), w.line)
	}
	return min(core.Truncate[core.Rate](float64(rate)/k), w.line)
}

// next returns the rate after a utilisation u measured over tau ns (HPCC, algorithm 1);
// only a full update moves the reference rate.
func (w *law) next(l *loop, u, tau float64, full bool) core.Rate {
	l.u = smoothed(l.u, u, tau, w.baseRTT)
	k := l.u / w.target
	rate, stage := l.rate+w.ai, l.stage+1
	if k >= 1 || l.stage >= w.thresh {
		rate, stage = w.over(l.rate, k)+w.ai, 0
	}
	rate = min(max(rate, w.floor), w.line)
	if full {
		l.rate, l.stage = rate, stage
	}
	return rate
}
