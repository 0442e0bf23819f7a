package rcp

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// marker is the congestion point of one egress port.
type marker struct {
	p       *Params
	rate    rate
	period  core.Duration
	due     core.Time  // end of the period
	arrived core.Bytes // in the period
	queue   core.Bytes // as the latest packet left it
}

func (m *marker) Start(now core.Time, p *algorithms.Port) {
	d := max(p.MaxRTT, core.Nanosecond)
	period := cmp.Or(m.p.Period, d)
	line := float64(p.Line)
	*m = marker{
		p: m.p, period: period, due: now.Add(period),
		rate: rate{
			now: line, high: line, low: min(line, m.p.lowest(p, d)),
			alpha: m.p.Alpha, beta: m.p.Beta, period: period.Seconds(), rtt: d.Seconds(),
		},
	}
}

// lowest is the lowest rate of a port in a network with round trips of d, in bit/s.
func (p *Params) lowest(port *algorithms.Port, d core.Duration) float64 {
	switch {
	case p.MinRate != 0:
		return float64(p.MinRate)
	case p.Window:
		return 8 * float64(port.MTU) * float64(core.Second) / float64(d)
	}
	return float64(port.Line) / 1000
}

// Step works out the periods that have ended, with the queue as the packet before left it, and
// then counts the packet, or stamps it.
func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	m.elapse(q.Now)
	m.queue = q.Queue
	if q.Enqueue {
		m.queue += core.Bytes(q.Packet.Size)
		m.arrived += core.Bytes(q.Packet.Size)
		return
	}
	if told := uint64(m.rate.now) / rateUnit; q.Own && (q.Packet.Aux == 0 || told < q.Packet.Aux) {
		k.SetAux, k.Aux = true, max(1, told)
	}
}

// Clear implements algorithms.Cleared.
func (m *marker) Clear(now core.Time) {
	m.elapse(now)
	m.queue = 0
}

// elapse ends the periods up to now; nothing arrives after the first of them.
func (m *marker) elapse(now core.Time) {
	for m.due <= now {
		before := m.rate.now
		m.rate.next(float64(m.arrived), float64(m.queue))
		if m.arrived == 0 && m.rate.now == before {
			m.due = m.due.Add(now.Sub(m.due) / m.period * m.period)
		}
		m.arrived, m.due = 0, m.due.Add(m.period)
	}
}

// rate is the rate of a port, in bit/s.
type rate struct {
	now, low, high float64
	alpha, beta    float64
	period, rtt    float64 // T and d, s
}

// next ends a period in which so many bytes have arrived and which leaves a queue of bytes.
func (r *rate) next(arrived, queue float64) {
	spare := float64(r.alpha*(r.high-8*arrived/r.period)) - float64(r.beta*8*queue/r.rtt)
	r.now += float64(r.now * (r.period / r.rtt) * (spare / r.high))
	r.now = min(max(r.now, r.low), r.high)
}
