package qcn

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// sender is the reaction point of one flow. Its rate limiter is installed by the first CNM
// and removed when the rate is the line rate again.
type sender struct {
	p       *Params
	rate    core.Rate // current rate
	target  core.Rate
	limited bool // the limiter is installed
	cycles  cycles

	line, floor core.Rate
	ai, hai     core.Rate
	gd          float64
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:      s.p,
		rate:   f.Line,
		target: f.Line,
		cycles: newCycles(s.p, f),
		line:   f.Line,
		floor:  f.Floor(scaled(s.p.MinRate, minRate, f.Line)),
		ai:     algorithms.ValueOr(s.p.AI, scaled(0, ai, f.Line)),
		hai:    algorithms.ValueOr(s.p.HAI, scaled(0, hai, f.Line)),
		gd:     math.Ldexp(1, -s.p.Gd),
	}
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	for s.cycles.timerEnds(sig.Instant) {
		s.increase()
		s.cycles.restartTimer()
	}
	switch {
	case sig.Kind == algorithms.Switch && sig.Feedback > 0:
		s.onCNM(sig)
	case sig.Kind == algorithms.Sent && s.limited && s.cycles.bytesEnd(sig.Bytes):
		s.increase()
		s.cycles.restartBytes(s.rate)
	}
	if c.Rate != s.rate {
		c.Rate = s.rate
		c.Do |= algorithms.Repace
	}
	c.Wake = s.cycles.due
}

// onCNM decreases the rate (QCN-T, equation 2, with 802.1Q's limits):
// R = max(R (1 - Gd Fq), R min_dec_fac, min_rate).
func (s *sender) onCNM(sig *algorithms.Signal) {
	moved := !s.limited || s.cycles.moveTarget()
	if moved {
		s.target = s.rate
	}
	factor := 1 - float64(s.gd*float64(min(sig.Feedback, maxFeedback)))
	s.rate = max(s.floor, s.rate.Scale(max(factor, s.p.MinDecFac)))
	if moved {
		s.cycles.refillBytes(s.rate)
	}
	s.limited = true
	s.cycles.begin(sig.Now)
}

// increase ends a cycle: the target is cut in a first cycle far below it (extra fast
// recovery) and raised by the step of the stage otherwise, and the rate goes half the way
// to it (QCN-T, equations 3 and 4).
func (s *sender) increase() {
	if s.cycles.first() && s.target > 10*s.rate {
		s.target /= 8
	} else {
		s.target = min(s.line, s.target+s.step())
	}
	s.rate = (s.rate + s.target + 1) / 2
	if s.rate >= s.line {
		s.limited = false
		s.cycles.stop()
	}
}

// step returns what the stage adds to the target.
func (s *sender) step() core.Rate {
	hyper := s.cycles.hyper()
	switch {
	case hyper > 0:
		return core.Rate(hyper) * s.hai
	case s.cycles.recovering():
		return 0
	}
	return s.ai
}
