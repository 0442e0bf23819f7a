package dctcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns DCTCP with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:  "dctcp",
		Hears: algorithms.Hears(algorithms.Ack),
		Needs: algorithms.ECN | algorithms.AckPerData,
		Marks: algorithms.DCTCPMarks(),
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	p      *Params
	rate   core.Rate
	last   int64  // an ACK beyond it ends the batch; 0 before the first ACK
	batch  uint64 // packets in it
	echoes int64  // ACKs with the echo
	alpha  float64
	high   int64 // an ACK beyond it ends the reduction
	cwr    bool  // congestion window reduced, in TCP's words: in reduction

	mtu             int64
	line, floor, ai core.Rate
	window          algorithms.RateWindow
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = sender{
		p:     s.p,
		rate:  f.Line,
		alpha: 1,
		mtu:   max(1, int64(f.MTU)),
		line:  f.Line,
		floor: f.CutFloor(s.p.MinRate),
	}
	s.ai = algorithms.ValueOr(s.p.AI, core.RateOf(8*float64(s.mtu)/f.BaseRTT.Seconds()))
	*c = algorithms.Control{Window: s.window.Start(f, s.p.Window), Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack {
		return
	}
	echo := sig.Flags&algorithms.ECE != 0
	if echo {
		s.echoes++
	}
	ended := sig.Acked > s.last
	if ended {
		s.endBatch(sig.Acked, sig.Next)
	}
	if s.cwr && sig.Acked > s.high {
		s.cwr = false
	}
	switch {
	case s.cwr:
		return
	case echo:
		s.rate = max(s.floor, s.rate.Scale(1-float64(s.alpha/2)))
		s.cwr, s.high = true, sig.Next
	case ended:
		s.rate = min(s.line, s.rate+s.ai)
	}
	s.window.Set(c, s.rate)
}

// endBatch updates alpha (RFC 8257, section 3.3) and begins the next batch. A sender that has gone back
// may hear of more than it has sent since: the batch is then as long as unsigned numbers make it.
func (s *sender) endBatch(acked, next int64) {
	if s.last == 0 {
		s.last, s.batch = next, uint64(next/s.mtu+1)
		return
	}
	g, f := s.p.G, min(1, float64(s.echoes)/float64(s.batch))
	s.alpha = float64((1-g)*s.alpha) + float64(g*f)
	s.last, s.batch, s.echoes = next, uint64(next-acked)/uint64(s.mtu)+1, 0
}
