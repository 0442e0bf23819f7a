package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Reroute binds the unfinished flows again after the routes have changed: the lists of all ports
// are emptied, then the flows are put back one by one, and each time the port tries to send. A message whose turn comes
// with that is not put back, but bound then.
func (h *Host) Reroute(t *core.Turn) {
	for i := range h.ports {
		o := &h.ports[i]
		o.disband()
		clear(o.list)
		o.list, o.stuck = o.list[:0], nil
	}
	for _, c := range h.conns {
		c.moved = c.last != nil && c.eldest() == nil
	}
	flows := h.tx
	if h.cfg.KeepOrder {
		flows = h.order.Keys()
	}
	var bound []*sender
	for _, s := range flows {
		if s.done {
			continue
		}
		s.port = int32(h.portOf(s))
		if s.turn != nil {
			s.turn.pair.port = s.port
		}
		if s.waits() {
			s.moved = false
			continue
		}
		bound = append(bound, s)
	}
	for _, s := range bound {
		h.bind(s)
		if s.moved {
			h.tellPath(t, s)
		}
		h.trySend(t, int(s.port))
	}
	for i := range h.ports { // a port may have nothing left that waits
		if o := &h.ports[i]; o.waiting != core.Never {
			h.settleWait(t, o)
		}
	}
}

// PathChanged notes that the path of a queue pair has changed, which its scheme hears in the next Reroute.
func (h *Host) PathChanged(qp int32) { h.tx[qp].moved = true }

// tellPath tells the scheme, if it listens, that the path has changed. Everything sent so far may have taken
// the former path.
func (h *Host) tellPath(t *core.Turn, s *sender) {
	s.moved = false
	if s.hears.Has(algorithms.Path) {
		sig := h.prepare(t, s, algorithms.Path)
		sig.Acked, sig.Next = s.base+s.una, s.base+s.top
		h.step(t, s)
	}
}

// newOrder returns the order of iteration of the reference's table of queue pairs.
func newOrder() *core.HashOrder[*sender] {
	return core.NewHashOrder(func(s *sender) uint64 {
		return uint64(core.Address(s.dst))<<32 | uint64(s.srcPort)<<16 | uint64(s.prio)
	})
}
