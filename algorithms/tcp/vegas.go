package tcp

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// NewVegas returns Vegas with the given parameters, or says which of them is wrong.
func NewVegas(p VegasParams) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return newScheme("vegas", func() algorithms.Sender { return &vegas{p: &p} }), nil
}

type vegas struct {
	p *VegasParams
	conn
	base  core.Duration // least RTT ever
	least core.Duration // of this round trip
	last  int64         // an ACK beyond it ends the round trip
	still bool          // slow start pauses for this round trip
}

const noRTT = core.Duration(math.MaxInt64)

func (v *vegas) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*v = vegas{p: v.p, base: noRTT, least: noRTT}
	v.start(v.p.FirstWindow, 1, f, c)
}

func (v *vegas) Step(s *algorithms.Signal, c *algorithms.Control) {
	v.trips.hear(s)
	switch {
	case lost(s):
		if v.news(s) {
			v.reduce(s, 0.5)
		}
	case s.Kind == algorithms.Ack:
		v.onAck(s)
	}
	v.answer(c)
}

func (v *vegas) onAck(s *algorithms.Signal) {
	n := v.hear(s)
	v.least = min(v.least, s.RTT)
	v.base = min(v.base, s.RTT)
	if s.Acked > v.last {
		if v.last > 0 { // before the first ACK no round trip has begun
			v.round(v.cwnd * float64(v.least-v.base) / float64(max(1, v.least)))
		}
		v.last, v.least = s.Next, noRTT
	}
	if v.cwnd < v.ssthresh && !v.still && v.full {
		v.grow(n)
	}
}

// round ends a round trip after which diff packets of the flow's own were in the queue. What
// Vegas gives up, slow start does not regain.
func (v *vegas) round(diff float64) {
	switch slow := v.cwnd < v.ssthresh; {
	case slow && diff > v.p.Gamma:
		v.ssthresh = v.cwnd
	case slow:
		v.still = !v.still
	case diff < v.p.Alpha && v.full:
		v.cwnd++
	case diff > v.p.Beta:
		v.cwnd = max(v.cwnd-1, leastWindow)
		v.ssthresh = min(v.ssthresh, v.cwnd)
	}
}
