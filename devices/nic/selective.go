package nic

import "github.com/qbb-sim/qbb/core"

// Recovery is what a sender sends again after a loss.
type Recovery uint8

// Ways of recovery.
const (
	GoBackN   Recovery = iota // everything from the lost byte on
	GoBack0                   // everything from the start of the lost byte's chunk on
	Selective                 // what was lost: IRN (Mittal et al., SIGCOMM 2018)
)

// holes is what a sender with selective recovery knows of its packets, which are numbered from 0.
// A NACK names the packet that is expected and the one that has come instead. Recovery begins
// with a NACK or a time-out and lasts until all that had been sent by then is acknowledged.
// Meanwhile a packet counts as lost if a later one has arrived, or with Config.Reordering one that much later,
// and is sent again once; then new ones are sent. A scheme's window limits what is in the network (RFC 6675), a host's, as in IRN, new packets alone.
//
// Only a time-out finds that a retransmission was lost too, as in IRN: a NACK names what has arrived,
// not which transmission brought it, and the paper has no other rule. With many losses retransmissions
// are often lost, and time-outs govern the completion times.
//
// After a time-out everything unacknowledged counts as lost, as in TCP (RFC 6675, section 5.1),
// where IRN sends only the first packet: a lost tail would take a time-out for every packet.
type holes struct {
	got   bitRing       // packets that have arrived
	high  int64         // packets below it are lost unless they have arrived
	again int64         // packets below it have been sent again
	until int64         // byte to which recovery lasts
	spare core.Duration // by which the time-out that runs is shorter than that for many packets in flight
	trims *trims        // packets that switches have trimmed; nil until there is one
}

// fewPackets is IRN's N: with no more than that in flight the short time-out applies, since a NACK
// cannot be expected.
const fewPackets = 3

// hear digests an acknowledgement that has moved s.una, and returns what is to be sent next. Reordering is Config.Reordering.
func (l *holes) hear(s *sender, p *core.Packet, mtu, reordering int64) int64 {
	l.got.advance(s.una / mtu)
	l.trims.advance(s.una / mtu)
	s.recovers = s.una < l.until
	if p.Kind == core.Nack {
		came := p.Sack / mtu
		l.got.set(came)
		l.trims.arrived(came)
		lost := came - reordering // packets below it, unless they have arrived
		if !s.recovers && lost > l.got.base {
			l.begin(s, mtu)
		}
		l.high = max(l.high, lost)
	}
	return l.next(s, mtu)
}

// begin starts recovery, or starts it again.
func (l *holes) begin(s *sender, mtu int64) { s.recovers, l.until, l.again = true, s.top, s.una/mtu }

// expire counts all that is in flight as lost.
func (l *holes) expire(s *sender, mtu int64) {
	l.begin(s, mtu)
	l.high = (s.top + mtu - 1) / mtu
	l.trims.expire()
}

// next returns the first byte of the packet to be sent next: one that was lost, or a new one.
func (l *holes) next(s *sender, mtu int64) int64 {
	if !s.recovers {
		return s.top
	}
	cut := l.trims.first()
	if hole := l.got.missing(l.again); hole < min(l.high, cut) {
		return hole * mtu
	}
	if cut != none {
		return cut * mtu
	}
	return s.top
}

// resent notes that the packet of a byte has been sent again, and returns what is to be sent next.
func (l *holes) resent(s *sender, seq, mtu int64) int64 {
	if n := seq / mtu; n == l.trims.first() {
		l.trims.resent(n)
		s.rto = core.Never // afterSend starts it anew
	} else {
		l.again = n + 1
	}
	return l.next(s, mtu)
}

// inNetwork returns the bytes of a sender in recovery that are in the network as far as it knows: packets that have
// not arrived, without lost ones that have not been sent again (RFC 6675's pipe).
func (l *holes) inNetwork(s *sender, mtu int64) uint64 {
	end := (s.top + mtu - 1) / mtu
	return uint64(mtu * (l.got.gaps(s.una/mtu, l.again) + l.got.gaps(max(l.again, l.high), end) + l.trims.out()))
}

// sentTo is the byte after the last one sent, as reported to schemes.
func (s *sender) sentTo() int64 {
	if s.lost != nil {
		return s.top
	}
	return s.next
}

// chooseTimeout returns the time without progress after which packets count as lost: the flow's, or the short one
// of Config.RTOLow, but at least two round trips, if few are in flight; and no less than the scheme's. It notes
// what the short one has saved.
func (h *Host) chooseTimeout(s *sender) core.Duration {
	most := max(s.timeout, s.control.Timeout)
	if s.lost == nil {
		return most
	}
	wait := most
	if h.fewInFlight(s) {
		wait = min(wait, max(h.cfg.RTOLow, 2*s.baseRTT, s.control.Timeout))
	}
	s.lost.spare = most - wait
	return wait
}

func (h *Host) fewInFlight(s *sender) bool { return s.top-s.una <= fewPackets*int64(h.cfg.MTU) }

// extended reports whether a time-out that was set when few packets were in flight has come too
// early for the many that now are, and puts it off.
func (h *Host) extended(t *core.Turn, s *sender) bool {
	if s.lost == nil || s.lost.spare == 0 || h.fewInFlight(s) {
		return false
	}
	at := s.rto.Add(s.lost.spare)
	s.lost.spare = 0
	h.setTimeout(t, s, at)
	return true
}

// keep notes a packet beyond a gap, and has its NACK name it.
func (r *receiver) keep(p *core.Packet, mtu int64) {
	if r.early == nil {
		r.early = &bitRing{base: r.expected / mtu}
	}
	r.early.set(p.Seq / mtu)
	p.Sack = p.Seq
}

// gap reports whether packets beyond expected have arrived.
func (r *receiver) gap(mtu int64) bool {
	return r.early != nil && r.early.any((r.expected+mtu-1)/mtu)
}

// fill moves expected over what had arrived before the packet that closes a gap.
func (r *receiver) fill(mtu int64) {
	if r.early == nil {
		return
	}
	r.early.advance((r.expected + mtu - 1) / mtu)
	r.early.advance(r.early.missing(r.early.base))
	r.expected = max(r.expected, r.early.base*mtu)
	if r.end > 0 {
		r.expected = min(r.expected, r.end)
	}
}
