package nscc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns NSCC with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:  "nscc",
		Hears: algorithms.Hears(algorithms.Ack, algorithms.Loss),
		Needs: algorithms.ECN | algorithms.AckPerData,
		// 0.2 and 0.8 of the reference network's bandwidth-delay product (UE 1.0, section 3.6.17).
		Marks: algorithms.Marking{Rate: 100 * core.Gbps, KMin: 30e3, KMax: 120e3, PMax: 1},
	}
}

func (s *scheme) NewSender() algorithms.Sender {
	return &sender{window: window{rules: rules{Params: &s.p}}}
}
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	window
	adapt adaption
	ahead int64 // bytes known to have arrived beyond a gap
	gap   int64 // first byte not acknowledged at the last loss; -1: none
	size  int64 // of the flow; 0: not known
}

func (s *sender) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	r := newRules(s.Params, f)
	*s = sender{
		window: window{rules: r, cwnd: r.mostEver, most: r.mostEver, baseRTT: r.base, adjusted: now, cut: now},
		gap:    -1, size: int64(f.Size),
	}
	*c = algorithms.Control{Window: s.bytes(), Rate: f.Line, Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch sig.Kind {
	case algorithms.Ack:
		s.onAck(sig)
	case algorithms.Loss:
		if sig.Flags&algorithms.Timeout != 0 {
			s.onTimeout(sig)
		} else {
			s.onTrimmed(sig)
		}
	default:
		return
	}
	c.Window = s.bytes()
}

// onAck digests the arrival of a packet and, in a NACK, the loss of one before it, which counts as trimmed. The NACKs
// of other packets beyond the same gap tell nothing new.
func (s *sender) onAck(sig *algorithms.Signal) {
	n := s.arrived(sig)
	s.received += n
	s.adapt.heard(n)
	delay := s.measure(max(0, sig.RTT-sig.HostTime))
	marked := sig.Flags&algorithms.ECE != 0
	lost := sig.Flags&algorithms.IsNack != 0 && sig.Acked != s.gap
	if lost {
		s.gap = sig.Acked
		s.noteLoss()
	}
	if s.quickAdapt(sig.Now, s.inFlight(sig), marked || lost, delay) {
		return
	}
	if lost {
		s.lose(s.mtu)
	}
	s.react(sig.Now, n, delay, marked)
	s.adjust(sig.Now)
}

// onTrimmed digests the news that a switch has trimmed a packet.
func (s *sender) onTrimmed(sig *algorithms.Signal) {
	s.noteLoss()
	if !s.quickAdapt(sig.Now, s.inFlight(sig), true, 0) {
		s.lose(s.mtu)
	}
}

// noteLoss notes a packet that has been lost: it counts as one that has waited for a base round trip.
func (s *sender) noteLoss() {
	s.average(s.base)
	s.adapt.ignored += s.mtu
	s.adapt.trigger = true
}

// inFlight is what has been sent and not arrived, in bytes.
func (s *sender) inFlight(sig *algorithms.Signal) float64 {
	return float64(int64(sig.InFlight) - s.ahead)
}

// onTimeout takes off what counts as lost: all that window and flow allow to be in flight.
func (s *sender) onTimeout(sig *algorithms.Signal) {
	n := s.cwnd
	if s.size > 0 {
		n = min(n, float64(max(0, s.size-sig.Acked)))
	}
	s.adapt.ignored += n
	s.lose(n)
	s.gap = sig.Acked
}

// arrived returns the bytes of the packet that an ACK answers, as the receiver would count them (Rcvd_Bytes). A packet
// beyond a gap acknowledges nothing, and what closes the gap all that has come before. A host that goes back has
// nothing in flight then: its receiver keeps no such packets.
func (s *sender) arrived(sig *algorithms.Signal) float64 {
	n, mtu := int64(sig.Bytes), int64(s.mtu)
	if known := min(s.ahead, n-mtu); known > 0 {
		n -= known
		s.ahead -= known
	}
	if n == 0 {
		n = max(0, min(mtu, int64(sig.InFlight)-s.ahead))
		s.ahead += n
	}
	s.ahead = min(s.ahead, int64(sig.InFlight))
	return float64(n)
}
