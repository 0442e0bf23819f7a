package rcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns rcc-recon with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// headerBytes is the send time stamp that a packet carries.
const headerBytes = 8

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{Name: "rcc-recon", Hears: algorithms.Hears(algorithms.Grant), HeaderBytes: headerBytes}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{} }
func (s *scheme) NewReceiver() algorithms.Receiver { return &receiver{p: &s.p} }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

// sender obeys. Grants are bytes on the wire, its windows are payload.
type sender struct {
	payload     float64 // part of a full packet
	least, most float64
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	mtu := max(1, f.MTU)
	*s = sender{payload: float64(mtu) / float64(max(mtu, f.Packet)), least: float64(mtu)}
	s.most = max(s.least, float64(f.Line)*f.BaseRTT.Seconds()/8*s.payload)
	*c = algorithms.Control{Window: core.Bytes(s.most), Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind == algorithms.Grant {
		c.Window = core.Bytes(max(s.least, min(float64(float64(sig.Aux)*s.payload), s.most)))
	}
}
