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
	flows algorithms.ActiveFlows
	ends  []sourceEnd // by slot of flows
}

// sourceEnd is where a flow comes from.
type sourceEnd struct {
	node core.NodeID
	qp   int32
}

func (m *marker) Start(now core.Time, p *algorithms.Port) {
	*m = marker{
		p: m.p, fair: newFair(m.p, p.Line), name: pointName(p.Node, p.Port),
		due: now.Add(m.p.Period), flows: m.flows, ends: m.ends,
	}
	m.flows.Reset(m.p.FlowTimeout)
}

// Step works out the periods that have ended, with the queue as the packet before left it, and
// then notes the packet.
func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	if m.elapse(q.Now) {
		m.tell(q.Now, k)
	}
	m.queue = q.Queue
	if q.Enqueue {
		m.queue += core.Bytes(q.Packet.Size)
	}
	if q.Own && q.Enqueue {
		m.note(q)
	}
}

// elapse ends the periods up to now and reports whether there were any.
func (m *marker) elapse(now core.Time) bool {
	if now < m.due {
		return false
	}
	queue := float64(m.queue) / queueUnit
	for ; m.due <= now; m.due = m.due.Add(m.p.Period) {
		if m.fair.settled(queue) {
			left := now.Sub(m.due) / m.p.Period
			m.due = m.due.Add((left + 1) * m.p.Period)
			break
		}
		m.fair.next(queue)
	}
	return true
}

// note keeps the packet's flow in the table.
func (m *marker) note(q *algorithms.Sight) {
	slot, fresh := m.flows.See(q.Now, algorithms.FlowKey(q.Packet))
	if !fresh {
		return
	}
	for slot >= len(m.ends) {
		m.ends = append(m.ends, sourceEnd{})
	}
	m.ends[slot] = sourceEnd{q.Packet.Src, q.Packet.SrcQP}
}

// tell sends the fair rate to all flows of the table.
func (m *marker) tell(now core.Time, k *algorithms.Mark) {
	if m.fair.rate >= m.fair.high {
		return
	}
	m.flows.Expire(now)
	feedback := encode(m.name, m.fair.rate)
	for i := m.flows.Oldest(); i >= 0; i = m.flows.Younger(i) {
		k.Others = append(k.Others, algorithms.Notice{To: m.ends[i].node, QP: m.ends[i].qp, Feedback: feedback})
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
