package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// port is one port of a host.
type port struct {
	free      core.Time // end of the transmission under way; -1 if there is none
	pace      core.Time // when the next packet becomes due: the wake-up that is pending
	wake      core.Time // deadline last asked for
	waiting   core.Time // since when something waits for a pause to end; core.Never if nothing does
	stuck     *sender   // a pair that waits so; nil: none is known
	kicked    bool      // TxDone has been asked for
	up        bool
	gramLast  bool // of datagrams and queue pairs a datagram was served last
	rate      core.Rate
	sizes     core.TxCache
	pauses    core.Pauses
	lanes     *lanes // nil without credit flow control
	dry       uint8  // virtual lanes without the credits for a full packet
	owed      uint8  // virtual lanes for which a flow-control packet is to be sent
	answers   answers
	datagram  *core.Packet // to be sent
	list      []*sender    // queue pairs in the order of service, finished ones until cleaned; with a tournament also gaps
	last      int          // index, gaps not counted, of the pair served last: not adjusted when pairs are removed
	spent     bool         // list holds no pair that has anything to send, nor a finished one
	lookAtAll bool         // a tournament cannot tell which pair is to be served
	tree      *tournament  // of list, if that is long; else nil
	timers    timerHeap
	inbox     inbox
	classes   []*shared  // machines of classes
	notifiers []notifier // by scheme
	open      int        // queue pairs that receive
	count     core.Counters
}

func (o *port) init(tm core.Timing, rate core.Rate) {
	*o = port{free: -1, pace: core.Never, wake: core.Never, waiting: core.Never, up: true, rate: rate, sizes: core.NewTxCache(tm, rate)}
}

// trySend starts the next transmission if the port is free and something may be sent.
func (h *Host) trySend(t *core.Turn, out int) {
	o := &h.ports[out]
	if !o.up || o.answers.none() && len(o.list) == 0 && o.owed == 0 && o.datagram == nil {
		return
	}
	if t.Busy(h.cfg.ID, out, o.free) {
		if !o.kicked {
			o.kicked = true
			t.Kick(out)
		}
		return
	}
	if o.owed != 0 {
		h.sendCredit(t, o, out)
		return
	}
	if p := h.nextAnswer(t, o, out); p != nil {
		h.send(t, o, out, p)
		return
	}
	if o.datagram != nil && !o.gramLast && h.sendDatagram(t, o, out) {
		return
	}
	s, due := h.nextSender(t, o)
	if s != nil {
		o.gramLast = false
		h.sendData(t, o, out, s)
		return
	}
	if o.datagram != nil && h.sendDatagram(t, o, out) {
		return
	}
	if due > t.Now && due < o.pace && (o.pace == core.Never || !h.cfg.WakeForAll) {
		o.pace = due
		h.arm(t, out)
	}
	if o.stopped() != 0 || o.waiting != core.Never {
		h.settleWait(t, o)
	}
}

// settleWait notes, when nothing can be sent, since when that is for a pause or for want of credits
// alone: since a flow that is stopped so was due, or will be.
func (h *Host) settleWait(t *core.Turn, o *port) {
	from := core.Never
	if !o.answers.none() || o.datagram != nil {
		from = t.Now
	}
	if o.waiting <= t.Now && (from == t.Now || o.stuck != nil && h.isStuck(t, o, o.stuck)) {
		return
	}
	i := o.last // those whose turn is next are likely to wait
	if o.tree != nil {
		i = o.followingOfMany() - 1
	}
	for range o.list {
		if from <= t.Now {
			break
		}
		if i++; i >= len(o.list) {
			i = 0
		}
		if s := o.list[i]; s != nil && s.due < from && h.isStuck(t, o, s) {
			from, o.stuck = max(t.Now, s.due), s
		}
	}
	switch {
	case from == core.Never:
		o.waited(t.Now)
	case o.waiting > t.Now:
		o.waiting = from
	}
}

// isStuck reports whether a pause or the want of credits alone keeps a flow from being served when it is due.
func (h *Host) isStuck(t *core.Turn, o *port, s *sender) bool {
	return !s.done && s.next < s.size && o.stopped()>>s.prio&1 != 0 && !h.windowFull(t, s)
}

// waited ends a wait for a pause, if there is one, and counts it.
func (o *port) waited(now core.Time) { o.count.Waited, o.waiting = o.waitedBy(now), core.Never }

// waitedBy returns the time of all waits up to now.
func (o *port) waitedBy(now core.Time) core.Duration {
	if o.waiting == core.Never {
		return o.count.Waited
	}
	return o.count.Waited + max(0, now.Sub(o.waiting))
}

// send puts p on the wire.
func (h *Host) send(t *core.Turn, o *port, out int, p *core.Packet) {
	if o.waiting != core.Never {
		o.waited(t.Now)
	}
	o.count.Sent(p)
	if o.lanes != nil && p.Prio != 0 {
		h.giveOut(t, o, out, p)
	}
	o.free = t.Now + core.Time(o.sizes.TxTime(p.Size))
	o.kicked = !o.answers.none() || len(o.list) > 0 || o.owed != 0 || o.datagram != nil
	t.Transmit(out, p, o.free, o.kicked)
}

