package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// notifier is the notification point of one scheme at one port.
type notifier struct {
	machine algorithms.Receiver
	reply   algorithms.Reply
	trimmed bool // is shown trimmed packets
}

func (h *Host) startReceivers(at int) {
	o := &h.ports[at]
	for i, scheme := range h.cfg.Receivers {
		n := notifier{machine: scheme.NewReceiver(), trimmed: scheme.Traits().SeesTrimmed}
		stream := core.NewStream(h.cfg.Seed, core.StreamNotifier, uint64(h.cfg.ID)<<24|uint64(at)<<8|uint64(i))
		n.machine.Start(0, &algorithms.Port{
			Node: h.cfg.ID, Port: at, Line: o.rate, MaxRTT: h.cfg.MaxRTT, MTU: h.cfg.MTU, Timing: h.cfg.Timing,
			Random: stream, Shared: stream,
		}, &n.reply)
		o.notifiers = append(o.notifiers, n)
	}
}

// notice tells the notification point of the packet's scheme of its arrival, and reports whether
// the packet's ACK is to be held back.
func (h *Host) notice(t *core.Turn, in int, p *core.Packet, r *receiver) (hold bool) {
	o := &h.ports[in]
	qp, seen := h.seen(p.DstQP)
	if !r.open && !r.complete {
		r.open, r.port = true, int32(in)
		o.open++
		seen.known, seen.peer, seen.peerQP, seen.srcPort, seen.dstPort = true, p.Src, p.SrcQP, p.SrcPort, p.DstPort
	}
	h.arrival = algorithms.Arrival{
		Instant: t.Instant, QP: qp, CE: p.Flags&core.CE != 0, Bytes: core.Bytes(p.Payload), Packet: *p, Flows: o.open,
		Missing: h.missing(r, p),
	}
	hold = h.stepReceiver(t, in, int(p.Scheme)-1)
	h.wakeReceivers(t, in)
	h.arm(t, in)
	return hold
}

// missing is Arrival.Missing at the arrival of p.
func (h *Host) missing(r *receiver, p *core.Packet) int64 {
	if p.Flags&core.Last != 0 {
		r.packets = p.Seq/int64(h.cfg.MTU) + 1
	}
	switch {
	case r.packets == 0:
		return -1
	case r.complete:
		return 0
	}
	missing := r.packets - r.expected/int64(h.cfg.MTU)
	if r.early != nil {
		missing -= r.early.count()
	}
	if p.Flags&core.Trimmed == 0 && h.lacks(r, p) {
		missing--
	}
	return missing
}

// lacks reports whether a packet that comes has not come before, and will be kept.
func (h *Host) lacks(r *receiver, p *core.Packet) bool {
	if p.Seq <= r.expected || h.recovery(p.Prio) != Selective {
		return p.Seq == r.expected
	}
	return r.early == nil || !r.early.has(p.Seq/int64(h.cfg.MTU))
}

// closed notes that a queue pair has received everything, or is forgotten.
func (h *Host) closed(r *receiver) {
	if r.open {
		r.open = false
		h.ports[r.port].open--
	}
}

// wakeReceivers sends Timer to the notification points whose time has come, as long as they
// ask for it: one that has several notifications to send sends one at a time. It panics if one
// asks for many more turns at an instant than it can have queue pairs to serve.
func (h *Host) wakeReceivers(t *core.Turn, at int) {
	o := &h.ports[at]
	for i := range o.notifiers {
		for left := 16 * (len(h.rx) + 1); o.notifiers[i].reply.Wake <= t.Now; left-- {
			if left == 0 {
				panic("nic: a notification point does not let an instant pass")
			}
			h.arrival = algorithms.Arrival{Instant: t.Instant, Timer: true, Flows: o.open}
			h.stepReceiver(t, at, i)
		}
	}
}

// Notifies reports whether a notification point has something left to do, such as a CNP that is not to be sent yet.
func (h *Host) Notifies() bool {
	for i := range h.ports {
		for k := range h.ports[i].notifiers {
			if h.ports[i].notifiers[k].reply.Wake != core.Never {
				return true
			}
		}
	}
	return false
}

// stepReceiver gives the prepared arrival to notification point i and sends what it answers. It
// reports whether the ACK of the packet that has arrived is to be held back.
func (h *Host) stepReceiver(t *core.Turn, at, i int) (hold bool) {
	n := &h.ports[at].notifiers[i]
	n.reply.Send, n.reply.Hold, n.reply.Release = false, false, false
	n.machine.Step(&h.arrival, &n.reply)
	if n.reply.Release {
		h.releaseHeld(t, at, &h.rx[n.reply.QP])
	}
	if n.reply.Send {
		h.sendNotice(t, at, &n.reply)
	}
	return n.reply.Hold
}

// releaseHeld sends the ACK that is held back, if there is one, for the notification point of a port.
func (h *Host) releaseHeld(t *core.Turn, at int, r *receiver) {
	if p := r.held; p != nil {
		r.held = nil
		h.answer(t, at, p, core.Ack, r.heldSeq)
	}
}

// sendNotice sends a CNP or a grant to the source of a queue pair, unless that has been forgotten.
func (h *Host) sendNotice(t *core.Turn, at int, reply *algorithms.Reply) {
	r := &h.rx[reply.QP]
	if !r.known {
		return
	}
	p := h.pool.New()
	p.Kind, p.Size, p.Sent, p.Aux = reply.Kind, h.cfg.MinLen, t.Now, reply.Aux
	p.Src, p.Dst, p.SrcQP, p.DstQP = h.cfg.ID, r.peer, reply.QP, r.peerQP
	p.SrcPort, p.DstPort = r.dstPort, r.srcPort
	out, ok := h.portTo(p)
	if !ok {
		h.dropUnrouted(t, at, p)
		return
	}
	h.queueAnswer(t, out, &h.ports[out].answers.notices, p)
}
