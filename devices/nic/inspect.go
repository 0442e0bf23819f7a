package nic

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// NextDue returns when the pace of a queue pair lets its next packet leave; core.Never if it has none to send, or a message
// of its connection comes first.
func (h *Host) NextDue(qp int32) core.Time {
	s := h.tx[qp].upToDate()
	if !s.unsent() || s.waits() || s.waitsForTurn() {
		return core.Never
	}
	return s.due
}

// Turn returns the flow whose turn it is on the connection of a queue pair that has not had its own.
func (h *Host) Turn(qp int32) (flow int32, waits bool) {
	s := h.tx[qp]
	if !s.waits() {
		return 0, false
	}
	return s.turn.last.id, true
}

// Awaits reports whether a queue pair has packets in flight and asks for the acknowledgement of some of them.
func (h *Host) Awaits(qp int32) bool {
	s := h.tx[qp]
	return s.sentTo() > s.una && !s.mute()
}

// PausedSince returns since when the class of a queue pair has been paused at the port that it sends on, which it also
// returns; core.Never if it is not.
func (h *Host) PausedSince(qp int32) (port int, since core.Time) {
	s := h.tx[qp]
	return int(s.port), h.ports[s.port].pauses.Since(int(s.prio))
}

// Starved reports whether a queue pair lacks credits for a packet: see [core.Credits.Starved]. other is the other end of
// the link of the port that PausedSince names.
func (h *Host) Starved(qp int32, other *core.Credits) bool {
	s := h.tx[qp]
	o := &h.ports[s.port]
	return o.lanes.Credits.Starved(other, s.prio, o.lanes.full)
}

// Acks visits the acknowledgements that wait at a port, those of a class in the order in which they are to leave, with the
// class whose pause stops them.
func (h *Host) Acks(at int, visit func(class uint8, p *core.Packet)) {
	a := &h.ports[at].answers
	each := func(p *core.Packet) { visit(h.ackClass(p), p) }
	for held := a.held; held != 0; held &= held - 1 {
		a.stopped[bits.TrailingZeros8(held)].All(each)
	}
	a.acks.All(each)
}

// PausesAck reports whether a pause keeps an acknowledgement that waits at a port from being sent.
func (h *Host) PausesAck(at int, p *core.Packet) bool { return h.pausesAck(&h.ports[at], p) }

// AckStarved reports whether a port lacks credits for an acknowledgement: see [core.Credits.Starved]. other is the other end
// of its link.
func (h *Host) AckStarved(at int, p *core.Packet, other *core.Credits) bool {
	return h.ports[at].lanes.Credits.Starved(other, p.Prio, p.Size)
}
