package rcp

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns RCP with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// A packet carries a rate in 32 bits.
const (
	headerBytes = 4
	rateUnit    = uint64(core.Kbps)
)

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name: "rcp", Hears: algorithms.Hears(algorithms.Ack), HeaderBytes: headerBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &marker{p: &s.p} }

// sender is the reaction point.
type sender struct {
	p           *Params
	line, floor core.Rate
	window      algorithms.RateWindow
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{p: s.p, line: f.Line, floor: f.Floor(1)}
	*c = algorithms.Control{Window: s.window.Start(f, s.p.Window), Wake: core.Never}
	s.window.Set(c, s.within(cmp.Or(s.p.FirstRate, f.Line)))
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack || sig.Aux == 0 {
		return
	}
	if r := s.within(core.Rate(min(sig.Aux, 1<<32-1) * rateUnit)); r != c.Rate {
		s.window.Set(c, r)
		c.Do |= algorithms.Repace
	}
}

func (s *sender) within(r core.Rate) core.Rate { return min(max(r, s.floor), s.line) }
