package tcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/portable"
)

// NewCubic returns CUBIC with the given parameters, or says which of them is wrong.
func NewCubic(p CubicParams) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return newScheme("cubic", func() algorithms.Sender { return &cubic{p: &p} }), nil
}

type cubic struct {
	p *CubicParams
	conn
	epoch core.Time // when congestion avoidance began, had it never stood still; core.Never outside it
	heard core.Time // when the last ACK came
	prior float64   // cwnd_prior: the window before the last loss
	top   float64   // W_max
	k     float64   // s
	reno  float64   // W_est
}

func (u *cubic) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*u = cubic{p: u.p, epoch: core.Never}
	u.start(u.p.FirstWindow, 1, f, c)
}

func (u *cubic) Step(s *algorithms.Signal, c *algorithms.Control) {
	u.trips.hear(s)
	switch {
	case lost(s):
		if u.news(s) {
			u.shrink(s)
		}
	case s.Kind == algorithms.Ack:
		u.onAck(s)
	}
	u.answer(c)
}

func (u *cubic) onAck(s *algorithms.Signal) {
	n, since := u.hear(s), s.Now.Sub(u.heard)
	u.heard = s.Now
	switch {
	case u.full && u.cwnd < u.ssthresh:
		u.grow(n)
	case u.full:
		u.avoid(s.Now, n)
	case u.epoch != core.Never && u.unused(): // t stands still (RFC 9438, section 5.8)
		u.epoch = u.epoch.Add(since)
	}
}

// shrink reacts to a loss (RFC 9438, sections 4.6 to 4.8).
func (u *cubic) shrink(s *algorithms.Signal) {
	u.prior = u.cwnd
	switch {
	case s.Flags&algorithms.Timeout != 0:
		u.top = 0 // begin makes it the window at which congestion avoidance starts
	case u.cwnd < u.top && u.p.FastConvergence:
		u.top = u.cwnd * (1 + u.p.Beta) / 2
	default:
		u.top = u.cwnd
	}
	u.reduce(s, u.p.Beta)
	u.epoch = core.Never
}

// begin starts a stretch of congestion avoidance (RFC 9438, section 4.2, eq. 2).
func (u *cubic) begin(now core.Time) {
	u.epoch, u.reno = now, u.cwnd
	u.top = max(u.top, u.cwnd)
	u.k = portable.Cbrt((u.top - u.cwnd) / u.p.C)
}

// window returns W(t), t in s (RFC 9438, eq. 1).
func (u *cubic) window(t float64) float64 {
	d := t - u.k
	return float64(u.p.C*d*d*d) + u.top
}

// avoid lets the window grow (RFC 9438, sections 4.3 to 4.5).
func (u *cubic) avoid(now core.Time, n float64) {
	if u.epoch == core.Never {
		u.begin(now)
	}
	alpha := 1.0
	if u.reno < u.prior {
		alpha = 3 * (1 - u.p.Beta) / (1 + u.p.Beta)
	}
	u.reno += alpha * n / u.cwnd
	t := now.Sub(u.epoch).Seconds()
	if u.window(t) < u.reno {
		u.cwnd = max(u.cwnd, u.reno)
		return
	}
	target := min(max(u.window(t+u.trips.srtt), u.cwnd), 1.5*u.cwnd)
	u.cwnd += n * (target - u.cwnd) / u.cwnd
}
