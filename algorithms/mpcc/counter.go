package mpcc

import (
	"cmp"
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// counter is the congestion point: it counts the flows that are active at its egress port
// (Zheng 2024, appendix A.1).
type counter struct {
	p     *Params
	flows algorithms.ActiveFlows
}

func (m *counter) Start(_ core.Time, p *algorithms.Port) {
	m.flows.Reset(cmp.Or(m.p.FlowTimeout, 2*p.MaxRTT))
}

// Step notes a packet's flow on arrival, and when it leaves too: a flow whose packets wait in
// a queue longer than the time-out is still there.
func (m *counter) Step(q *algorithms.Sight, k *algorithms.Mark) {
	if !q.Own {
		return
	}
	m.flows.See(q.Now, algorithms.FlowKey(q.Packet))
	if !q.Enqueue {
		k.Flows = uint32(min(m.flows.Len(), math.MaxUint16)) // 16 bits on the wire
	}
}
