package ibcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct {
	p    Params
	list []entry // of cct=list
}

// New returns InfiniBand congestion control with the given parameters, or says which of them is
// wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	s := &scheme{p: p}
	if p.Table == "list" {
		s.list, _ = parseEntries(p.Entries)
	}
	return s, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:         "ib-cc",
		Hears:        algorithms.Hears(algorithms.Notify, algorithms.Timer),
		LazyTimers:   true,
		NotifyIsEcho: s.p.BECN == "ack",
		PerClass:     s.p.Scope == "sl",
	}
}

func (s *scheme) NewSender() algorithms.Sender { return &sender{p: &s.p, list: s.list} }
func (s *scheme) NewMarker() algorithms.Marker { return &marker{p: &s.p} }

func (s *scheme) NewReceiver() algorithms.Receiver {
	if s.p.BECN == "cn" {
		return receiver{}
	}
	return nil
}

// receiver is the notification point: a congestion notification packet for every FECN.
type receiver struct{}

func (receiver) Start(_ core.Time, _ *algorithms.Port, r *algorithms.Reply) {
	*r = algorithms.Reply{Kind: core.CNP, Wake: core.Never}
}

func (receiver) Step(a *algorithms.Arrival, r *algorithms.Reply) {
	r.Send, r.QP = a.CE, a.QP
}
