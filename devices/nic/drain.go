package nic

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// MinDrainTime returns lower bounds of two times from now: until a queue pair has sent all of its flow at least once, and
// until it may be given up.
func (h *Host) MinDrainTime(qp int32) (unsent, patience core.Duration) {
	s := h.tx[qp]
	return h.cfg.Timing.TxTime(core.Bytes(s.size-s.top), h.ports[s.port].rate), h.keptFor(s)
}

// keptFor is a time within which a queue pair cannot be given up.
func (h *Host) keptFor(s *sender) core.Duration {
	if (s.stalls > 0 || s.highest > 0) && h.cfg.Retries > 0 {
		return 0
	}
	return Patience(s.timeout, h.cfg.RTOLow, h.cfg.Retries)
}

// MinDrainTimeOfAll returns a lower bound of the time until every port has sent all of its flows at least once, or has
// given one up: the longest of the ports' own. It also returns how many pairs it looked at.
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

// Patience is a time within which no flow with a time-out is given up after its start or any progress, where
// Config.RTOLow and Config.Retries are low and retries.
func Patience(rto, low core.Duration, retries int) core.Duration {
	switch {
	case retries == 0 || rto == 0:
		return math.MaxInt64
	case low > 0: // one time-out may come at once, the second only after
		return min(rto, low)
	}
	return rto
}
