package xcp

import (
	"cmp"
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns XCP with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name: "xcp", Hears: algorithms.Hears(algorithms.Ack), Needs: algorithms.AckPerData, HeaderBytes: headerBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &marker{p: &s.p} }

// sender is the reaction point. Windows and packets are in bytes on the wire.
type sender struct {
	p           *Params
	line, floor core.Rate
	desired     float64 // rate, byte/s
	packet      float64 // a full packet
	payload     float64 // its part that is payload
	cwnd        float64
	rtt         float64 // smoothed, s
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	packet := max(1, f.MTU, f.Packet)
	*s = sender{
		p: s.p, line: f.Line, floor: f.Floor(1),
		desired: float64(min(f.Line, cmp.Or(s.p.DesiredRate, f.Line))) / 8,
		packet:  float64(packet), payload: float64(max(1, f.MTU)) / float64(packet),
		cwnd: float64(s.p.FirstWindow), rtt: max(f.BaseRTT, core.Nanosecond).Seconds(),
	}
	*c = algorithms.Control{Wake: core.Never}
	s.change(c, 0)
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack {
		return
	}
	s.rtt += float64(s.p.RTTGain * (max(sig.RTT, core.Nanosecond).Seconds() - s.rtt))
	before := c.Rate
	s.change(c, feedback(sig.Aux))
	if c.Rate != before {
		c.Do |= algorithms.Repace
	}
}

// change makes the window so many bytes longer, and writes the answer.
func (s *sender) change(c *algorithms.Control, bytes float64) {
	if !math.IsNaN(bytes) {
		s.cwnd += bytes
	}
	s.cwnd = max(s.packet, min(s.cwnd, float64(s.line)/8*s.rtt))
	c.Window = max(1, core.Bytes(s.cwnd*s.payload))
	c.Rate = min(max(core.Rate(8*s.cwnd/s.rtt), s.floor), s.line)
	h := header{s.cwnd, s.rtt, (float64(s.desired*s.rtt) - s.cwnd) * s.packet / s.cwnd}
	c.Stamp = h.pack()
}
