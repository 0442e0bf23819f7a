package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// mayTimeOut reports whether a flow waits for what may not come: acknowledgements, or, with a window of 0, leave to send.
func (h *Host) mayTimeOut(s *sender) bool {
	return h.inNetwork(s) > 0 || s.control.Window == 0 && s.next < s.size
}

// progress restarts the retransmission timer after new data has been acknowledged, or stops it if
// nothing is in flight (RFC 6298, section 5), or nothing that asks for an acknowledgement.
func (h *Host) progress(t *core.Turn, s *sender) {
	if s.timeout == 0 || s.done {
		return
	}
	s.backoff = 0
	s.stalls = 0
	if s.mute() || !h.mayTimeOut(s) {
		s.rto = core.Never
		return
	}
	h.setTimeout(t, s, t.Now.Add(h.chooseTimeout(s)))
}

// setTimeout starts the retransmission timer. An entry in the port's heap that comes before it
// serves it too.
func (h *Host) setTimeout(t *core.Turn, s *sender, at core.Time) {
	s.rto = at
	if at < s.armed {
		s.armed = at
		h.ports[s.port].timers.push(at, s, timerRTO)
		h.arm(t, int(s.port))
	}
}

// fireTimers serves the timers of flows that are due at a port. A flow may have moved to another
// port since its timer was started.
func (h *Host) fireTimers(t *core.Turn, at int) {
	o := &h.ports[at]
	for o.timers.next() <= t.Now {
		e := o.timers.pop()
		s := e.flow.upToDate()
		switch {
		case s.done:
			if s.turn != nil {
				s.turn.inherit(&o.timers, e)
			}
			continue
		case e.kind == timerRTO && s.armed == e.at:
			h.checkTimeout(t, s)
		case e.kind == timerScheme && s.control.Wake == e.at:
			h.tick(t, s)
		}
		if int(s.port) != at {
			h.trySend(t, int(s.port))
		}
	}
}

// mostBackoff bounds the binary logarithm of how much longer than the first the last time-outs in a row are.
const mostBackoff = 4

// checkTimeout goes back to the first unacknowledged byte, or counts what is in flight as lost, if there
// has been no progress since the timer was started; otherwise it waits for the time that progress
// has set. The timer starts again with what is sent next, or at once if the scheme lets nothing be sent.
func (h *Host) checkTimeout(t *core.Turn, s *sender) {
	s.armed = core.Never
	switch {
	case s.rto > t.Now:
		h.setTimeout(t, s, s.rto)
		return
	case !h.mayTimeOut(s):
		s.rto = core.Never
		return
	case h.extended(t, s):
		return
	}
	s.stats.Timeouts++
	s.stalls++
	if h.cfg.Retries > 0 && s.stalls > h.cfg.Retries {
		h.giveUp(t, s)
		return
	}
	s.backoff = min(s.backoff+1, mostBackoff)
	s.next, h.ports[s.port].spent = s.una, false
	h.askAgain(s)
	if s.lost != nil {
		s.lost.expire(s, int64(h.cfg.MTU))
	}
	s.due = min(s.due, t.Now)
	if s.turn != nil {
		s.depart(s.due)
	}
	s.rto = core.Never
	if h.cfg.Entropy == Protective {
		h.repath(s)
	}
	h.review(s)
	if s.hears.Has(algorithms.Loss) {
		h.signal = algorithms.Signal{Instant: t.Instant, Kind: algorithms.Loss, Flags: algorithms.Timeout, Acked: s.base + s.una, Next: s.base + s.sentTo()}
		h.step(t, s)
	}
	h.awaitLeave(t, s)
}

// awaitLeave starts the retransmission timer of a flow that waits for leave to send, unless it runs.
func (h *Host) awaitLeave(t *core.Turn, s *sender) {
	if s.control.Window == 0 && s.rto == core.Never && s.timeout > 0 && !s.done && s.next < s.size {
		h.setTimeout(t, s, t.Now.Add(h.chooseTimeout(s)<<s.backoff))
	}
}

// inVain reports whether go-back-0, at a fall back, has not come beyond its highest byte for as long as all time-outs of
// a flow without progress last: acknowledgements of what has been acknowledged before keep those from coming.
func (h *Host) inVain(t *core.Turn, s *sender) bool {
	if at := s.una + 1; at > s.highest {
		s.highest, s.risen = at, t.Now
		return false
	}
	return h.outlasts(t, s)
}

// outlasts reports whether all time-outs of a flow without progress would have passed since s.risen.
func (h *Host) outlasts(t *core.Turn, s *sender) bool {
	last := min(int64(h.cfg.Retries), 1<<40) // a shift of it fits
	if last == 0 || s.timeout == 0 {
		return false
	}
	waits := int64(1)<<(1+min(last, mostBackoff)) - 1 + max(0, last-mostBackoff)<<mostBackoff
	return int64(t.Now.Sub(s.risen)/max(s.timeout, s.upToDate().control.Timeout)) >= waits
}

// giveUp ends a flow that makes no progress.
func (h *Host) giveUp(t *core.Turn, s *sender) {
	s.done, s.next = true, s.size // nothing is left to send
	h.ports[s.port].spent = false
	h.review(s)
	s.rto = core.Never
	if s.turn != nil {
		h.endTurn(t, s)
	}
	t.Flow(core.FlowFailed, int(s.port), s.id)
	h.retire(s)
}

// armFlow makes the port's timer serve the flow's machine, unless that is evaluated lazily.
func (h *Host) armFlow(t *core.Turn, s *sender) {
	at := s.control.Wake
	if s.lazy || s.done || at == core.Never {
		return
	}
	if s.turn != nil {
		if s = s.turn.eldest(); s == nil {
			return
		}
	}
	h.ports[s.port].timers.push(at, s, timerScheme)
	h.arm(t, int(s.port))
}
