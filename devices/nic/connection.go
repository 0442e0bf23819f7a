package nic

import (
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// connection is a queue pair that carries several messages (Flow.Connection). Each is sent when the one before has been
// sent, as InfiniBand processes the work requests of a send queue. They share congestion control, pace and the windows, which
// limit what is in flight of all of them, and the scheme sees one stream of bytes.
//
// Sequence numbers, acknowledgements and time-outs are those of a message, as are its statistics. So a message recovers
// only its own losses, where with go-back-n a queue pair would send again what had been sent of later messages, too, and
// packets of later messages do not show that a message's last one was lost: its time-out does.
type connection struct {
	last    *sender            // the message that has had its turn last: it has the pace and the answer of all, also when it has ended; nil: none has
	moved   bool               // the paths have changed while nothing was under way
	begun   []*sender          // messages that have had their turn and not ended, in order
	waiting core.Ring[*sender] // for their turn
}

// post gives a message to its connection.
func (h *Host) post(t *core.Turn, s *sender, f *Flow) {
	for len(h.conns) < int(f.Connection) {
		h.conns = append(h.conns, new(connection))
	}
	c := h.conns[f.Connection-1]
	s.conn = c
	if c.last == nil {
		c.last, c.begun = s, []*sender{s}
		h.start(t, s, f)
		return
	}
	s.control = c.last.shared.answer
	c.waiting.Push(s)
	h.nextTurn(t, c)
}

// waits reports whether a message has not had its turn yet.
func (s *sender) waits() bool { return s.conn != nil && s.shared == nil }

// nextTurn lets the next message begin if the last one has been sent.
func (h *Host) nextTurn(t *core.Turn, c *connection) {
	if c.waiting.Len() == 0 || !c.last.done && c.last.next < c.last.size {
		return
	}
	s, before := c.waiting.Pop(), c.last
	c.last, c.begun = s, append(c.begun, s)
	s.base = before.base + before.size
	before.shared.join(s)
	s.line, s.paths = before.line, before.paths
	s.keepPace(before)
	h.runTimers(t, s)
	s.due = max(s.due, t.Now)
	h.bind(s)
	h.armFlow(t, s)
	if c.moved {
		c.moved, s.moved = false, true
		h.tellPath(t, s)
	}
}

// keepPace makes a message's next packet wait as if it had sent the last packet of another.
func (s *sender) keepPace(other *sender) {
	s.due, s.delay, s.lastSize, s.lastRate, s.lastGap = other.due, other.delay, other.lastSize, other.lastRate, other.lastGap
}

// runTimers sends the Timer signals that became due while nothing was under way, as at their time.
func (h *Host) runTimers(t *core.Turn, s *sender) {
	for last := core.Time(-1); !s.lazy && s.control.Wake < t.Now && s.control.Wake > last; {
		last = s.control.Wake
		before := s.control.Rate
		h.prepare(t, s, algorithms.Timer).Now = last
		s.machine.Step(&h.signal, &s.control)
		h.share(t, s, s.control.Do)
		if s.control.Do&algorithms.Repace != 0 {
			h.repace(t, s, before)
		}
		s.control.Do = 0
	}
}

// tookTurn makes the others wait for the pace of a message that has just sent a packet.
func (h *Host) tookTurn(t *core.Turn, s *sender) {
	for _, other := range s.conn.begun {
		if other != s {
			other.keepPace(s)
		}
	}
	if s.conn.last.done {
		s.conn.last.keepPace(s)
	}
	h.review(s)
	h.nextTurn(t, s.conn)
}

// reviewAll marks a message to be looked at, and the others that have something to send.
func (h *Host) reviewAll(s *sender) {
	for _, other := range s.conn.begun {
		if other.next < other.size {
			h.toLookAt(other)
		}
	}
	h.toLookAt(s)
}

// endTurn takes a message out that has ended.
func (h *Host) endTurn(t *core.Turn, s *sender) {
	c := s.conn
	if i := slices.Index(c.begun, s); i >= 0 {
		c.begun = slices.Delete(c.begun, i, i+1)
	}
	h.nextTurn(t, c)
}

// leads reports whether a message stands for its connection, also when it has ended.
func (s *sender) leads() bool { return s.conn != nil && s.conn.last == s }

// sent returns where the last message is in the stream that the scheme sees, and what is in flight of all.
func (c *connection) sent() (next int64, inFlight core.Bytes) {
	for _, s := range c.begun {
		inFlight += core.Bytes(s.sentTo() - s.una)
	}
	return c.last.base + c.last.sentTo(), inFlight
}

// reached is the byte after the highest one ever sent, in the stream of all messages of a connection.
func (s *sender) reached() int64 {
	if s.conn == nil {
		return s.top
	}
	return s.conn.last.base + s.conn.last.top
}

// allAcked reports whether nothing is in flight, also of other messages of a connection.
func (s *sender) allAcked() bool {
	if s.conn == nil {
		return s.una >= s.top
	}
	return !slices.ContainsFunc(s.conn.begun, func(m *sender) bool { return m.una < m.top })
}

// waitsForTurn reports whether a message has to wait for an earlier one that has something to send: at first, or again.
func (s *sender) waitsForTurn() bool {
	for _, earlier := range s.conn.begun {
		if earlier == s {
			return false
		}
		if earlier.next < earlier.size {
			return true
		}
	}
	return false
}

// windowsFull is windowFull of all messages of a connection together.
func (h *Host) windowsFull(s *sender) bool {
	var inNetwork, inFlight uint64
	asks := false
	for _, other := range s.conn.begun {
		inNetwork += h.inNetwork(other)
		inFlight += other.inFlight()
		asks = asks || other.inFlight() > 0 && !other.mute()
	}
	mute := inFlight > 0 && !asks
	if s.control.Window != core.Unlimited && inNetwork >= uint64(s.control.Window) {
		return s.control.Do&algorithms.Probe == 0 && !mute
	}
	return s.window != 0 && inFlight >= uint64(s.hostWindow(h.cfg.Timing)) && !mute
}
