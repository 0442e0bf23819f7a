package mpcc

import (
	"cmp"
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns MPCC with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// The INT of a packet: 32 bits of queue and 16 bits of flows for each hop, and 16 bits of hop
// count (Zheng 2024, figure 5.1).
const (
	headerBytes = 2
	hopBytes    = 6
)

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "mpcc",
		Hears:       algorithms.Hears(algorithms.Ack),
		Needs:       algorithms.INT | algorithms.AckPerData,
		HeaderBytes: headerBytes,
		HopBytes:    hopBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &counter{p: &s.p} }

type sender struct {
	p      *Params
	window float64 // W, wire bytes
	past   past
	acks   int // since the last action

	plant  plant
	lowest float64
	pack   float64 // payload bytes per wire byte of a full packet
	format core.INTFormat
	line   core.Rate
	floor  core.Rate
	mtu    core.Bytes
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	mtu := max(1, f.MTU)
	packet := float64(s.p.packet(f, mtu))
	bdp := max(packet, float64(f.Line)*f.BaseRTT.Seconds()/8)
	*s = sender{
		p: s.p, past: s.past, window: bdp, pack: float64(mtu) / packet,
		plant:  plant{p: s.p, packet: packet, bdp: bdp, line: float64(f.Line), baseRTT: f.BaseRTT.Seconds()},
		lowest: cmp.Or(float64(s.p.MinWindow), packet),
		format: f.INT, line: f.Line, floor: f.Floor(1), mtu: mtu,
	}
	s.past.reset(int64(bdp), int64(math.Ceil(bdp/packet)))
	*c = algorithms.Control{Rate: f.Line, Wake: core.Never}
	s.answer(c)
}

// packet is a full packet on the wire: what the host says, or the thesis's with its 48 bytes of headers.
func (p *Params) packet(f *algorithms.Flow, mtu core.Bytes) core.Bytes {
	if p.Header == 0 && f.Packet != 0 {
		return f.Packet
	}
	records := max(1, min(f.INT.Records(f.Hops), f.INT.MaxHops))
	return mtu + cmp.Or(p.Header, 48) + headerBytes + core.Bytes(hopBytes*records)
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack || len(sig.Hops) == 0 {
		return
	}
	if s.acks++; s.acks >= s.p.Every {
		s.acks = 0
		var w float64
		if view := s.look(sig.Hops); view.queue > 0 {
			w = s.plant.control(&view, s.window, &s.past)
		} else {
			w = s.idle(sig.Hops)
		}
		s.window = min(max(w, s.lowest), s.plant.bdp)
		s.answer(c)
	}
	s.past.push(int64(s.window))
}

// look returns the state switch, the hop with the longest queue, and its number of flows
// (Zheng 2024, algorithm 1), and the queueing delay of the path (eq. 2.2).
func (s *sender) look(hops []core.Hop) view {
	v := view{flows: 1}
	for i := range hops {
		h := &hops[i]
		q := float64(s.format.QueueBytes(h))
		if q == 0 {
			continue
		}
		v.delay += q * 8 / float64(h.Line)
		if q > v.queue {
			v.queue, v.flows, v.line = q, max(1, float64(h.Flows)), float64(h.Line)
		}
	}
	return v
}

// idle returns the window when all queues of the path are empty.
func (s *sender) idle(hops []core.Hop) float64 {
	if s.p.Idle == "keep" {
		return s.window
	}
	fair := s.plant.bdp
	for i := range hops {
		h := &hops[i]
		fair = min(fair, s.plant.fair(float64(h.Line), max(1, float64(h.Flows))))
	}
	if s.p.Idle == "probe" {
		return min(s.window+s.plant.packet, fair)
	}
	return fair
}

// answer tells the host the window. The model counts bytes on the wire, the host bytes of
// payload.
func (s *sender) answer(c *algorithms.Control) {
	c.Window = max(1, core.Bytes(s.window*s.pack))
	if s.p.Pace {
		c.Rate = max(s.floor, min(s.line, core.RateOf(s.plant.line*s.window/s.plant.bdp)))
		c.Do |= algorithms.Repace
	}
}
