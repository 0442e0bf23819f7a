package rocc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns RoCC with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{Name: "rocc", Hears: algorithms.Hears(algorithms.Switch, algorithms.Timer)}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &marker{p: &s.p} }

// sender is the reaction point. Without a limit its rate is the line's and its timer is off.
type sender struct {
	p           *Params
	line, floor core.Rate
	from        uint32 // congestion point of the limit
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{p: s.p, line: f.Line, floor: f.Floor(1)}
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch sig.Kind {
	case algorithms.Switch:
		if from, rate := decode(sig.Feedback); rate <= c.Rate || from == s.from {
			s.limit(sig.Now, c, from, max(rate, s.floor))
		}
	case algorithms.Timer:
		if c.Wake <= sig.Now {
			s.limit(sig.Now, c, s.from, 2*c.Rate)
		}
	}
}

// limit sets the rate and starts the recovery timer, or removes the limit.
func (s *sender) limit(now core.Time, c *algorithms.Control, from uint32, rate core.Rate) {
	s.from, c.Do = from, algorithms.Repace
	c.Rate, c.Wake = min(rate, s.line), core.Never
	if rate < s.line {
		c.Wake = now.Add(s.p.recovery())
	}
}
