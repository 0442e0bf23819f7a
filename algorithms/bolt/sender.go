package bolt

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns Bolt with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// headerBytes are a word of flags and the time when the packet left, in 32 bits each.
const headerBytes = 8

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name: "bolt", Hears: algorithms.Hears(algorithms.Ack, algorithms.Sent, algorithms.Switch),
		Needs: algorithms.AckPerData, Sees: algorithms.Arrivals, HeaderBytes: headerBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return &marker{p: &s.p} }

// sender is the reaction point.
type sender struct {
	p      *Params
	line   core.Rate
	floor  core.Rate
	bdp    core.Bytes
	mtu    core.Bytes
	cwnd   core.Bytes
	packet float64 // a full one, bytes on the wire
	size   int64   // of the flow; 0: not known
	begun  int64   // bytes of the first window
	raised int64   // what was next to be sent at the last additive increase
	cut    core.Time
}

func (s *sender) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	mtu := max(1, f.MTU)
	bdp := max(mtu, core.Bytes(float64(f.Line)*f.BaseRTT.Seconds()/8))
	first := max(mtu, min(bdp, cmp.Or(s.p.FirstWindow, bdp)))
	*s = sender{
		p: s.p, line: f.Line, floor: f.Floor(1), bdp: bdp, mtu: mtu, cwnd: first,
		packet: float64(max(mtu, f.Packet)), size: int64(f.Size), begun: int64(first), cut: now,
	}
	*c = algorithms.Control{Wake: core.Never}
	s.answer(c)
	c.Stamp = s.stamp(0)
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	before := s.cwnd
	switch sig.Kind {
	case algorithms.Ack:
		s.onAck(sig)
	case algorithms.Switch:
		s.onSource(sig, c.Rate)
	}
	if s.cwnd = max(s.mtu, min(s.cwnd, s.bdp)); s.cwnd != before {
		s.answer(c)
		c.Do |= algorithms.Repace
	}
	c.Stamp = s.stamp(sig.Next)
}

// onAck grows by a packet if all hops let it, and by one once a round trip.
func (s *sender) onAck(sig *algorithms.Signal) {
	if sig.Aux&inc != 0 {
		s.cwnd += s.mtu
	}
	if sig.Acked >= s.raised {
		s.cwnd += s.mtu
		s.raised = sig.Next
	}
}

// onSource shrinks by a packet, as often as makes the flow's part of the queue in the time that the
// notification and the packet before it were under way (NSDI 2023).
func (s *sender) onSource(sig *algorithms.Signal, rate core.Rate) {
	drain := float64(sig.Feedback) * float64(core.Nanosecond) / float64(core.Second)
	part := float64(rate) / 8 * drain / s.packet
	if float64(sig.Now.Sub(sig.SentAt)) <= part*float64(sig.Now.Sub(s.cut)) {
		s.cwnd -= s.mtu
		s.cut = sig.Now
	}
}

func (s *sender) answer(c *algorithms.Control) {
	c.Window = s.cwnd
	c.Rate = max(core.RateOf(float64(s.line)*float64(s.cwnd)/float64(s.bdp)), s.floor)
}

// stamp is what the packet of a byte carries: it asks for growth unless what is left fits the window.
func (s *sender) stamp(next int64) uint64 {
	word := present | inc
	if s.size > 0 && s.size-next <= int64(s.cwnd) {
		word = present | last
	}
	if next < s.begun {
		word |= first
	}
	return word
}
