package nic

import (
	"cmp"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// answers are what a port is to send for its receivers, in the order in which they came; but answers that a pause or lack
// of credits stops let other classes pass (802.1Q, 8.6.8; IBTA volume 1, 7.6: lanes do not block each other). When several
// stopped classes may go on, the lowest comes first.
type answers struct {
	notices core.Queue // CNPs and grants, which nothing stops
	acks    core.Queue
	stopped *[8]core.Queue // of acks, by class: those found stopped at its head; nil until there are any
	held    uint8          // classes with something in stopped
	bytes   core.Bytes     // of all
}

// none reports whether nothing is to be sent.
func (a *answers) none() bool { return a.notices.Empty() && a.acks.Empty() && a.held == 0 }

// hold puts an acknowledgement behind those of its class that were stopped.
func (a *answers) hold(class uint8, p *core.Packet) {
	if a.stopped == nil {
		a.stopped = new([8]core.Queue)
	}
	a.stopped[class].Push(p)
	a.held |= 1 << class
}

// release takes the first acknowledgement of a class that was stopped.
func (a *answers) release(class uint8) *core.Packet {
	p := a.stopped[class].Pop()
	if a.stopped[class].Empty() {
		a.held &^= 1 << class
	}
	return p
}

// queueAnswer puts a packet into a queue of a port, that of its acknowledgements or of its notifications.
func (h *Host) queueAnswer(t *core.Turn, out int, q *core.Queue, p *core.Packet) {
	a := &h.ports[out].answers
	if t.Trace != nil {
		t.Trace.Add(t.Now, h.cfg.ID, out, 0, core.EventEnqueue, a.bytes, p)
	}
	q.Push(p)
	a.bytes += core.Bytes(p.Size)
	h.trySend(t, out)
}

// nextAnswer takes the first notification, otherwise the first acknowledgement whose class may be sent.
func (h *Host) nextAnswer(t *core.Turn, o *port, out int) *core.Packet {
	if o.answers.none() {
		return nil
	}
	p := o.answers.notices.Pop()
	if p == nil {
		if p = h.nextAck(o); p == nil {
			return nil
		}
	}
	o.answers.bytes -= core.Bytes(p.Size)
	if t.Trace != nil {
		t.Trace.Add(t.Now, h.cfg.ID, out, 0, core.EventDequeue, o.answers.bytes, p)
	}
	return p
}

func (h *Host) nextAck(o *port) *core.Packet {
	a := &o.answers
	for held := a.held; held != 0; held &= held - 1 {
		class := uint8(bits.TrailingZeros8(held))
		if !h.stopsAck(o, a.stopped[class].Front()) {
			return a.release(class)
		}
	}
	for p := a.acks.Pop(); p != nil; p = a.acks.Pop() {
		class := h.ackClass(p)
		if a.held>>class&1 == 0 && !h.stopsAck(o, p) {
			return p
		}
		a.hold(class, p)
	}
	return nil
}

// ackClass is the class whose pause stops an acknowledgement.
func (h *Host) ackClass(p *core.Packet) uint8 { return cmp.Or(h.cfg.AckClass, p.Prio) & 7 }

// stopsAck reports whether a pause or lack of credits keeps the port from sending an
// acknowledgement.
func (h *Host) stopsAck(o *port, p *core.Packet) bool {
	return h.pausesAck(o, p) || o.lanes != nil && !o.lanes.May(p.Prio, p.Size)
}

// pausesAck reports whether a pause keeps the port from sending an acknowledgement.
func (h *Host) pausesAck(o *port, p *core.Packet) bool {
	return !h.cfg.AckPrio0 && o.pauses.Mask()>>h.ackClass(p)&1 != 0
}

// flushAnswers drops what was to be sent on a link that has failed.
func (h *Host) flushAnswers(t *core.Turn, at int) {
	a := &h.ports[at].answers
	flush := func(p *core.Packet) {
		a.bytes -= core.Bytes(p.Size)
		h.flush(t, at, p, 0, a.bytes)
	}
	for p := a.notices.Pop(); p != nil; p = a.notices.Pop() {
		flush(p)
	}
	for a.held != 0 {
		flush(a.release(uint8(bits.TrailingZeros8(a.held))))
	}
	for p := a.acks.Pop(); p != nil; p = a.acks.Pop() {
		flush(p)
	}
}
