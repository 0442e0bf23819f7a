package rocc

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// table is the flow table of a congestion point: the flows that get the fair rate. These are the flows that have a packet
// in the queue or, with a time-out, that have sent one lately (RoCC, section 3.4, first and second kind).
type table struct {
	aged    bool
	flows   algorithms.ActiveFlows
	timeout core.Duration
	entries []entry // by slot of flows
}

// entry is a flow's: where it comes from, and its packets in the queue.
type entry struct {
	node   core.NodeID
	qp     int32
	queued int32
}

func (t *table) reset(timeout core.Duration) {
	t.aged, t.timeout = timeout != 0, timeout
	if !t.aged {
		t.timeout = math.MaxInt64
	}
	t.flows.Reset(t.timeout)
}

// clear forgets the packets in the queue, which is lost.
func (t *table) clear() {
	if !t.aged {
		t.flows.Reset(t.timeout)
	}
}

// came notes a packet that has joined a queue.
func (t *table) came(now core.Time, p *core.Packet) {
	if slot := t.slot(now, p); !t.aged {
		t.entries[slot].queued++
	}
}

// went notes a packet that has left the queue.
func (t *table) went(now core.Time, p *core.Packet) {
	if t.aged {
		return
	}
	slot := t.slot(now, p)
	if t.entries[slot].queued--; t.entries[slot].queued <= 0 {
		t.flows.Forget(slot)
	}
}

// slot returns the slot of the packet's flow.
func (t *table) slot(now core.Time, p *core.Packet) int {
	slot, fresh := t.flows.See(now, algorithms.FlowKey(p))
	for slot >= len(t.entries) {
		t.entries = append(t.entries, entry{})
	}
	if fresh {
		t.entries[slot] = entry{node: p.Src, qp: p.SrcQP}
	}
	return slot
}

// tell appends a notice with the feedback for every flow.
func (t *table) tell(now core.Time, feedback int32, notices []algorithms.Notice) []algorithms.Notice {
	t.flows.Expire(now)
	for i := t.flows.Oldest(); i >= 0; i = t.flows.Younger(i) {
		notices = append(notices, algorithms.Notice{To: t.entries[i].node, QP: t.entries[i].qp, Feedback: feedback})
	}
	return notices
}
