package nic

import "github.com/qbb-sim/qbb/core"

// Due returns when the pace of a queue pair lets its next packet leave; core.Never if it has none to send.
func (h *Host) Due(qp int32) core.Time {
	s := h.tx[qp]
	if s.done || s.next >= s.size {
		return core.Never
	}
	return s.due
}

// Waits tells what a queue pair waits for: the port that it sends on, and since when its class has
// been paused there; core.Never if it is not.
func (h *Host) Waits(qp int32) (port int, since core.Time) {
	s := h.tx[qp]
	return int(s.port), h.ports[s.port].pauses.Since(int(s.prio))
}
