package hpccpint

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct {
	p      Params
	digest digest
	logs   *logs
}

// New returns HPCC-PINT with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p, newDigest(p.LogBase), newLogs()}, nil
}

// headerBytes is the room for the digest in a packet.
const headerBytes = 2

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "hpcc-pint",
		Hears:       algorithms.Hears(algorithms.Ack),
		Sees:        algorithms.Departures,
		HeaderBytes: headerBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p, digest: &s.digest} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &marker{digest: &s.digest, logs: s.logs} }

type sender struct {
	p      *Params
	digest *digest
	last   int64     // an ACK beyond it makes a full update; 0 before the first ACK
	rate   core.Rate // reference rate Rc
	stage  int       // additive steps since the last multiplicative one

	chance          core.Random
	line, floor, ai core.Rate
	window          algorithms.RateWindow
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:      s.p,
		digest: s.digest,
		rate:   f.Line,
		chance: f.Shared,
		line:   f.Line,
		floor:  f.Floor(s.p.MinRate),
		ai:     algorithms.ValueOr(s.p.AI, f.Line/2500),
	}
	*c = algorithms.Control{Window: s.window.Start(f, s.p.Window), Rate: f.Line, Wake: core.Never}
}

// Step draws once for every ACK, even if all are used.
func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack {
		return
	}
	if float64(s.chance.Uint32()%65536) >= 65536*s.p.Probability {
		return
	}
	full := sig.Acked > s.last
	if !full && !s.p.FastReact {
		return
	}
	if s.last == 0 {
		s.last = sig.Next
		return
	}
	rate, stage := s.react(s.digest.decode(sig.Aux))
	s.window.Set(c, rate)
	c.Do |= algorithms.Repace
	if full {
		s.rate, s.stage = rate, stage
		s.last = max(s.last, sig.Next)
	}
}

// react returns the rate and stage for utilisation u (HPCC, algorithm 1).
func (s *sender) react(u float64) (core.Rate, int) {
	k := u / s.p.Target
	rate, stage := s.rate+s.ai, s.stage+1
	if k >= 1 || s.stage >= s.p.MIThresh {
		rate, stage = min(s.rate.Over(k), s.line)+s.ai, 0
	}
	return min(max(rate, s.floor), s.line), stage
}
