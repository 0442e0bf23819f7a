package dcqcnpaper

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// sender is the reaction point of one flow.
type sender struct {
	p      *Params
	rate   core.Rate // R_C
	target core.Rate // R_T
	alpha  algorithms.Alpha

	timers int        // timer cycles since the last decrease (T)
	bytes  int        // byte cycles since the last decrease (BC)
	left   core.Bytes // of the byte cycle
	due    core.Time  // end of the timer cycle; core.Never at the line rate
	armed  core.Time

	line, floor core.Rate
	ai, hai     core.Rate
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:      s.p,
		rate:   f.Line,
		target: f.Line,
		alpha:  algorithms.NewAlpha(s.p.InitialAlpha, s.p.G),
		due:    core.Never,
		line:   f.Line,
		floor:  f.Floor(s.p.MinRate),
		ai:     algorithms.ValueOr(s.p.AI, f.Line/5000),
		hai:    algorithms.ValueOr(s.p.HAI, f.Line/500),
	}
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	for sig.Fired(s.due, s.armed) {
		s.onTimer()
	}
	switch sig.Kind {
	case algorithms.Notify:
		s.onCNP(sig.Instant)
	case algorithms.Sent:
		s.onSent(sig.Bytes)
	}
	if c.Rate != s.rate {
		c.Rate = s.rate
		c.Do |= algorithms.Repace
	}
	c.Wake = s.due
}

// onCNP decreases the rate and resets all counters (SIGCOMM 2015, equation 1).
func (s *sender) onCNP(at core.Instant) {
	s.alpha.Decay(at)
	if s.p.AlphaFirst {
		s.alpha.Raise()
	}
	if s.p.ClampTarget || s.timers|s.bytes != 0 {
		s.target = s.rate
	}
	s.rate = max(s.floor, s.rate.Scale(1-float64(s.alpha.Value/2)))
	if !s.p.AlphaFirst {
		s.alpha.Raise()
	}
	s.timers, s.bytes, s.left = 0, 0, s.p.ByteCounter
	s.armed, s.due = at.Now, at.Now.Add(s.p.RateTimer)
	s.alpha.Restart(at.Now, s.p.AlphaTimer)
}

func (s *sender) onTimer() {
	s.armed, s.due = s.due, s.due.Add(s.p.RateTimer)
	s.timers++
	s.increase()
}

func (s *sender) onSent(n core.Bytes) {
	if s.p.ByteCounter == 0 || s.due == core.Never {
		return
	}
	if s.left -= n; s.left <= 0 {
		s.left += s.p.ByteCounter
		s.bytes++
		s.increase()
	}
}

// increase ends a cycle (SIGCOMM 2015, equations 3 and 4). A flow whose rate and target are
// the line rate has nothing to increase until the next decrease.
func (s *sender) increase() {
	s.target = min(s.line, s.target+s.step())
	s.rate = (s.rate + s.target + 1) / 2
	if s.rate >= s.line {
		s.due = core.Never
	}
}

// step returns what the stage adds to the target.
func (s *sender) step() core.Rate {
	last := s.p.FastRecovery // of the cycles before hyper increase
	if s.p.StageGE {
		last--
	}
	switch hyper := min(s.timers, s.bytes) - last; {
	case max(s.timers, s.bytes) < s.p.FastRecovery:
		return 0
	case hyper > 0:
		return core.Rate(hyper) * s.hai
	}
	return s.ai
}
