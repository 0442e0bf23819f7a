package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// trap is what keeps packets for ever.
type trap uint8

const (
	noTrap trap = iota
	byDeadlock
	byPause // that nothing is left to end
)

// caughtIn says what of a flow is caught in a deadlock; empty: nothing is.
func (w *Why) caughtIn(r *FlowRecord) string {
	switch {
	case w.caught[int64(r.ID)]:
		return "its packets are caught in a " + w.deadlock()
	case w.acks[int64(r.ID)] == byDeadlock:
		return "its acknowledgements are held back at its destination by a " + w.deadlock()
	}
	return ""
}

// heldAtSource reports whether the flow's source is paused, or without credits, because of packets that can never
// leave the first switch.
func (w *Why) heldAtSource(r *FlowRecord) bool {
	src, qp := w.n.hosts[r.Flow.Src], w.n.flows[r.ID].qp
	port, since := src.PausedSince(qp)
	return w.heldBack(PortRef{r.Flow.Src, port}, r.Flow.Prio, since != core.Never, func(there *core.Credits) bool { return src.Starved(qp, there) })
}

// heldBack reports whether a host's port is paused, or without the credits of the first switch, because of
// packets of a class none of which can ever leave that switch.
func (w *Why) heldBack(at PortRef, class uint8, paused bool, starved func(there *core.Credits) bool) bool {
	p := w.n.ports[at.Node][at.Port]
	first := w.n.switches[p.Peer]
	if !w.Deadlocked() || first == nil || !paused && (w.n.credits == nil || !starved(first.Credits(p.PeerPort))) {
		return false
	}
	on := w.n.waitsOn(PortRef{p.Peer, p.PeerPort}, class, paused)
	return len(on) > 0 && !slices.ContainsFunc(on, func(q queueRef) bool { return !w.stuck[q] })
}

// findAcks notes the flows with acknowledgements that hosts can never send. What stops the first one of a class at a port
// stops all.
func (w *Why) findAcks() {
	if !w.Deadlocked() && !w.idle {
		return
	}
	for id, h := range w.n.hosts {
		if h == nil {
			continue
		}
		for port := range w.n.ports[id] {
			traps := make(map[uint8]trap)
			h.Acks(port, func(class uint8, p *core.Packet) {
				if _, known := traps[class]; !known {
					traps[class] = w.ackTrap(PortRef{core.NodeID(id), port}, class, p)
				}
				if traps[class] != noTrap {
					w.acks[w.n.FlowOf(p)] = traps[class]
				}
			})
		}
	}
}

// ackTrap says what keeps an acknowledgement, whose class may be paused, at a host for ever.
func (w *Why) ackTrap(at PortRef, class uint8, p *core.Packet) trap {
	h := w.n.hosts[at.Node]
	paused := h.PausesAck(at.Port, p)
	if !paused {
		class = p.Prio
	}
	switch {
	case w.heldBack(at, class, paused, func(there *core.Credits) bool { return h.AckStarved(at.Port, p, there) }):
		return byDeadlock
	case w.idle && paused:
		return byPause
	}
	return noTrap
}
