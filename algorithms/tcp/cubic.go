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
	epoch core.Time // when congestion avoidance began; core.Never outside it
	top   float64   // W_max
	k     float64   // s
	reno  float64   // W_est
}

func (u *cubic) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*u = cubic{p: u.p, epoch: core.Never}
	u.start(u.p.FirstWindow, f, c)
}

func (u *cubic) Step(s *algorithms.Signal, c *algorithms.Control) {
	switch {
	case lost(s):
		if u.news(s) {
			u.shrink(s)
		}
	case s.Kind == algorithms.Ack:
		n := u.hear(s)
		switch {
		case !u.full:
		case u.cwnd < u.ssthresh:
			u.grow(n)
		default:
			u.avoid(s.Now, s.RTT, n)
		}
	}
	u.answer(c)
}

// shrink reacts to a loss (RFC 9438, sections 4.6 and 4.7).
func (u *cubic) shrink(s *algorithms.Signal) {
	if top := u.top; u.cwnd < top && u.p.FastConvergence {
		u.top = u.cwnd * (1 + u.p.Beta) / 2
	} else {
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
func (u *cubic) avoid(now core.Time, rtt core.Duration, n float64) {
	if u.epoch == core.Never {
		u.begin(now)
	}
	alpha := 1.0
	if u.reno < u.top {
		alpha = 3 * (1 - u.p.Beta) / (1 + u.p.Beta)
	}
	u.reno += alpha * n / u.cwnd
	t := now.Sub(u.epoch).Seconds()
	if u.window(t) < u.reno {
		u.cwnd = max(u.cwnd, u.reno)
		return
	}
	target := min(max(u.window(t+rtt.Seconds()), u.cwnd), 1.5*u.cwnd)
	u.cwnd += n * (target - u.cwnd) / u.cwnd
}
