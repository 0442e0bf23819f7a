package tcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// NewReno returns Reno with the given parameters, or says which of them is wrong.
func NewReno(p RenoParams) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return newScheme("reno", func() algorithms.Sender { return &reno{p: &p} }), nil
}

type reno struct {
	p *RenoParams
	conn
}

func (r *reno) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	r.start(r.p.FirstWindow, 1, f, c)
}

func (r *reno) Step(s *algorithms.Signal, c *algorithms.Control) {
	r.trips.hear(s)
	switch {
	case lost(s):
		if r.news(s) {
			r.reduce(s, 0.5)
		}
	case s.Kind == algorithms.Ack:
		if n := r.hear(s); r.full {
			r.grow(n)
		}
	}
	r.answer(c)
}
