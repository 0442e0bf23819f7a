package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Packets that switches have trimmed (switching.BufferConfig). The receiver tells of each by a NACK in the class that is
// served first, and the sender sends it again, before new ones and as soon as the window permits, as often as it is trimmed,
// as in NDP (Handley et al., SIGCOMM 2017; there a scheme's window waits for pulls) and Ultra Ethernet. Nothing else is
// concluded from it: it has overtaken what was sent before.

// trims are the packets of a sender that have been trimmed, by their numbers. To holes they count as arrived.
type trims struct {
	due   bitRing // to be sent again
	again bitRing // have been sent again, and not arrived as far as is known
}

// reportTrimmed turns a trimmed packet round, after the notification point of its scheme has seen it, if it wants to.
func (h *Host) reportTrimmed(t *core.Turn, in int, p *core.Packet) {
	if p.Scheme != 0 && h.ports[in].notifiers[p.Scheme-1].trimmed {
		h.notice(t, in, p, h.receiverOf(p))
	}
	p.Sack, p.Flags = p.Seq, core.Trimmed
	h.answer(t, in, p, core.Nack, h.Expected(p.DstQP))
}

// sendTrimmed is the sender's side of the NACK of a trimmed packet.
func (h *Host) sendTrimmed(t *core.Turn, s *sender, p *core.Packet) {
	if s.paths != nil {
		h.learn(s, p)
	}
	switch {
	case s.lost == nil || !s.lost.trim(s, p.Sack, int64(h.cfg.MTU)):
	case h.trimmedInVain(t, s):
		h.giveUp(t, s)
	default:
		h.resendTrimmed(t, s)
	}
	h.pool.Free(p)
	h.trySend(t, int(s.port))
}

// trimmedInVain reports whether packets have been trimmed, and none has arrived, for as long as all time-outs last, which
// the NACKs keep from coming.
func (h *Host) trimmedInVain(t *core.Turn, s *sender) bool {
	if s.highest == 0 {
		s.highest, s.risen = 1, t.Now
	}
	return h.outlasts(t, s)
}

// resendTrimmed puts off the time-out of a sender that has something to send again, and tells its scheme.
func (h *Host) resendTrimmed(t *core.Turn, s *sender) {
	h.ports[s.port].spent = false
	h.review(s)
	h.progress(t, s)
	if s.hears.Has(algorithms.Loss) {
		h.prepare(t, s, algorithms.Loss).Acked = s.base + s.una
		h.step(t, s)
	}
}

// trim notes that the packet of a byte has been trimmed, and begins recovery, or prolongs it. It reports whether that is
// to be sent again: not if another transmission of it has arrived.
func (l *holes) trim(s *sender, seq, mtu int64) bool {
	n := seq / mtu
	if l.trims == nil {
		l.trims = &trims{due: bitRing{base: s.una / mtu}, again: bitRing{base: s.una / mtu}}
	}
	if again := l.trims.again.remove(n); !again && l.got.has(n) {
		return false
	}
	if !s.recovers {
		l.begin(s, mtu)
	}
	l.until = max(l.until, min(s.top, seq+mtu))
	l.got.set(n)
	l.trims.due.set(n)
	s.next = l.next(s, mtu)
	return true
}

// overtaken reports whether recovery is due to more than trimmed packets, as far as is known.
func (l *holes) overtaken(s *sender, mtu int64) bool { return l.trims == nil || l.high > s.una/mtu }

// first is the first packet to be sent again, or none.
func (k *trims) first() int64 {
	if k == nil {
		return none
	}
	return k.due.first(k.due.base)
}

// resent notes that a packet that was due has been sent.
func (k *trims) resent(n int64) {
	k.due.remove(n)
	k.again.set(n)
}

// arrived notes that a packet has arrived.
func (k *trims) arrived(n int64) {
	if k != nil {
		k.due.remove(n)
		k.again.remove(n)
	}
}

// advance notes that all packets below one have arrived.
func (k *trims) advance(to int64) {
	if k != nil {
		k.due.advance(to)
		k.again.advance(to)
	}
}

// out is how many packets are in the network that have been sent again.
func (k *trims) out() int64 {
	if k == nil {
		return 0
	}
	return k.again.count()
}

// expire makes all packets due that have been sent again.
func (k *trims) expire() {
	if k == nil {
		return
	}
	for n := k.again.first(k.again.base); n != none; n = k.again.first(n) {
		k.again.remove(n)
		k.due.set(n)
	}
}
