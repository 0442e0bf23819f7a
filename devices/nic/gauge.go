package nic

import "github.com/qbb-sim/qbb/core"

// Gauge returns what a port shows at a time not before the last event. What flows have to send is
// no queue.
func (h *Host) Gauge(at int, now core.Time) core.Gauge {
	o := &h.ports[at]
	return core.Gauge{TxBytes: o.count.TxBytes, PausedFor: o.pauses.Total(now), Waited: o.waitedBy(now)}
}

// FlowGauge is what a flow shows at an instant, for time series.
type FlowGauge struct {
	Acked    int64 // bytes acknowledged
	InFlight int64 // bytes sent and not acknowledged
	Rate     core.Rate
	Window   core.Bytes // 0: none
	RTT      core.Duration
}

// FlowGauge returns what a queue pair shows: the rate as its scheme last set it, the lesser of the scheme's window and
// the host's, the round trip of its last acknowledgement.
func (h *Host) FlowGauge(qp int32) FlowGauge {
	s := h.tx[qp].upToDate()
	g := FlowGauge{Acked: s.una, InFlight: max(0, s.sentTo()-s.una), Rate: s.control.Rate, RTT: s.rtt}
	if w := s.limit(h.cfg.Timing); w != core.Unlimited {
		g.Window = w
	}
	return g
}
