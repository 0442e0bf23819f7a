package nic

import "github.com/qbb-sim/qbb/core"

// Gauge returns what a port shows at a time not before the last event. What flows have to send is
// no queue.
func (h *Host) Gauge(at int, now core.Time) core.Gauge {
	o := &h.ports[at]
	return core.Gauge{TxBytes: o.count.TxBytes, PausedFor: o.pauses.Total(now)}
}

// FlowGauge is what a flow shows at an instant, for time series.
type FlowGauge struct {
	Acked    int64 // bytes acknowledged
	InFlight int64 // bytes sent and not acknowledged
	Rate     core.Rate
	Window   core.Bytes // 0: none
	RTT      core.Duration
}

// Unsent returns a time within which a queue pair cannot send for the first time all that it has not
// sent yet; 0 if it may be given up before.
func (h *Host) Unsent(qp int32) core.Duration {
	s := h.tx[qp]
	least := h.cfg.Timing.TxTime(core.Bytes(s.size-s.top), h.ports[s.port].rate)
	switch {
	case h.cfg.Retries == 0 || s.flow.RTO == 0:
		return least
	case s.stalls > 0:
		return 0
	case h.cfg.RTOLow > 0: // one time-out may come at once, the second only after
		return min(least, s.flow.RTO, h.cfg.RTOLow)
	}
	return min(least, s.flow.RTO)
}

// FlowGauge returns what a queue pair shows: rate and window as its scheme last set them, the round
// trip of its last acknowledgement.
func (h *Host) FlowGauge(qp int32) FlowGauge {
	s := h.tx[qp]
	g := FlowGauge{Acked: s.una, InFlight: max(0, s.sentTo()-s.una), Rate: s.control.Rate, RTT: s.rtt}
	switch {
	case s.control.Window != core.Unlimited:
		g.Window = s.control.Window
	case s.window != 0 && s.scale:
		g.Window = s.scaledWindow(h.cfg.Timing)
	default:
		g.Window = s.window
	}
	return g
}
