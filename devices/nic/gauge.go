package nic

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

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

// MinDrainTime returns a time within which a queue pair cannot send for the first time all that it has not
// sent yet, and one within which it cannot be given up.
func (h *Host) MinDrainTime(qp int32) (unsent, patience core.Duration) {
	s := h.tx[qp]
	return h.cfg.Timing.TxTime(core.Bytes(s.size-s.top), h.ports[s.port].rate), h.keptFor(s)
}

// keptFor is a time within which a queue pair cannot be given up.
func (h *Host) keptFor(s *sender) core.Duration {
	if (s.stalls > 0 || s.highest > 0) && h.cfg.Retries > 0 {
		return 0
	}
	return h.cfg.Patience(s.timeout)
}

// MinDrainTimeOfAll returns a time within which some port cannot send all that its queue pairs have not sent yet, and
// none of these can be given up; the longest of all ports. It also returns how many pairs it looked at.
func (h *Host) MinDrainTimeOfAll() (lasts core.Duration, looks int) {
	for i := range h.ports {
		o := &h.ports[i]
		unsent, patience := int64(0), core.Duration(math.MaxInt64)
		for _, s := range o.list {
			if s == nil || s.done || s.top >= s.size {
				continue
			}
			if p := h.keptFor(s); p > 0 {
				unsent, patience = unsent+s.size-s.top, min(patience, p)
			}
		}
		lasts = max(lasts, min(patience, h.cfg.Timing.TxTime(core.Bytes(unsent), o.rate)))
		looks += len(o.list)
	}
	return lasts, looks
}

// Patience is a time within which no flow with such a time-out is given up after its start or any progress.
func (c *Config) Patience(rto core.Duration) core.Duration {
	switch {
	case c.Retries == 0 || rto == 0:
		return math.MaxInt64
	case c.RTOLow > 0: // one time-out may come at once, the second only after
		return min(rto, c.RTOLow)
	}
	return rto
}

// FlowGauge returns what a queue pair shows: the rate as its scheme last set it, the lesser of the scheme's window and
// the host's, the round trip of its last acknowledgement.
func (h *Host) FlowGauge(qp int32) FlowGauge {
	s := h.tx[qp]
	g := FlowGauge{Acked: s.una, InFlight: max(0, s.sentTo()-s.una), Rate: s.control.Rate, RTT: s.rtt}
	g.Window = s.hostWindow(h.cfg.Timing)
	if w := s.control.Window; w != core.Unlimited && (g.Window == 0 || w < g.Window) {
		g.Window = w
	}
	return g
}
