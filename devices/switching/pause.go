package switching

import "github.com/qbb-sim/qbb/core"

// sendPause tells the neighbour on port in to stop sending class prio. It is repeated later, even if the pause is so short
// that half of it is none.
func (s *Switch) sendPause(t *core.Turn, in int, prio uint8) {
	quanta := s.cfg.Pause.Quanta
	w := core.NewPause(prio, quanta, quanta == 0)
	s.sendFrame(t, in, w)
	if !w.Forever() {
		o := &s.ports[in]
		o.refresh[prio] = t.Now.Add(max(w.Lasts(o.rate)/2, core.Picosecond))
		s.arm(t, in)
	}
}

// sendResume tells it to go on.
func (s *Switch) sendResume(t *core.Turn, in int, prio uint8) {
	s.sendFrame(t, in, core.NewPause(prio, 0, false))
	if s.cfg.Pause.Quanta != 0 {
		s.ports[in].refresh[prio] = core.Never
		s.arm(t, in)
	}
}

// sendFrame sends a PFC frame through queue 0. A frame for a link that is down takes its draw and goes nowhere.
func (s *Switch) sendFrame(t *core.Turn, out int, w core.PauseWord) {
	o := &s.ports[out]
	if s.cfg.PauseTakesDraw {
		t.Decide(core.Draw{}, s.cfg.Mark)
	}
	if !o.up {
		return
	}
	p := s.pool.New()
	p.Kind, p.Aux, p.Size, p.Src = core.Pause, uint64(w), s.cfg.Pause.FrameLen, s.cfg.ID
	o.enqueue(t, &s.cfg, out, p)
	s.trySend(t, out)
}

// receivePause obeys a PFC frame.
func (s *Switch) receivePause(t *core.Turn, in int, p *core.Packet) {
	o := &s.ports[in]
	w := core.PauseWord(p.Aux)
	o.count.PauseReceived(w)
	t.PauseReceived(in, w)
	s.pool.Free(p)
	o.pauses.Apply(t.Now, w, o.rate)
	o.obey()
	if o.watchdog != nil {
		s.hear(t, in, w)
	}
	if !w.Forever() {
		s.arm(t, in)
	}
	if w.Resume() {
		s.trySend(t, in)
	}
}

// obey notes which classes must not send: those that are paused, or in a storm.
func (o *port) obey() { o.paused = o.pauses.Mask()&^1 | o.storm }

// Wake implements core.Node: pauses expire, pauses are repeated, packets have been held for long enough.
func (s *Switch) Wake(t *core.Turn, at int) {
	o := &s.ports[at]
	o.wake = core.Never
	for prio := range o.refresh {
		if o.refresh[prio] <= t.Now {
			s.sendPause(t, at, uint8(prio))
		}
	}
	if s.lanes != nil {
		s.refreshCredits(t, at)
	}
	if s.weaver != nil {
		s.giveUp(t, at)
	}
	if over := o.pauses.Expire(t.Now); over != 0 {
		o.obey()
		if o.watchdog != nil {
			o.watchdog.rest(over &^ o.storm)
		}
		s.trySend(t, at)
	}
	if o.watchdog != nil {
		s.patrol(t, at)
	}
	s.arm(t, at)
}

// arm asks for a Wake at the port's earliest deadline, if that has changed.
func (s *Switch) arm(t *core.Turn, at int) {
	o := &s.ports[at]
	next := o.pauses.Next()
	for _, r := range o.refresh {
		next = min(next, r)
	}
	if s.lanes != nil {
		next = min(next, s.lanes[at].Next())
	}
	if s.weaver != nil {
		next = min(next, s.weaver.next(at))
	}
	if o.watchdog != nil {
		next = min(next, o.watchdog.next())
	}
	if next != o.wake {
		o.wake = next
		t.SetWake(at, next)
	}
}
