package nic

import "github.com/qbb-sim/qbb/core"

// Coalesced acknowledgements (Config.AckEvery above 1). As in InfiniBand, the sender says by the AckReq bit of a packet
// that it wants an answer (IBTA volume 1, 9.7.5.1), at least in one of so many, as ConnectX does (log_ack_req_freq of
// the QP context; 8, for 2^8 packets, in Linux' mlx5 driver). The receiver leaves out the answers to others, unless there
// is something to say at once: a gap, a packet that comes twice or one that fills a gap (RFC 5681, section 4.2).
//
// No timer releases what waits, because nothing waits without end: the last packet of a message asks, and there are at
// least two answers to a window (RFC 4341, section 6.1). When a window has shrunk so that no packet that asks is in
// flight, one more may leave, and asks. The retransmission timer runs for packets that ask: others are not answered.
// Selective recovery asks in each retransmission: what asked before may have arrived, so that nothing else has a timer.

// request decides whether a data packet that has just been made asks for an acknowledgement.
func (h *Host) request(s *sender, p *core.Packet) {
	mtu, every := int64(h.cfg.MTU), int64(h.cfg.AckEvery)
	s.unasked++
	switch {
	case p.Flags&core.Last != 0, (p.Seq/mtu+1)%every == 0:
	case s.lost != nil && p.Flags&core.Rtx != 0: // it fills a gap, which is answered anyway
	case s.unasked >= every: // askAgain, or acknowledged packets were left out
	case 2*s.unasked*mtu >= int64(s.limit(h.cfg.Timing)):
	default:
		p.Flags |= core.NoAckReq
		return
	}
	s.unasked, s.asked = 0, max(s.asked, p.Seq+int64(p.Payload))
}

// mute reports whether nothing in flight asks for an acknowledgement although something is in flight.
func (s *sender) mute() bool { return s.unasked > 0 && s.asked <= s.una }

// askAgain has the next packet ask, since all that is in flight counts as lost.
func (h *Host) askAgain(s *sender) {
	if h.cfg.AckEvery > 1 {
		s.unasked, s.asked = int64(h.cfg.AckEvery), s.una
	}
}

// limit is the lesser of the scheme's window and the host's; [core.Unlimited] for none.
func (s *sender) limit(tm core.Timing) core.Bytes {
	w := s.control.Window
	if own := s.hostWindow(tm); own != 0 {
		w = min(w, own)
	}
	return w
}

// coalesce leaves out the acknowledgement of a packet that does not ask for one. The next answer echoes its mark.
func (h *Host) coalesce(r *receiver, p *core.Packet) {
	r.marked |= p.Flags & core.CE
	h.pool.Free(p)
}
