package powertcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type thetaScheme struct{ p Params }

// NewTheta returns theta-PowerTCP with the given parameters, or says which of them is wrong.
func NewTheta(p Params) (algorithms.Scheme, error) {
	if err := algorithms.CheckParams("theta-powertcp", &p); err != nil {
		return nil, err
	}
	return &thetaScheme{p}, nil
}

// stampBytes is the send time stamp that a packet carries.
const stampBytes = 8

func (s *thetaScheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "theta-powertcp",
		Hears:       algorithms.Hears(algorithms.Ack),
		HeaderBytes: stampBytes,
	}
}

func (s *thetaScheme) NewSender() algorithms.Sender     { return &thetaSender{p: &s.p} }
func (s *thetaScheme) NewReceiver() algorithms.Receiver { return nil }
func (s *thetaScheme) NewMarker() algorithms.Marker     { return nil }

type thetaSender struct {
	p      *Params
	window window
	base   float64   // round trip without queueing of a packet with its stamp, s
	last   int64     // an ACK beyond it ends the round trip; 0 before the first ACK
	rtt    float64   // of the previous ACK, s
	at     core.Time // when it came
}

func (s *thetaSender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*s = thetaSender{p: s.p}
	s.window.start(s.p, f, c)
	stamps := core.Duration(2*f.Hops) * f.Timing.TxTime(stampBytes, f.Line)
	s.base = s.window.tau + stamps.Seconds()
}

func (s *thetaSender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if sig.Kind != algorithms.Ack {
		return
	}
	rtt, first := sig.RTT.Seconds(), s.last == 0
	dt := sig.Now.Sub(s.at).Seconds()
	if dt > 0 {
		if !first {
			s.window.measure(thetaPower(rtt, (rtt-s.rtt)/dt, s.base, s.p.MinArrival), dt)
		}
		s.rtt, s.at = rtt, sig.Now
	}
	if sig.Acked <= s.last {
		return
	}
	s.last = max(s.last, sig.Next)
	if !first {
		s.window.update(s.window.cwnd) // which all of the round trip was sent under
		s.window.answer(c)
	}
}

// thetaPower returns the normalised power that an RTT and its growth per second show.
func thetaPower(rtt, growth, base, minArrival float64) float64 {
	return max(growth+1, minArrival) * rtt / base
}
