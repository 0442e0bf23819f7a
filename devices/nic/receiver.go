package nic

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// receiver is the receiving side of one queue pair.
type receiver struct {
	expected int64     // next byte
	nackAt   core.Time // no NACK for the byte nackFor before this time
	nackFor  int64
	complete bool
	open     bool       // counted in port.open
	end      int64      // of the flow, once its last packet has come; 0: not known
	packets  int64      // of the flow, once a notification point was to see its last one; 0: not known
	marked   core.Flags // CE, if a packet had it that has not been answered
	early    *bitRing   // packets kept beyond a gap; nil until there is one
	port     int32      // of the first data packet: where it is counted
	pair     int32      // 1 + the queue pair that the notification point sees, of a connection; 0: this one
	noticed
}

// noticed is what belongs to the queue pair that the notification point sees.
type noticed struct {
	held    *core.Packet // data packet whose ACK the notification point holds back
	heldSeq int64        // what that ACK acknowledges
	// Where notifications go: known from the first data packet.
	known            bool
	peer             core.NodeID
	peerQP           int32
	srcPort, dstPort uint16 // as the peer sends
}

// Connect makes the notification point take a queue pair, that of a message, for another, that of a message of the same
// connection, which it takes for itself.
func (h *Host) Connect(qp, first int32) {
	h.growTo(max(qp, first))
	h.rx[qp].pair = first + 1
}

func (h *Host) growTo(qp int32) {
	for int(qp) >= len(h.rx) {
		h.rx = append(h.rx, receiver{})
	}
}

// seen is the queue pair that the notification point sees for one.
func (h *Host) seen(qp int32) (int32, *receiver) {
	if first := h.rx[qp].pair; first > 0 {
		qp = first - 1
	}
	return qp, &h.rx[qp]
}

// recovery returns what the host's senders of a class send again after a loss.
func (h *Host) recovery(class uint8) Recovery { return h.cfg.Recovery[class&7] }

// KeepsOutOfOrder reports whether packets beyond a gap are kept in some class.
func (h *Host) KeepsOutOfOrder() bool { return slices.Contains(h.cfg.Recovery[:], Selective) }

// Expected returns the next byte that a queue pair expects to receive.
func (h *Host) Expected(qp int32) int64 {
	if int(qp) < len(h.rx) {
		return h.rx[qp].expected
	}
	return 0
}

// ReceivedLimit returns a byte beyond which the host has received nothing that it keeps for a queue pair; the largest
// integer if that is not known.
func (h *Host) ReceivedLimit(qp int32) int64 {
	switch {
	case h.slow: // packets may wait in the inbox
		return math.MaxInt64
	case int(qp) < len(h.rx) && h.rx[qp].early != nil:
		return math.MaxInt64
	}
	return h.Expected(qp)
}

// Forget makes the receiving side of a queue pair as new, as when its sender has finished.
// A straggler is then answered like the packet of an unknown flow. What the messages of a connection share stays.
func (h *Host) Forget(qp int32) {
	if int(qp) >= len(h.rx) {
		return
	}
	r := &h.rx[qp]
	if _, seen := h.seen(qp); seen.held != nil && seen.held.DstQP == qp {
		h.discardHeld(seen)
	}
	h.closed(r)
	forgotten := receiver{}
	if r.pair != 0 {
		forgotten.pair, forgotten.noticed = r.pair, r.noticed
	}
	*r = forgotten
}

// receiverOf returns the receiving side of the queue pair of a data packet.
func (h *Host) receiverOf(p *core.Packet) *receiver {
	h.growTo(p.DstQP)
	return &h.rx[p.DstQP]
}

