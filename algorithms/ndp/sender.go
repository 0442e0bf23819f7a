package ndp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns NDP with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "ndp",
		Hears:       algorithms.Hears(algorithms.Sent, algorithms.Ack, algorithms.Grant, algorithms.Loss),
		Needs:       algorithms.AckPerData,
		SeesTrimmed: true, OneMessage: true,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return &receiver{p: &s.p} }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

// sender sends while it has credit. A packet that is sent again takes as much as a new one, and goes before it.
type sender struct {
	p      *Params
	first  int64    // window, packets
	credit int64    // packets that it may send; below 0 if more came through than counted as lost
	out    int64    // packets that were sent and not answered
	pulls  []uint32 // by port of the receiver: the last count that has come
}

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	first := s.window(f)
	*s = sender{p: s.p, first: first, credit: first, pulls: s.pulls[:0]}
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never, Timeout: s.p.RTO}
}

// window is the first window of a flow: no more than its packets, since one that was trimmed is sent again only when it is
// pulled.
func (s *sender) window(f *algorithms.Flow) int64 {
	up := func(bytes, packet core.Bytes) int64 { return max(1, int64((bytes+packet-1)/packet)) }
	first := int64(s.p.InitialWindow)
	if first == 0 {
		first = up(f.Line.BytesIn(f.BaseRTT+f.BaseRTT/2), max(1, f.MTU, f.Packet))
	}
	if f.Size > 0 {
		first = min(first, up(f.Size, max(1, f.MTU)))
	}
	return first
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch sig.Kind {
	case algorithms.Sent:
		s.credit--
		s.out++
	case algorithms.Grant:
		s.pulled(sig.Aux)
	case algorithms.Ack:
		s.answered()
	case algorithms.Loss:
		if sig.Flags&algorithms.Timeout != 0 {
			s.lost()
		} else {
			s.answered()
		}
	default:
		return
	}
	c.Window = 0
	if s.credit > 0 {
		c.Window = core.Unlimited
	}
}

// pulled digests a pull, which also stands for those before it that have been lost.
func (s *sender) pulled(word uint64) {
	port, count := pullOf(word)
	for port >= len(s.pulls) {
		s.pulls = append(s.pulls, 0)
	}
	if n := int32(count - s.pulls[port]); n > 0 {
		s.credit += int64(n)
		s.pulls[port] = count
	}
}

// answered digests the news that a packet has arrived, or was trimmed: it is pulled in any case. If none was thought to be
// in the network, one that counted as lost has come through.
func (s *sender) answered() {
	if s.out > 0 {
		s.out--
		return
	}
	s.credit--
}

// lost gives back the credit of what was in the network, from which no pulls will come, up to an initial window; at least
// that of a packet, for a pull that was lost.
func (s *sender) lost() {
	s.credit = max(s.credit, min(s.credit+s.out, s.first), 1)
	s.out = 0
}
