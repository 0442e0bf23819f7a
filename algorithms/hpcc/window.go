package hpcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type windowScheme struct{ p WindowParams }

// NewWindow returns HPCC's window form with the given parameters, or says which of them is
// wrong.
func NewWindow(p WindowParams) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &windowScheme{p}, nil
}

func (s *windowScheme) Traits() algorithms.Traits {
	t := (&scheme{}).Traits()
	t.Name = "hpcc-window"
	return t
}

func (s *windowScheme) NewSender() algorithms.Sender     { return &windowSender{p: &s.p} }
func (s *windowScheme) NewReceiver() algorithms.Receiver { return nil }
func (s *windowScheme) NewMarker() algorithms.Marker     { return nil }

// windowSender is HPCC's algorithm 1 as it is printed: its state is a window, in bytes.
type windowSender struct {
	p *WindowParams
	records
	u     float64
	base  float64 // reference window W^c
	stage int     // additive steps since the last multiplicative one
	meter meter

	ai, bdp, floor float64 // bytes
	baseRTT        float64 // ns
	line           core.Rate
	mtu            core.Bytes
}

// Start allocates the records per hop, once.
func (s *windowSender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	mtu := max(1, f.MTU)
	bdp := max(float64(mtu), float64(f.Line)*f.BaseRTT.Seconds()/8)
	*s = windowSender{
		p: s.p, records: s.records, u: 1, base: bdp,
		meter: meter{format: f.INT, line: float64(f.Line), window: bdp},
		ai:    algorithms.ValueOr(float64(s.p.AI), bdp*(1-s.p.Target)/s.p.Flows),
		bdp:   bdp, floor: bdp * float64(f.Floor(s.p.MinRate)) / float64(f.Line),
		baseRTT: f.BaseRTT.Nanos(), line: f.Line, mtu: mtu,
	}
	s.reset(f.INT.MaxHops)
	*c = algorithms.Control{Wake: core.Never}
	s.answer(c, bdp)
}

func (s *windowSender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch sig.Kind {
	case algorithms.Ack:
		s.onAck(sig, c)
	case algorithms.Path:
		s.changePath(sig.Next)
	}
}

func (s *windowSender) onAck(sig *algorithms.Signal, c *algorithms.Control) {
	hops, full := s.take(sig, s.p.FastReact)
	if len(hops) == 0 {
		return
	}
	u, tau, _ := s.meter.busiest(hops, s.hops, false)
	s.u = smoothed(s.u, u, tau, s.baseRTT)
	window, stage := s.next()
	if full {
		s.base, s.stage = window, stage
		s.updated(sig.Next)
	}
	s.answer(c, window)
}

// next returns window and stage for the smoothed utilisation (HPCC, algorithm 1).
func (s *windowSender) next() (window float64, stage int) {
	window, stage = s.base+s.ai, s.stage+1
	if s.u >= s.p.Target || s.stage >= s.p.MaxStage {
		window, stage = s.base*s.p.Target/s.u+s.ai, 0
	}
	return max(min(window, s.bdp), s.floor), stage
}

// answer gives the window, and the rate W/T that paces it.
func (s *windowSender) answer(c *algorithms.Control, window float64) {
	c.Window = max(s.mtu, core.Bytes(window))
	c.Rate = max(1, min(s.line, core.RateOf(float64(s.line)*window/s.bdp)))
	c.Do |= algorithms.Repace
}
