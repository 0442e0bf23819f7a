package dcqcnplus

import "github.com/qbb-sim/qbb/algorithms"

type scheme struct{ p Params }

// New returns DCQCN+ with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:  "dcqcn-plus",
		Hears: algorithms.Hears(algorithms.Notify, algorithms.Timer),
		Needs: algorithms.ECN,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return &receiver{p: &s.p} }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }
