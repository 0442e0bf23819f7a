package xcp

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// marker is the congestion point of one egress port.
type marker struct {
	p        *Params
	capacity float64       // of the link, byte/s
	interval core.Duration // d, the control interval
	due      core.Time     // its end
	now      tally
	queue    core.Bytes // as the latest packet left it
	gift     gift
}

// tally is what has been seen in a control interval.
type tally struct {
	arrived core.Bytes // of all schemes
	least   core.Bytes // shortest queue: the persistent one
	shares  float64    // sum of rtt s/cwnd, s
	squares float64    // sum of rtt (rtt s/cwnd), s^2
}

func (m *marker) Start(now core.Time, p *algorithms.Port) {
	d := max(p.MaxRTT, core.Nanosecond)
	*m = marker{p: m.p, capacity: float64(p.Line) / 8, interval: d, due: now.Add(d)}
}

// Step ends the intervals that are over, with the queue as the packet before left it, and then
// counts the packet, or gives it its feedback.
func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	m.elapse(q.Now)
	m.queue = q.Queue
	m.now.least = min(m.now.least, q.Queue)
	if q.Enqueue {
		m.queue += core.Bytes(q.Packet.Size)
		m.now.arrived += core.Bytes(q.Packet.Size)
	}
	if !q.Own {
		return
	}
	h, ok := unpack(q.Packet.Aux)
	switch {
	case !ok:
	case q.Enqueue:
		share := h.rtt * float64(q.Packet.Size) / h.cwnd
		m.now.shares += share
		m.now.squares += float64(h.rtt * share)
	default:
		if told := m.gift.feedback(&h, float64(q.Packet.Size)); told < h.feedback {
			k.SetAux, k.Aux = true, withFeedback(q.Packet.Aux, told)
		}
	}
}

// Clear implements algorithms.Cleared.
func (m *marker) Clear(now core.Time) {
	m.elapse(now)
	m.queue, m.now.least = 0, 0
}

// elapse ends the intervals up to now; after the first of them nothing arrives, so all empty
// ones are alike.
func (m *marker) elapse(now core.Time) {
	for range 2 {
		if m.due > now {
			return
		}
		m.control()
		m.due = m.due.Add(m.interval)
	}
	if m.due <= now {
		m.due = m.due.Add((now.Sub(m.due)/m.interval + 1) * m.interval)
	}
}

// control ends an interval: from what it has seen follows what the next one gives.
func (m *marker) control() {
	t, seconds := &m.now, m.interval.Seconds()
	y := float64(t.arrived) / seconds
	if t.shares > 0 {
		m.interval = max(core.Nanosecond, core.Duration(t.squares/t.shares*float64(core.Second)))
	}
	d := m.interval.Seconds()
	phi := m.p.phi(d, m.capacity-y, float64(t.least))
	h := max(0, float64(m.p.Gamma*y*d)-math.Abs(phi))
	m.gift = newGift(d, h+max(0, phi), h+max(0, -phi), t.shares*d/seconds, y*d)
	m.now = tally{least: m.queue}
}

// phi is the aggregate feedback of an interval of d seconds, in the unit of the queue: what all
// windows together should grow by, given the spare capacity in that unit a second.
func (p *Params) phi(d, spare, queue float64) float64 {
	return float64(p.Alpha*d*spare) - float64(p.Beta*queue)
}

// gift is what an interval gives to its packets, and how much of that is left.
type gift struct {
	xiP, xiN   float64
	give, take float64 // left, byte/s
}

// newGift divides a growth and a decrease of windows, in bytes, among the packets of an interval of
// d seconds, given what they are expected to sum up to: rtt s/cwnd in seconds, and bytes.
func newGift(d, grow, shrink, shares, bytes float64) gift {
	g := gift{give: grow / d, take: shrink / d}
	if shares > 0 && bytes > 0 {
		g.xiP, g.xiN = g.give/shares, g.take/bytes
	}
	return g
}

// feedback returns the feedback of a packet of s bytes, and takes it off what is left. What another
// hop has already taken of it is taken here too, as far as something is left to be taken; the rest
// stays to be given to others.
func (g *gift) feedback(h *header, s float64) float64 {
	pos := min(g.xiP*h.rtt*h.rtt*s/h.cwnd, g.give*h.rtt)
	neg := min(g.xiN*h.rtt*s, g.take*h.rtt)
	told := pos - neg
	if less := told - h.feedback; less > 0 {
		told = h.feedback
		neg = min(neg+less, g.take*h.rtt)
		pos = max(0, told+neg)
	}
	g.give = max(0, g.give-float64(pos/h.rtt))
	g.take = max(0, g.take-float64(neg/h.rtt))
	return told
}
