package timely

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns TIMELY with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// headerBytes is the send time stamp that a packet carries.
const headerBytes = 8

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name: "timely", Hears: algorithms.Hears(algorithms.Ack), HeaderBytes: headerBytes,
		Reach: algorithms.Reach{Param: "t_high", RTT: s.p.THigh},
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	p         *Params
	last      int64 // an ACK beyond it is evaluated; 0 before the first ACK
	rate      core.Rate
	rtt       float64 // at the previous evaluation, ns
	diff      float64 // smoothed RTT difference, ns
	increases int     // since the last decrease

	line, floor core.Rate
	ai, hai     core.Rate
	window      algorithms.RateWindow
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:     s.p,
		rate:  f.Line,
		line:  f.Line,
		floor: f.CutFloor(s.p.MinRate),
		ai:    algorithms.ValueOr(s.p.AI, f.Line/1000),
		hai:   algorithms.ValueOr(s.p.HAI, f.Line/200),
	}
	*c = algorithms.Control{Window: s.window.Start(f, s.p.Window), Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack || sig.Acked <= s.last {
		return
	}
	rtt := sig.RTT.Nanos()
	if s.last != 0 {
		s.evaluate(rtt)
		s.window.Set(c, s.rate)
	}
	if sig.Next > s.last {
		s.last, s.rtt = sig.Next, rtt
	}
}

// evaluate applies the rule to a round trip of rtt ns (TIMELY, algorithm 1).
func (s *sender) evaluate(rtt float64) {
	p := s.p
	s.diff = float64((1-p.EWMA)*s.diff) + float64(p.EWMA*(rtt-s.rtt))
	gradient := s.diff / p.MinRTT.Nanos()
	switch high := p.THigh.Nanos(); {
	case rtt < p.TLow.Nanos():
		s.increase()
	case rtt > high:
		s.decrease(1 - float64(p.Beta*(1-high/rtt)))
	case gradient <= 0:
		s.increase()
	default:
		s.decrease(max(0, 1-float64(p.Beta*gradient)))
	}
}

func (s *sender) increase() {
	step := s.ai
	if s.increases >= s.p.HAIAfter {
		step = s.hai
	}
	s.rate = min(s.line, s.rate+step)
	s.increases++
}

func (s *sender) decrease(factor float64) {
	s.rate = max(s.floor, s.rate.Scale(factor))
	s.increases = 0
}
