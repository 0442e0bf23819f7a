package qcn

import "github.com/qbb-sim/qbb/algorithms"

type scheme struct{ p Params }

// New returns QCN or one of its variants with the given parameters, which must come from
// one of the functions that return defaults, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:  s.p.name,
		Hears: algorithms.Hears(algorithms.Switch, algorithms.Timer, algorithms.Sent),
		Sees:  algorithms.Arrivals,

		OneMessage: s.p.CP != "plain", // shares are of queue pairs
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &marker{p: &s.p} }
