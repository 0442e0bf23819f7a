package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// notifier is the notification point of one scheme at one port.
type notifier struct {
	machine algorithms.Receiver
	reply   algorithms.Reply
}

func (h *Host) startReceivers(at int) {
	o := &h.ports[at]
	for i, scheme := range h.cfg.Receivers {
		n := notifier{machine: scheme.NewReceiver()}
		stream := core.NewStream(h.cfg.Seed, core.StreamNotifier, uint64(h.cfg.ID)<<24|uint64(at)<<8|uint64(i))
		n.machine.Start(0, &algorithms.Port{
			Node: h.cfg.ID, Port: at, Line: o.rate, MaxRTT: h.cfg.MaxRTT, MTU: h.cfg.MTU, Random: stream, Shared: stream,
		}, &n.reply)
		o.notifiers = append(o.notifiers, n)
	}
}

// notice tells the notification point of the packet's scheme of its arrival.
func (h *Host) notice(t *core.Turn, in int, p *core.Packet, r *receiver) {
	o := &h.ports[in]
	if !r.open && !r.complete {
		r.open = true
		r.peer, r.peerQP, r.srcPort, r.dstPort = p.Src, p.SrcQP, p.SrcPort, p.DstPort
		o.open++
	}
	h.arrival = algorithms.Arrival{
		Instant: t.Instant, QP: p.DstQP, CE: p.Flags&core.CE != 0, Bytes: core.Bytes(p.Payload), Packet: *p, Flows: o.open,
	}
	h.stepReceiver(t, in, int(p.Scheme)-1)
	h.wakeReceivers(t, in)
	h.arm(t, in)
}

// closed notes that a queue pair has received everything.
func (h *Host) closed(in int, r *receiver) {
	if r.open {
		r.open = false
		h.ports[in].open--
	}
}

// wakeReceivers sends Timer to the notification points whose time has come, as long as they
// ask for it: one that has several notifications to send sends one at a time.
func (h *Host) wakeReceivers(t *core.Turn, at int) {
	o := &h.ports[at]
	for i := range o.notifiers {
		for o.notifiers[i].reply.Wake <= t.Now {
			h.arrival = algorithms.Arrival{Instant: t.Instant, Timer: true, Flows: o.open}
			h.stepReceiver(t, at, i)
		}
	}
}

// stepReceiver gives the prepared arrival to notification point i and sends what it answers.
func (h *Host) stepReceiver(t *core.Turn, at, i int) {
	n := &h.ports[at].notifiers[i]
	n.reply.Send = false
	n.machine.Step(&h.arrival, &n.reply)
	if !n.reply.Send {
		return
	}
	r := &h.rx[n.reply.QP]
	p := h.pool.New()
	p.Kind, p.Size, p.Sent, p.Aux = n.reply.Kind, h.cfg.MinLen, t.Now, n.reply.Aux
	p.Src, p.Dst, p.SrcQP, p.DstQP = h.cfg.ID, r.peer, n.reply.QP, r.peerQP
	p.SrcPort, p.DstPort = r.dstPort, r.srcPort
	out, ok := h.portTo(p)
	if !ok {
		t.Drop(at, p)
		return
	}
	h.queueAck(t, out, p)
}