// receiveData answers a data packet: in order with an ACK, beyond a gap with a NACK, and not at
// all if it was received before, unless the profile acknowledges duplicates. With selective
// recovery what is beyond a gap is kept. The packet itself is turned round.
func (h *Host) receiveData(t *core.Turn, in int, p *core.Packet) {
	if p.Flags&core.Trimmed != 0 {
		h.reportTrimmed(t, in, p)
		return
	}
	r := h.receiverOf(p)
	hold := p.Scheme != 0 && h.notice(t, in, p, r)
	kind := core.Ack
	quiet := p.Flags&core.NoAckReq != 0
	if p.Flags&core.Last != 0 {
		r.end = p.Seq + int64(p.Payload)
	}
	switch {
	case p.Seq == r.expected:
		r.expected += int64(p.Payload)
		if h.recovery(p.Prio) == Selective {
			gap := r.gap(int64(h.cfg.MTU))
			hold, quiet = hold && !gap, quiet && !gap
			r.fill(int64(h.cfg.MTU))
		}
		if r.expected == r.end && !r.complete {
			r.complete = true
			h.closed(r)
			t.Flow(core.FlowReceived, in, p.DstQP)
		}
		if hold && !r.complete {
			h.hold(t, in, p, r.expected)
			return
		}
		if quiet {
			h.coalesce(r, p)
			return
		}
	case p.Seq > r.expected && h.recovery(p.Prio) == Selective:
		r.keep(p, int64(h.cfg.MTU))
		kind = core.Nack
	case p.Seq > r.expected:
		if t.Now < r.nackAt && r.nackFor == r.expected {
			h.pool.Free(p)
			return
		}
		r.nackAt, r.nackFor = t.Now.Add(h.cfg.NackEvery), r.expected
		if h.recovery(p.Prio) == GoBack0 {
			r.expected -= r.expected % h.cfg.Chunk
		}
		kind = core.Nack
	case !h.cfg.AckDuplicates:
		h.pool.Free(p)
		return
	}
	if r.held != nil || r.pair != 0 {
		h.supersede(t, in, p)
	}
	p.Flags |= r.marked
	r.marked = 0
	h.answer(t, in, p, kind, r.expected)
}

// hold keeps the ACK of p back, which acknowledges what comes before seq.
func (h *Host) hold(t *core.Turn, in int, p *core.Packet, seq int64) {
	h.supersede(t, in, p)
	_, r := h.seen(p.DstQP)
	r.held, r.heldSeq = p, seq
}

// supersede lets the answer to p replace the ACK that is held back, and report the time that this one has waited, too
// (RFC 7323, section 4.3). That of another message is sent.
func (h *Host) supersede(t *core.Turn, in int, p *core.Packet) {
	switch _, r := h.seen(p.DstQP); {
	case r.held == nil:
	case r.held.DstQP == p.DstQP:
		p.Sent = r.held.Sent
		h.discardHeld(r)
	default:
		h.releaseHeld(t, in, r)
	}
}

// discardHeld forgets the ACK that is held back, because a later one says more.
func (h *Host) discardHeld(r *receiver) {
	h.pool.Free(r.held)
	r.held = nil
}

// answer turns a data packet into its acknowledgement and queues it. Without a route it is dropped at port in.
func (h *Host) answer(t *core.Turn, in int, p *core.Packet, kind core.Kind, seq int64) {
	p.Src, p.Dst = p.Dst, p.Src
	p.SrcQP, p.DstQP = p.DstQP, p.SrcQP
	p.SrcPort, p.DstPort = p.DstPort, p.SrcPort
	p.Size = max(h.cfg.MinLen, h.cfg.AckLen+p.Size-p.Payload-h.cfg.Header)
	p.Kind, p.Seq, p.Payload, p.Marker, p.Scheme = kind, seq, 0, 0, 0
	if p.Flags &= core.CE | core.Trimmed; p.Flags&core.CE != 0 {
		p.Flags ^= core.CE | core.ECE
	}
	if h.cfg.AckControl>>(p.Prio&7)&1 != 0 {
		p.Prio = 0
	}
	out, ok := h.portTo(p)
	if !ok {
		h.dropUnrouted(t, in, p)
		return
	}
	h.queueAnswer(t, out, &h.ports[out].answers.acks, p)
}
