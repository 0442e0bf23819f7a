package timelypaper

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// scheme is either form of TIMELY.
type scheme struct {
	name string
	common
	reach algorithms.Reach
	hai   int     // falling RTTs in a row before hyper-active increase
	betaP float64 // of the patched form; 0 for the other
}

// New returns timely-paper with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{name: "timely-paper", common: p.common(), reach: algorithms.Reach{Param: "t_high", RTT: p.THigh}, hai: p.HAIAfter}, nil
}

// NewPatched returns timely-patched with the given parameters, or says which of them is wrong.
func NewPatched(p PatchedParams) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{name: "timely-patched", common: p.common(), reach: algorithms.Reach{Param: "t_low", RTT: p.TLow}, betaP: p.BetaP}, nil
}

// headerBytes is the send time stamp that a packet carries.
const headerBytes = 8

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{Name: s.name, Hears: algorithms.Hears(algorithms.Ack), HeaderBytes: headerBytes, Reach: s.reach}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{scheme: s} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	*scheme
	rate    float64
	rtt     float64 // at the previous evaluation, ps; 0 before the first
	diff    float64 // smoothed RTT difference, ps
	falling int     // RTTs in a row that were shorter than the one before
	acked   core.Bytes
	at      core.Time // of the previous evaluation

	line, floor, ai float64
	own             core.Duration // serialisation of a packet's payload
	window          algorithms.RateWindow
}

func (s *sender) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	floor := f.Floor(s.minRate)
	first := max(floor, min(f.Line, cmp.Or(s.first, f.Line)))
	*s = sender{
		scheme: s.scheme, rate: float64(first), at: now,
		line: float64(f.Line), floor: float64(floor), ai: float64(algorithms.ValueOr(s.scheme.ai, f.Line/1000)),
		own: f.Timing.TxTime(f.MTU, f.Line),
	}
	*c = algorithms.Control{Window: s.window.Start(f, s.scheme.window), Wake: core.Never}
	s.window.Set(c, first)
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack {
		return
	}
	if s.acked += sig.Bytes; s.acked < max(1, s.segment) {
		return
	}
	s.acked = 0
	rtt := float64(max(1, sig.RTT-s.own))
	gradient := s.observe(rtt)
	if s.betaP > 0 {
		s.patched(rtt, gradient)
	} else {
		s.paper(rtt, gradient, min(1, float64(sig.Now.Sub(s.at))/float64(s.minRTT)))
	}
	s.at = sig.Now
	s.rate = min(max(s.rate, s.floor), s.line)
	s.window.Set(c, core.Rate(s.rate))
}

// observe digests an RTT and returns the normalised gradient.
func (s *sender) observe(rtt float64) float64 {
	d := 0.0
	if s.rtt != 0 {
		d = rtt - s.rtt
	}
	if s.falling++; d >= 0 {
		s.falling = 0
	}
	s.rtt = rtt
	s.diff = float64((1-s.ewma)*s.diff) + float64(s.ewma*d)
	return s.diff / float64(s.minRTT)
}

// paper is TIMELY's algorithm 1 with the refinements of the authors' snippet. df is the part of
// a minimum RTT that has passed since the previous evaluation.
func (s *sender) paper(rtt, gradient, df float64) {
	old := s.rate
	switch high := float64(s.tHigh); {
	case rtt < float64(s.tLow):
		s.rate += float64(s.ai * df)
	case rtt > high:
		s.rate *= 1 - float64(df*s.beta*(1-high/rtt))
	case gradient <= 0:
		n := 1.0
		if s.falling >= s.hai {
			n = 5
		}
		s.rate += float64(n * s.ai * df)
	default:
		s.rate *= 1 - float64(s.beta*gradient)
	}
	s.rate = max(s.rate, old/2)
}

// patched is the rule of Zhu et al.
func (s *sender) patched(rtt, gradient float64) {
	low, high := float64(s.tLow), float64(s.tHigh)
	switch {
	case rtt < low:
		s.rate += s.ai
	case rtt > high:
		s.rate *= 1 - float64(s.beta*(1-high/rtt))
	default:
		w := min(max(2*gradient+0.5, 0), 1)
		s.rate = float64(s.ai*(1-w)) + float64(s.rate*(1-s.betaP*w*(rtt-low)/low))
	}
}
