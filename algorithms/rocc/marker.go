package rocc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// marker is the congestion point of one egress port.
type marker struct {
	p     *Params
	fair  fair
	name  uint32 // of the congestion point
	queue core.Bytes
	due   core.Time // end of the period
	ended bool      // a period, of which the flows are yet to be told
	flows table
}

func (m *marker) Start(now core.Time, p *algorithms.Port) {
	*m = marker{
		p: m.p, fair: newFair(m.p, p.Line), name: pointName(p.Node, p.Port), due: now.Add(m.p.Period), flows: m.flows,
	}
	m.flows.reset(m.p.FlowTimeout)
}

// Step works out the periods that have ended, with the queue as the packet before left it, and
// then notes the packet.
func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	m.elapse(q.Now)
	if m.ended && m.fair.rate < m.fair.high {
		k.Others = m.flows.tell(q.Now, encode(m.name, m.fair.rate), k.Others)
	}
	m.ended = false
	m.queue = q.Queue
	if q.Enqueue {
		m.queue += core.Bytes(q.Packet.Size)
	}
	switch {
	case !q.Own:
	case q.Enqueue:
		m.flows.came(q.Now, q.Packet)
	default:
		m.flows.went(q.Now, q.Packet)
	}
}

// Clear implements algorithms.Cleared. Flows whose packets are lost have none in the queue.
func (m *marker) Clear(now core.Time) {
	m.elapse(now)
	m.queue = 0
	m.flows.clear()
}

// elapse ends the periods up to now.
func (m *marker) elapse(now core.Time) {
	if now < m.due {
		return
	}
	m.ended = true
	queue := float64(m.queue) / queueUnit
	for ; m.due <= now; m.due = m.due.Add(m.p.Period) {
		if m.fair.settled(queue) {
			left := now.Sub(m.due) / m.p.Period
			m.due = m.due.Add((left + 1) * m.p.Period)
			break
		}
		m.fair.next(queue)
	}
}

// A notification has 32 bits: a congestion point's name and a rate in units of 10 Mb/s, up to 2.6 Tb/s.
const (
	rateBits = 18
	nameBits = 32 - rateBits
)

// pointName is the name of a congestion point, by Fibonacci hashing (Knuth, TAOCP, 6.4).
func pointName(node core.NodeID, port int) uint32 {
	return (uint32(node)<<10 + uint32(port)) * 0x9e3779b1 >> rateBits
}

func encode(name uint32, rate float64) int32 {
	return int32(name<<rateBits | uint32(min(rate, 1<<rateBits-1)))
}

// decode is the inverse of encode.
func decode(feedback int32) (name uint32, rate core.Rate) {
	return uint32(feedback) >> rateBits, core.Rate(feedback&(1<<rateBits-1)) * rateUnit
}