// nextSender chooses the queue pair to serve: in turn after the one served last, the first
// that may send now. If there is none it returns the earliest time at which one is due.
// Finished pairs that it comes across are removed from the list, and with them the chosen one
// if that has finished and sends what is left.
func (h *Host) nextSender(t *core.Turn, o *port) (chosen *sender, due core.Time) {
	n := len(o.list)
	due = core.Never
	if n == 0 || o.spent {
		return nil, due
	}
	if n >= manyPairs && !o.lookAtAll {
		if chosen, due, ok := h.nextOfMany(t, o); ok {
			return chosen, due
		}
		n = len(o.list)
	}
	o.spent = true
	finished := n // lowest index of a finished pair passed
	at := -1
	paused := o.stopped()
	i := o.following(n)
	for range n {
		s := o.list[i]
		if s.next < s.size {
			o.spent = false
			stopped := paused>>s.prio&1 != 0 || h.windowFull(t, s)
			if !stopped && s.due <= t.Now {
				at = i
				break
			}
			switch {
			case s.done:
			case !stopped:
				due = min(due, s.due)
			case h.cfg.WakeForAll:
				due = min(due, s.upToDate().due)
			}
		}
		if s.done {
			o.spent = false
			finished = min(finished, i)
		}
		if i++; i == n {
			i = 0
		}
	}
	if at >= 0 {
		chosen = o.list[at]
	}
	switch {
	case finished == n:
	case chosen != nil:
		at = o.clean(finished, at)
	case h.cfg.WakeForAll:
		o.clean(finished, at)
	default:
		o.last = o.clean(finished, min(o.last+1, n)) - 1
	}
	if chosen != nil {
		o.last = at
	}
	return chosen, due
}

// following is the index of the pair whose turn is next, of so many.
func (o *port) following(n int) int {
	i := o.last + 1
	if i >= n {
		i %= n
	}
	return i
}

// clean removes the finished pairs from index first on, and returns the index that the pair at index at has then: if that
// is removed, the index of the next pair that stays. The index behind the last pair stays behind the last.
func (o *port) clean(first, at int) int {
	keep, n := first, len(o.list)
	for i := first; i < n; i++ {
		if i == at {
			at = keep
		}
		if s := o.list[i]; !s.done {
			o.list[keep] = s
			keep++
		}
	}
	clear(o.list[keep:])
	o.list = o.list[:keep]
	if at == n {
		at = keep
	}
	return at
}

// windowFull reports whether the flow has as much in flight as it may, and will hear of it: a scheme's window limits
// what is in the network, the host's, as IRN's, all from the first unacknowledged byte on. On a connection it may also be
// another message's turn.
func (h *Host) windowFull(t *core.Turn, s *sender) bool {
	if s.turn != nil {
		return h.windowsFull(t, s)
	}
	if s.lazy && s.control.Wake <= t.Now {
		h.tick(t, s)
	}
	if s.control.Window != core.Unlimited && h.inNetwork(s) >= uint64(s.control.Window) {
		return s.control.Do&algorithms.Probe == 0 && !s.mute()
	}
	return s.window != 0 && s.inFlight() >= uint64(s.hostWindow(h.cfg.Timing)) && !s.mute()
}

// inFlight is the bytes from the first unacknowledged one to the next: huge if next < una, see Config.SkipAcked.
func (s *sender) inFlight() uint64 { return uint64(s.next - s.una) }

// inNetwork is the bytes in flight, but for those which selective recovery knows not to be in the network.
func (h *Host) inNetwork(s *sender) uint64 {
	if s.recovers {
		return s.lost.inNetwork(s, int64(h.cfg.MTU))
	}
	return s.inFlight()
}

// sendData makes the next packet of a flow and puts it on the wire.
func (h *Host) sendData(t *core.Turn, o *port, out int, s *sender) {
	p := h.makeData(t, s)
	s.control.Do &^= algorithms.Probe
	if t.Trace != nil {
		t.Trace.Add(t.Now, h.cfg.ID, out, p.Prio, core.EventDequeue, 0, p)
	}
	size := core.Bytes(p.Size)
	h.send(t, o, out, p)
	if size != s.lastSize {
		s.lastSize, s.lastRate = size, 0
	}
	s.due = t.Now.Add(h.gap(s))
	if s.turn != nil {
		h.tookTurn(t, s, size)
		return
	}
	h.afterSend(t, s, size)
}

// gap is the least time between the start of the last packet and that of the next one.
func (h *Host) gap(s *sender) core.Duration {
	if h.cfg.Unpaced {
		return s.gapAt(h.cfg.Timing, s.line)
	}
	s.delay = s.control.Gap
	return s.gapAt(h.cfg.Timing, s.control.Rate) + s.delay
}

// arm asks for a Wake at the port's earliest deadline, if that has changed.
func (h *Host) arm(t *core.Turn, at int) {
	o := &h.ports[at]
	next := min(o.pace, o.pauses.Next(), o.timers.next(), o.inbox.next())
	for i := range o.notifiers {
		next = min(next, o.notifiers[i].reply.Wake)
	}
	if o.lanes != nil {
		next = min(next, o.lanes.Next())
	}
	if next != o.wake {
		o.wake = next
		t.SetWake(at, max(next, t.Now))
	}
}
