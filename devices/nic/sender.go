package nic

import (
	"math/bits"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// sender is the sending side of one queue pair. Invariant: una <= next <= top <= size, except that without
// Config.SkipAcked, and with go-back-0, a sender that has gone back may have next below una. With
// selective recovery, next is top or the first byte of a lost packet.
type sender struct {
	// What nextSender looks at comes first: one cache line.
	done     bool
	lazy     bool // timers are evaluated when the answer is used
	scale    bool
	recovers bool // selective recovery is under way
	hasINT   bool
	moved    bool // the path has changed, which the scheme is to hear
	prio     uint8
	ect      core.Flags
	due      core.Time // earliest time of the next packet
	una      int64     // first unacknowledged byte
	next     int64     // next byte to send
	size     int64
	control  algorithms.Control
	rtt      core.Duration // of the last acknowledgement
	window   core.Bytes    // the host's window, 0 for none
	line     core.Rate     // of the port by which it started
	lastSize core.Bytes
	lastRate core.Rate
	lastGap  core.Duration // transmission time of lastSize at lastRate
	delay    core.Duration // fixed delay that due includes
	hears    algorithms.Signals
	marker   uint8 // as in Flow
	receiver uint8
	port     int32
	qp       int32
	header   int32 // bytes of a data packet without payload
	machine  algorithms.Sender
	shared   *shared // nil: the machine is the flow's own
	turn     *turn   // nil: the queue pair has this message alone
	base     int64   // bytes of the messages before it on its connection

	rto     core.Time // when to go back; core.Never if nothing is in flight
	armed   core.Time // entry in a port's heap of timers that will look at rto; core.Never for none
	backoff uint8
	echo    bool       // an ECN echo is a Notify
	place   int32      // 1 + index in the list of its port, if that has a tournament; else 0
	stalls  int        // time-outs in a row
	highest int64      // 1 + the highest byte from which go-back-0 has fallen back; 1 if packets were trimmed and none has arrived since; 0: neither
	risen   core.Time  // since when
	top     int64      // highest byte ever sent: what is below it is a retransmission
	lost    *holes     // selective recovery; nil for the others
	paths   *entropies // nil with OfFlow
	stats   FlowStats
	unasked int64 // packets sent since the last one that asks for an acknowledgement
	asked   int64 // byte after the highest packet that asks, without those that askAgain gives up

	// Of the flow, as its Flow says, for packets and time-outs.
	id      int32
	dst     core.NodeID
	dstQP   int32
	srcPort uint16
	dstPort uint16
	timeout core.Duration // Flow.RTO, or Config.RTO
	baseRTT core.Duration
}

// FlowStats is what a flow has gone through.
type FlowStats struct {
	RetransmittedBytes int64
	MarkedPackets      int64 // acknowledgements with the ECN echo
	Timeouts           int64
}

// makeData builds the packet at next and advances next.
func (h *Host) makeData(t *core.Turn, s *sender) *core.Packet {
	payload := min(int64(h.cfg.MTU), s.size-s.next)
	p := h.pool.New()
	p.Sent, p.Seq, p.Aux = t.Now, s.next, s.control.Stamp
	p.Src, p.Dst = h.cfg.ID, s.dst
	p.SrcQP, p.DstQP = s.qp, s.dstQP
	p.SrcPort, p.DstPort = h.sourcePort(s), s.dstPort
	p.Size, p.Payload = s.header+int32(payload), int32(payload)
	p.Prio, p.Flags, p.Marker, p.Scheme = s.prio, s.ect, s.marker, s.receiver
	if s.hasINT {
		h.pool.AddINT(p)
	}
	s.next += payload
	if s.next >= s.size {
		p.Flags |= core.Last
	}
	if p.Seq < s.top {
		p.Flags |= core.Rtx
		s.stats.RetransmittedBytes += min(payload, s.top-p.Seq)
		if s.lost != nil {
			s.next = s.lost.resent(s, p.Seq, int64(h.cfg.MTU))
		}
	}
	if h.cfg.AckEvery > 1 {
		h.request(s, p)
	}
	s.top = max(s.top, s.next)
	return p
}

// afterSend tells the scheme, if it listens, and starts the retransmission timer.
func (h *Host) afterSend(t *core.Turn, s *sender, n core.Bytes) {
	if s.timeout > 0 && s.rto == core.Never && s.unasked == 0 {
		h.setTimeout(t, s, t.Now.Add(h.chooseTimeout(s)<<s.backoff))
	}
	if s.hears.Has(algorithms.Sent) {
		h.prepare(t, s, algorithms.Sent).Bytes = n
		h.step(t, s)
	}
}

// receiveAck is the sender's side of an ACK or a NACK.
func (h *Host) receiveAck(t *core.Turn, p *core.Packet) {
	s := h.tx[p.DstQP]
	if s.done {
		h.pool.Free(p)
		return
	}
	if p.Flags&core.Trimmed != 0 {
		h.sendTrimmed(t, s, p)
		return
	}
	newly, nack := max(0, p.Seq-s.una), p.Kind == core.Nack
	s.una += newly
	if s.paths != nil {
		h.learn(s, p)
	}
	vain := false
	s.rtt = t.Now.Sub(p.Sent)
	if p.Flags&core.ECE != 0 {
		s.stats.MarkedPackets++
	}
	if s.una >= s.size {
		h.finish(t, s)
	}
	switch {
	case s.lost != nil:
		s.next, s.highest = s.lost.hear(s, p, int64(h.cfg.MTU), h.cfg.Reordering), 0
	case nack:
		if h.recovery(s.prio) == GoBack0 {
			vain = h.inVain(t, s)
			s.una -= s.una % h.cfg.Chunk
		}
		s.next = s.una
		h.askAgain(s)
	case h.cfg.SkipAcked:
		s.next = max(s.next, s.una)
	}
	if s.done || s.next < s.size {
		h.ports[s.port].spent = false
	}
	h.review(s)
	h.signalAck(t, s, p, newly)
	if newly > 0 {
		h.progress(t, s)
	}
	if vain && !s.done {
		h.giveUp(t, s)
	}
	h.pool.Free(p)
	h.retire(s)
	h.trySend(t, int(s.port))
}

// retire frees the memory of a flow that has ended and sends nothing any more, but keeps what Flow returns.
func (h *Host) retire(s *sender) {
	if s.done && s.next >= s.size {
		s.lost, s.machine, s.paths = nil, nil, nil
	}
}

// signalAck shows an acknowledgement to the scheme.
func (h *Host) signalAck(t *core.Turn, s *sender, p *core.Packet, newly int64) {
	if s.echo && p.Flags&core.ECE != 0 {
		sig := h.prepare(t, s, algorithms.Notify)
		sig.Flags, sig.Acked = algorithms.ECE, s.base+p.Seq
		h.step(t, s)
	}
	if !s.hears.Has(algorithms.Ack) {
		return
	}
	sig := h.prepare(t, s, algorithms.Ack)
	sig.Bytes, sig.Acked = core.Bytes(newly), s.base+p.Seq
	sig.SentAt, sig.RTT, sig.Aux = p.Sent, t.Now.Sub(p.Sent), p.Aux
	sig.HostTime = core.Duration(p.HostNanos) * core.Nanosecond
	if p.Flags&core.ECE != 0 {
		sig.Flags = algorithms.ECE
		sig.Marked = sig.Bytes
	}
	if p.Kind == core.Nack && (s.lost == nil || h.cfg.Reordering == 0 || s.recovers && s.lost.overtaken(s, int64(h.cfg.MTU))) {
		sig.Flags |= algorithms.IsNack
	}
	if p.INT != nil {
		sig.Hops = p.INT[:min(int(p.NHops), h.cfg.INT.MaxHops)]
	}
	h.step(t, s)
}

// prepare begins a signal with the fields that all kinds have. They are set in place: a long literal is
// built elsewhere and copied.
func (h *Host) prepare(t *core.Turn, s *sender, kind algorithms.SignalKind) *algorithms.Signal {
	sig, sent := &h.signal, s.sentTo()
	*sig = algorithms.Signal{Kind: kind}
	sig.Instant, sig.Next, sig.InFlight = t.Instant, sent, core.Bytes(sent-s.una)
	if s.turn != nil {
		h.recount(s)
		sig.Next, sig.InFlight = s.turn.sent()
	}
	return sig
}

// step gives the prepared signal to the machine of the flow, or of its connection, and obeys its answer.
func (h *Host) step(t *core.Turn, s *sender) {
	q := s
	if s.turn != nil {
		q = &s.turn.pair
	}
	before := q.control.Rate
	wake := q.control.Wake
	q.machine.Step(&h.signal, &q.control)
	if q.shared != nil {
		h.share(t, q, q.control.Do)
	}
	if q.control.Do&algorithms.Repace != 0 {
		q.control.Do &^= algorithms.Repace
		h.repace(t, q, before)
	}
	if q.control.Wake != wake {
		h.armFlow(t, q)
	}
	h.review(s) // in which a message of a connection takes over the answer
	if s.control.Window == 0 {
		h.awaitLeave(t, s)
	}
}

// tick sends the Timer signal of a machine whose timers are evaluated lazily.
func (h *Host) tick(t *core.Turn, s *sender) {
	h.prepare(t, s, algorithms.Timer)
	h.step(t, s)
}

// repace moves the gap that is running since the last packet from the old rate and delay to the new ones, and the
// wake-up with it if that now comes too late: even a wake-up due now moves, behind what is scheduled.
// Without pacing the gap is that of the line rate, which stays; in NS-3's arithmetic the reference moves it all the same.
func (h *Host) repace(t *core.Turn, s *sender, old core.Rate) {
	if s.control.Rate != old && (!h.cfg.Unpaced || h.cfg.Timing != core.Exact) {
		gap := h.cfg.Timing.TxTime(s.lastSize, s.control.Rate)
		s.due = s.due.Add(gap - s.gapAt(h.cfg.Timing, old))
		s.lastGap, s.lastRate = gap, s.control.Rate
	}
	if !h.cfg.Unpaced {
		s.due = s.due.Add(s.control.Gap - s.delay)
		s.delay = s.control.Gap
	}
	due := s.due
	if s.turn != nil {
		due = due.Add(-s.turn.soonest)
	}
	o := &h.ports[s.port]
	if o.pace != core.Never && o.pace > due {
		o.pace, o.wake = max(t.Now, due), core.Never
		h.arm(t, int(s.port))
	}
}

// gapAt returns the transmission time of the last packet at a rate.
func (s *sender) gapAt(tm core.Timing, r core.Rate) core.Duration {
	if r != s.lastRate {
		s.lastGap, s.lastRate = tm.TxTime(s.lastSize, r), r
	}
	return s.lastGap
}

// finish ends a flow whose last byte has been acknowledged. It stays in its port's list until
// that is cleaned, and without Config.SkipAcked still sends what it has gone back to, at its last rate.
func (h *Host) finish(t *core.Turn, s *sender) {
	s.upToDate() // it keeps this answer
	if s.lazy && s.control.Wake <= t.Now {
		h.tick(t, s)
	}
	s.done = true
	s.lazy = s.lazy && s.control.Wake == core.Never // timers that run are cancelled; this very ACK may start others
	s.rto = core.Never
	if h.cfg.KeepOrder {
		h.order.Remove(s)
	}
	if s.turn != nil {
		h.endTurn(t, s)
	}
	t.Flow(core.FlowDone, int(s.port), s.id)
}

// receiveNotice is the sender's side of a CNP, a CNM or a grant.
func (h *Host) receiveNotice(t *core.Turn, p *core.Packet) {
	if int(p.DstQP) >= len(h.tx) {
		h.pool.Free(p)
		return
	}
	s := h.tx[p.DstQP]
	if s.done && s.turn != nil { // its machine goes on
		s = &s.turn.pair
	}
	kind := algorithms.Notify
	switch p.Kind {
	case core.CNM:
		kind = algorithms.Switch
	case core.Grant:
		kind = algorithms.Grant
	}
	if !s.done && s.hears.Has(kind) {
		sig := h.prepare(t, s, kind)
		sig.Feedback, sig.Aux, sig.SentAt = int32(p.Seq), p.Aux, p.Sent
		h.step(t, s)
	}
	h.pool.Free(p)
	h.trySend(t, int(s.port))
}

// hostWindow is the host's window, 0 for none; if it is to shrink with the rate, window*rate/line in integers, at least
// 1. In NS-3's arithmetic the product has 64 bits.
func (s *sender) hostWindow(tm core.Timing) core.Bytes {
	if !s.scale || s.window == 0 {
		return s.window
	}
	hi, lo := bits.Mul64(uint64(s.window), uint64(s.control.Rate))
	if tm != core.Exact {
		hi = 0
	}
	q, _ := bits.Div64(hi, lo, uint64(s.line))
	return max(1, core.Bytes(q))
}

// Flow returns the state of a queue pair: bytes acknowledged, whether it is done, the answer of
// its scheme, and its statistics.
func (h *Host) Flow(qp int32) (acked int64, done bool, c algorithms.Control, st FlowStats) {
	s := h.tx[qp].upToDate()
	return s.una, s.done, s.control, s.stats
}

// FlowID returns the number of the flow of a queue pair, or -1 if there is no such pair.
func (h *Host) FlowID(qp int32) int64 {
	if int(qp) >= len(h.tx) {
		return -1
	}
	return int64(h.tx[qp].id)
}
