package dcqcn

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns DCQCN with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:         "dcqcn",
		Hears:        algorithms.Hears(algorithms.Notify, algorithms.Timer),
		Needs:        algorithms.ECN,
		LazyTimers:   true,
		NotifyIsEcho: true,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	p        *Params
	rate     core.Rate
	target   core.Rate
	stage    int    // increases since the last decrease
	notified bool   // the decrease bit
	running  bool   // there has been a notification
	decrease ticker // up to date only while notified
	increase ticker
	estimate congestion

	line, floor core.Rate
	ai, hai     core.Rate
	window      algorithms.RateWindow
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:        s.p,
		rate:     f.Line,
		target:   f.Line,
		decrease: ticker{due: core.Never, every: s.p.DecreaseTimer},
		increase: ticker{due: core.Never, every: s.p.IncreaseTimer},
		estimate: newCongestion(s.p),
		line:     f.Line,
		floor:    f.CutFloor(s.p.MinRate),
		ai:       algorithms.ValueOr(s.p.AI, f.Line/5000),
		hai:      algorithms.ValueOr(s.p.HAI, f.Line/500),
	}
	*c = algorithms.Control{Window: s.window.Start(f, s.p.Window), Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if c.Wake <= sig.Now {
		s.runTimers(sig.Instant)
	}
	if sig.Kind == algorithms.Notify {
		s.onNotify(sig.Instant)
	}
	if c.Rate != s.rate {
		s.window.Set(c, s.rate)
	}
	c.Wake = s.wake()
}

// wake returns when the rate may next change.
func (s *sender) wake() core.Time {
	if s.notified {
		return min(s.decrease.due, s.increase.due)
	}
	return s.increase.due
}

// runTimers runs the decreases and increases that come before the instant, in order.
func (s *sender) runTimers(at core.Instant) {
	for {
		switch {
		case s.notified && s.decreaseFirst() && s.decrease.fired(at):
			s.onDecrease()
		case s.increase.fired(at):
			s.onIncrease()
		default:
			return
		}
	}
}

// decreaseFirst reports whether the decrease timer fires before the increase timer.
func (s *sender) decreaseFirst() bool {
	d, i := &s.decrease, &s.increase
	return d.due < i.due || d.due == i.due && d.armed <= i.armed
}

func (s *sender) onNotify(at core.Instant) {
	if !s.running {
		s.running, s.notified = true, true
		s.estimate.begin(at.Now)
		s.decrease.start(at.Now, s.decrease.every+core.Nanosecond)
		if s.p.FirstRate != 1 {
			s.rate = max(s.floor, s.rate.Scale(s.p.FirstRate))
		}
		s.target = s.rate
		return
	}
	s.estimate.catchUp(at)
	s.estimate.notified = true
	if !s.notified {
		s.decrease.skip(at)
		s.notified = true
	}
}

// onDecrease runs a tick of the decrease timer that finds its bit set. Of ticks due and
// armed together alpha's comes first.
func (s *sender) onDecrease() {
	now := s.decrease.due
	s.estimate.catchUp(core.Instant{Now: now, Born: s.decrease.armed + 1})
	if s.p.ClampTarget || s.stage != 0 {
		s.target = s.rate
	}
	s.rate = max(s.floor, s.rate.Scale(1-float64(s.estimate.alpha/2)))
	s.stage = 0
	s.notified = false
	s.increase.start(now, s.increase.every)
}

func (s *sender) onIncrease() {
	s.increase.tick()
	switch {
	case s.stage == s.p.FastRecovery:
		s.target = min(s.line, s.target+s.ai)
	case s.stage > s.p.FastRecovery:
		s.target = min(s.line, s.target+s.hai)
	}
	s.rate = max(1, s.rate/2+s.target/2)
	s.stage++
}
