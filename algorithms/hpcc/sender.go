package hpcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns HPCC with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "hpcc",
		Hears:       algorithms.Hears(algorithms.Ack, algorithms.Path),
		Needs:       algorithms.INT,
		HeaderBytes: 2,
		HopBytes:    8,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	p *Params
	records
	loops []loop // one; with MultiRate one per hop
	law   law
	meter meter

	window algorithms.RateWindow
}

// Start allocates the state per hop, once.
func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{p: s.p, loops: s.loops, records: s.records}
	s.law = law{
		target:  s.p.Target,
		baseRTT: f.BaseRTT.Nanos(),
		ai:      algorithms.ValueOr(s.p.AI, f.Line/2500),
		floor:   f.Floor(s.p.MinRate),
		line:    f.Line,
		thresh:  s.p.MIThresh,
		wraps:   f.Timing != core.Exact,
	}
	s.meter = meter{format: f.INT, line: float64(f.Line), window: float64(f.Window), by0: f.Timing != core.Exact}
	if f.Window == 0 && f.Timing == core.Exact {
		s.meter.window = float64(f.Line) * f.BaseRTT.Seconds() / 8
	}
	s.reset(f.INT.MaxHops)
	s.loops = zeroed(s.loops, 1)
	if s.p.MultiRate {
		s.loops = zeroed(s.loops, f.INT.MaxHops)
	}
	for i := range s.loops {
		s.loops[i] = loop{u: 1, rate: f.Line}
	}
	*c = algorithms.Control{Window: s.window.Start(f, s.p.Window), Rate: f.Line, Wake: core.Never}
}

func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch sig.Kind {
	case algorithms.Ack:
		s.onAck(sig, c)
	case algorithms.Path:
		s.changePath(sig.Next)
	}
}

func (s *sender) onAck(sig *algorithms.Signal, c *algorithms.Control) {
	hops, full := s.take(sig, s.p.FastReact)
	if len(hops) == 0 {
		return
	}
	if rate, ok := s.update(hops, full); ok {
		s.window.Set(c, rate)
		c.Do |= algorithms.Repace
	}
	if full {
		s.updated(sig.Next)
	}
}

// update digests the records of one ACK. ok is false if all hops were left out.
func (s *sender) update(hops []core.Hop, full bool) (rate core.Rate, ok bool) {
	skipIdle := !full && s.p.SampleFeedback
	if s.p.MultiRate {
		return s.updateHops(hops, full, skipIdle)
	}
	u, tau, ok := s.meter.busiest(hops, s.hops, skipIdle)
	if !ok {
		return 0, false
	}
	return s.law.next(&s.loops[0], u, tau, full), true
}

// updateHops is update with MultiRate.
func (s *sender) updateHops(hops []core.Hop, full, skipIdle bool) (rate core.Rate, ok bool) {
	for i := range hops {
		if skipIdle && hops[i].Queue == 0 {
			continue
		}
		u, tau := s.meter.read(&hops[i], &s.hops[i])
		r := s.law.next(&s.loops[i], u, tau, full)
		if !ok || r < rate {
			rate, ok = r, true
		}
	}
	return rate, ok
}
