package swift

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns Swift with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// headerBytes is the send time stamp of a packet, and the host's delay in its ACK.
const headerBytes = 8

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "swift",
		Hears:       algorithms.Hears(algorithms.Ack, algorithms.Loss),
		HeaderBytes: headerBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	p                *Params
	fabric, endpoint window
	target           target
	rtt              float64 // smoothed, ps; the base round trip before the first one
	host             float64 // delay of the endpoint, smoothed, ps
	measured         bool
	timeouts         int // in a row
	mtu              float64
	packet           core.Duration // to send one
}

// usualMost is the largest window of shorter paths, in packets, by default.
const usualMost = 1000

func (s *sender) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	mtu := float64(max(1, f.MTU))
	bdp := float64(f.Line) * f.BaseRTT.Seconds() / 8 / mtu
	w := window{p: s.p, most: cmp.Or(s.p.MaxCwnd, max(usualMost, bdp, s.p.MinCwnd)), reduced: now}
	w.cwnd = min(max(cmp.Or(s.p.FirstCwnd, bdp), s.p.MinCwnd), w.most)
	*s = sender{
		p: s.p, fabric: w, endpoint: w,
		target: newTarget(s.p, f), rtt: float64(f.BaseRTT), mtu: mtu, packet: f.Timing.TxTime(f.Packet, f.Line),
	}
	*c = algorithms.Control{Rate: f.Line, Wake: core.Never}
	s.answer(c)
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch {
	case sig.Kind == algorithms.Ack && sig.Flags&algorithms.IsNack == 0:
		s.onAck(sig)
	case sig.Kind == algorithms.Ack, sig.Kind == algorithms.Loss:
		s.onLoss(sig)
	default:
		return
	}
	s.answer(c)
}

func (s *sender) onAck(sig *algorithms.Signal) {
	s.timeouts = 0
	s.measure(float64(sig.RTT), float64(sig.HostTime))
	n, rtt := float64(sig.Bytes)/s.mtu, core.Duration(s.rtt)
	s.fabric.delayed(sig.Now, n, sig.RTT-sig.HostTime, s.target.at(s.fabric.cwnd), rtt)
	s.endpoint.delayed(sig.Now, n, core.Duration(s.host), s.p.EndpointTarget, rtt)
}

// measure smooths round trips (RFC 6298, eqs. 2.2 and 2.3) and, in the same way, delays of the endpoint.
func (s *sender) measure(rtt, host float64) {
	if !s.measured {
		s.rtt, s.host, s.measured = rtt, host, true
	}
	s.rtt += float64((rtt - s.rtt) / 8)
	s.host += float64((host - s.host) / 8)
}

func (s *sender) onLoss(sig *algorithms.Signal) {
	if s.timeouts++; sig.Flags&algorithms.Timeout == 0 {
		s.timeouts = 0
	}
	if s.timeouts >= s.p.RetxReset {
		s.fabric.set(sig.Now, s.p.MinCwnd)
		s.endpoint.set(sig.Now, s.p.MinCwnd)
		return
	}
	s.fabric.lost(sig.Now, core.Duration(s.rtt))
	s.endpoint.lost(sig.Now, core.Duration(s.rtt))
}

// answer gives the smaller window, and below one packet a gap that makes up for the difference. A gap that falls
// does so at once: it may be as long as a thousand round trips.
func (s *sender) answer(c *algorithms.Control) {
	cwnd, before := min(s.fabric.cwnd, s.endpoint.cwnd), c.Gap
	c.Gap = 0
	if cwnd < 1 {
		c.Gap = max(0, core.Truncate[core.Duration](s.rtt/cwnd)-s.packet)
	}
	c.Window = max(1, core.Bytes(max(cwnd, 1)*s.mtu))
	if c.Gap < before {
		c.Do |= algorithms.Repace
	}
}
