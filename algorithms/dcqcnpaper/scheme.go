package dcqcnpaper

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns DCQCN as published with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	t := algorithms.Traits{
		Name:  "dcqcn-paper",
		Hears: algorithms.Hears(algorithms.Notify, algorithms.Timer, algorithms.Sent),
		Needs: algorithms.ECN,
	}
	if s.p.Preset == "paper" {
		t.Marks = algorithms.Marking{Rate: 40 * core.Gbps, KMin: 5e3, KMax: 200e3, PMax: 0.01}
	}
	return t
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return &receiver{p: &s.p} }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }
