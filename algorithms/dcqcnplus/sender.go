package dcqcnplus

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// maxPeriod bounds the CNP period that a sender accepts.
const maxPeriod = core.Second

// sender is the reaction point of one flow.
type sender struct {
	p      *Params
	rate   core.Rate // R_C
	target core.Rate // R_T
	alpha  algorithms.Alpha

	stage int           // increases since the last decrease (S)
	tau   core.Duration // CNP period that the receiver has reported
	every core.Duration // increase timer (K)
	due   core.Time     // its end; core.Never at the line rate
	armed core.Time

	line, floor core.Rate
	mtu         core.Bytes
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:      s.p,
		rate:   f.Line,
		target: f.Line,
		alpha:  algorithms.NewAlpha(1, s.p.G),
		due:    core.Never,
		line:   f.Line,
		floor:  f.Floor(cmp.Or(s.p.MinRate, f.Line/1000)),
		mtu:    f.MTU,
	}
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	for sig.Fired(s.due, s.armed) {
		s.onTimer()
	}
	if sig.Kind == algorithms.Notify {
		s.onCNP(sig.Instant, sig.Aux)
	}
	if c.Rate != s.rate {
		c.Rate = s.rate
		c.Do |= algorithms.Repace
	}
	c.Wake = s.due
}

// onCNP decreases the rate and scales both timers with the CNP period tau, in ps, that the
// receiver reports.
func (s *sender) onCNP(at core.Instant, tau uint64) {
	s.alpha.Decay(at)
	s.tau = core.Duration(min(tau, uint64(maxPeriod)))
	base := s.base()
	if s.p.AlphaFirst {
		s.alpha.Raise()
	}
	s.target = s.rate
	s.rate = max(s.floor, s.rate.Scale(1-float64(s.alpha.Value/2)))
	if !s.p.AlphaFirst {
		s.alpha.Raise()
	}
	s.alpha.Restart(at.Now, base)
	s.stage = 0
	s.every = s.timer(base)
	s.armed, s.due = at.Now, at.Now.Add(s.every)
}

// base returns the time in which the flow can expect a CNP: max(tau, MTU / R_C), with tau at
// least min_period.
func (s *sender) base() core.Duration {
	return max(s.tau, s.p.MinPeriod, core.Exact.TxTime(s.mtu, s.rate))
}

// timer returns the increase timer K for a base.
func (s *sender) timer(base core.Duration) core.Duration {
	return core.Truncate[core.Duration](float64(base) * s.p.Lambda)
}

// onTimer ends a cycle of the increase timer.
func (s *sender) onTimer() {
	s.alpha.Decay(core.Instant{Now: s.due, Born: s.armed})
	now := s.due
	s.stage++
	s.target = min(s.line, s.target+s.step())
	s.rate = (s.rate + s.target + 1) / 2
	if s.p.Rescale {
		s.every = s.timer(s.base())
	}
	s.armed, s.due = now, now.Add(s.every)
	if s.rate >= s.line {
		s.due = core.Never
	}
}

// step returns what the stage adds to the target: nothing for S <= F, an additive step for
// S <= 4F, and beyond a hyper step that grows with S.
func (s *sender) step() core.Rate {
	additive := 4 * s.p.Recovery // last stage that is additive
	if s.p.Step == "simulator" {
		return s.simulatorStep(additive)
	}
	switch {
	case s.stage <= s.p.Recovery:
		return 0
	case s.stage <= additive:
		return min(s.rate/10, s.line/100)
	}
	return min(s.rate, core.Rate(s.stage-additive)*(s.line/100))
}

func (s *sender) simulatorStep(additive int) core.Rate {
	switch {
	case s.stage <= s.p.Recovery:
		return 0
	case s.stage > additive:
		return min(s.rate, core.Rate(s.stage-additive+1)*(s.line/100))
	case s.alpha.Value > 0.1:
		return min(s.rate/5, s.line/50)
	}
	return min(s.rate/10, s.line/100)
}
