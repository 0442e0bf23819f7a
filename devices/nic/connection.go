package nic

import (
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
//
// Thousands of messages may be in flight, so nothing here goes through them: what they have in common is kept once, and a
// message takes it over when it is dealt with (follow).
type connection struct {
	pair    sender             // has the machine, its answer and the pace, and nothing to send
	packets int64              // sent so far
	soonest core.Duration      // by how much the first messages are due before the pair: the most of turn.ahead
	all     load               // of all messages
	last    *sender            // the message that has had its turn last; pair before there is one
	moved   bool               // the paths have changed while nothing was under way
	begun   core.Ring[*sender] // messages that have had their turn, in order: see eldest
	toSend  timerHeap          // those that have something to send, all at time 0 and so by queue pair, their order: see first
	waiting core.Ring[*sender] // for their turn
}

// turn is the place of a message on its connection.
type turn struct {
	*connection
	taken  bool          // it has had its turn
	queued bool          // in connection.toSend
	own    load          // its part of connection.all
	ahead  core.Duration // by how much it is due before the pair, unless a packet has been sent since
	since  int64         // connection.packets then
}

// load is what a message has in flight, or all messages of a connection.
type load struct {
	told      core.Bytes // to the scheme
	inFlight  uint64     // as the host's window counts it
	inNetwork uint64     // as the scheme's window counts it
	asking    int        // messages that wait for an acknowledgement they have asked for
	unacked   int        // messages of which something has been sent that has not been acknowledged
}

// post gives a message to its connection.
func (h *Host) post(t *core.Turn, s *sender, f *Flow) {
	for len(h.conns) < int(f.Connection) {
		h.conns = append(h.conns, new(connection))
	}
	c := h.conns[f.Connection-1]
	if c.last == nil {
		c.pair = sender{due: t.Now, lazy: s.lazy, hears: s.hears, line: s.line, header: s.header, port: s.port, turn: &turn{connection: c}}
		c.last = &c.pair
		h.start(t, &c.pair, f)
	}
	c.pair.port = s.port
	s.turn, s.control = &turn{connection: c}, c.pair.control
	c.waiting.Push(s)
	h.nextTurn(t, c)
}

// waits reports whether a message has not had its turn yet.
func (s *sender) waits() bool { return s.turn != nil && !s.turn.taken }

// nextTurn lets the next message begin if the last one has been sent.
func (h *Host) nextTurn(t *core.Turn, c *connection) {
	if c.waiting.Len() == 0 || c.last.unsent() {
		return
	}
	s, before := c.waiting.Pop(), c.last
	idle := c.eldest() == nil
	c.last, s.turn.taken = s, true
	c.begun.Push(s)
	s.base, s.line, s.paths = before.base+before.size, c.pair.line, c.pair.paths
	h.runTimers(t, s)
	if idle { // no other message is due as the pair is
		c.pair.due = max(c.pair.due, t.Now)
	}
	s.follow()
	s.depart(max(s.due, t.Now))
	h.bind(s)
	h.review(s)
	if idle {
		h.armFlow(t, &c.pair)
	}
	if c.moved {
		c.moved, s.moved = false, true
		h.tellPath(t, s)
	}
}

// follow makes a message take over the answer and the pace of its connection.
func (s *sender) follow() {
	m := s.turn
	s.control = m.pair.control
	s.keepPace(&m.pair)
	if m.since == m.packets {
		s.due = s.due.Add(-m.ahead)
	}
}

// keepPace makes the next packet wait as if another had sent the last one.
func (s *sender) keepPace(other *sender) {
	s.due, s.delay, s.lastSize, s.lastRate, s.lastGap = other.due, other.delay, other.lastSize, other.lastRate, other.lastGap
}

// depart makes a message due at a time of its own, until a packet of its connection is sent.
func (s *sender) depart(due core.Time) {
	m := s.turn
	s.due, m.ahead, m.since = due, m.pair.due.Sub(due), m.packets
	m.soonest = max(m.soonest, m.ahead)
}

// upToDate returns a message, or a flow, as it is now.
func (s *sender) upToDate() *sender {
	if s.turn != nil && s.turn.taken && !s.done {
		s.follow()
	}
	return s
}

// runTimers sends the Timer signals that became due while nothing was under way, as at their time.
func (h *Host) runTimers(t *core.Turn, s *sender) {
	q, last := &s.turn.pair, core.Time(-1)
	for !q.lazy && q.control.Wake < t.Now && q.control.Wake > last {
		last = q.control.Wake
		before := q.control.Rate
		h.prepare(t, s, algorithms.Timer).Now = last
		q.machine.Step(&h.signal, &q.control)
		if q.shared != nil {
			h.share(t, q, q.control.Do)
		}
		if q.control.Do&algorithms.Repace != 0 {
			h.repace(t, q, before)
		}
		q.control.Do = 0
	}
}

// tookTurn goes on after a message has sent a packet, whose pace holds for all.
func (h *Host) tookTurn(t *core.Turn, s *sender, n core.Bytes) {
	c := s.turn.connection
	c.packets, c.soonest = c.packets+1, 0
	c.pair.keepPace(s)
	c.pair.control.Do &^= algorithms.Probe
	h.afterSend(t, s, n)
	h.review(s)
	h.nextTurn(t, c)
}

// reviewTurn is review of a message, or of the pair of a connection. It also keeps the first message that has something to
// send up to date, which may now be another one.
func (h *Host) reviewTurn(s *sender) {
	h.recount(s)
	s.follow()
	if first := s.turn.first(); first != nil {
		first.follow()
		h.toLookAt(first)
	}
	h.toLookAt(s)
}

// recount notes what a message has in flight and whether it has something to send, when that may have changed.
func (h *Host) recount(s *sender) {
	m, now := s.turn, load{}
	if !s.done {
		now = load{told: core.Bytes(s.sentTo() - s.una), inFlight: s.inFlight(), inNetwork: h.inNetwork(s)}
		if now.inFlight > 0 && !s.mute() {
			now.asking = 1
		}
		if s.una < s.top {
			now.unacked = 1
		}
	}
	all, was := &m.all, &m.own
	all.told += now.told - was.told
	all.inFlight += now.inFlight - was.inFlight
	all.inNetwork += now.inNetwork - was.inNetwork
	all.asking += now.asking - was.asking
	all.unacked += now.unacked - was.unacked
	m.own = now
	if s.unsent() && !m.queued {
		m.queued = true
		m.toSend.push(0, s, timerScheme)
	}
}

// unsent reports whether a message has something to send.
func (s *sender) unsent() bool { return !s.done && s.next < s.size }

// first returns the first message that has something to send, the only one that may; nil if there is none.
func (c *connection) first() *sender {
	for len(c.toSend) > 0 {
		if s := c.toSend[0].flow; s.unsent() {
			return s
		}
		c.toSend.pop().flow.turn.queued = false
	}
	return nil
}

// eldest returns the first message that has had its turn and not ended; nil if nothing is under way. The timer of the
// scheme is kept as its own.
func (c *connection) eldest() *sender {
	for c.begun.Len() > 0 {
		if s := *c.begun.Front(); !s.done {
			return s
		}
		c.begun.Pop()
	}
	return nil
}

// waitsForTurn reports whether an earlier message has something to send, again.
func (s *sender) waitsForTurn() bool {
	if s.turn == nil {
		return false
	}
	first := s.turn.first()
	return first != nil && first != s
}

// endTurn takes a message out that has ended.
func (h *Host) endTurn(t *core.Turn, s *sender) {
	h.recount(s)
	h.nextTurn(t, s.turn.connection)
}

// inherit gives the timer of the scheme, which was that of a message that has ended, to the eldest.
func (c *connection) inherit(timers *timerHeap, e timer) {
	if heir := c.eldest(); heir != nil && e.kind == timerScheme && e.at == c.pair.control.Wake {
		timers.push(e.at, heir, timerScheme)
	}
}

// sent returns where the last message is in the stream that the scheme sees, and what is in flight of all.
func (c *connection) sent() (next int64, inFlight core.Bytes) {
	return c.last.base + c.last.sentTo(), c.all.told
}

// reached is the byte after the highest one ever sent, in the stream of all messages of a connection.
func (s *sender) reached() int64 {
	if s.turn == nil {
		return s.top
	}
	return s.turn.last.base + s.turn.last.top
}

// allAcked reports whether nothing is in flight, also of other messages of a connection.
func (h *Host) allAcked(s *sender) bool {
	if s.turn == nil {
		return s.una >= s.top
	}
	h.recount(s)
	return s.turn.all.unacked == 0
}

// windowsFull is windowFull of all messages of a connection together.
func (h *Host) windowsFull(t *core.Turn, s *sender) bool {
	if s.waitsForTurn() {
		return true
	}
	if s.lazy && s.control.Wake <= t.Now {
		h.tick(t, s)
	}
	all := &s.turn.all
	mute := all.inFlight > 0 && all.asking == 0
	if s.control.Window != core.Unlimited && all.inNetwork >= uint64(s.control.Window) {
		return s.control.Do&algorithms.Probe == 0 && !mute
	}
	return s.window != 0 && all.inFlight >= uint64(s.hostWindow(h.cfg.Timing)) && !mute
}
