package dcqcnplus

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// receiver is the notification point of one NIC port: a table of the flows that have lately
// been marked, and a cursor that looks at one of them per cnp_gap, in turn.
type receiver struct {
	p      *Params
	flows  []flow
	slots  []int32 // by queue pair: 1 + index into flows, 0 for none
	cursor int
	due    core.Time // when the cursor may next look at a flow
}

// flow is a congested flow.
type flow struct {
	qp      int32
	pending bool      // marked since its last CNP
	last    core.Time // CNP; core.Never: there was none
}

func (n *receiver) Start(now core.Time, _ *algorithms.Port, r *algorithms.Reply) {
	clear(n.slots)
	n.flows, n.cursor, n.due = n.flows[:0], 0, now
	*r = algorithms.Reply{Kind: core.CNP, Wake: core.Never}
}

func (n *receiver) Step(a *algorithms.Arrival, r *algorithms.Reply) {
	if a.CE && !a.Timer {
		n.onMarked(a.QP)
	}
	r.Wake = core.Never
	if len(n.flows) > 0 && n.due <= a.Now {
		n.due = a.Now.Add(n.p.CNPGap)
		n.visit(a.Now, r)
	}
	if len(n.flows) > 0 {
		r.Wake = n.due
	}
}

// onMarked notes a marked packet. A new flow gets its CNP at the cursor's first visit.
func (n *receiver) onMarked(qp int32) {
	for int(qp) >= len(n.slots) {
		n.slots = append(n.slots, 0)
	}
	if n.slots[qp] == 0 {
		n.flows = append(n.flows, flow{qp: qp, last: core.Never})
		n.slots[qp] = int32(len(n.flows))
	}
	n.flows[n.slots[qp]-1].pending = true
}

// visit looks at one flow: it is notified, forgotten, or passed.
func (n *receiver) visit(now core.Time, r *algorithms.Reply) {
	if n.cursor >= len(n.flows) {
		n.cursor = 0
	}
	f := &n.flows[n.cursor]
	switch since := now.Sub(f.last); {
	case f.pending && (f.last == core.Never || since > n.p.CNPHold):
		r.Send, r.QP, r.Aux = true, f.qp, uint64(n.period())
		f.pending, f.last = false, now
	case since > n.p.FlowHold:
		n.forget(n.cursor)
		return
	}
	n.cursor++
}

// period is the CNP period tau that the congested flows can have: one CNP each.
func (n *receiver) period() core.Duration { return n.p.CNPGap * core.Duration(len(n.flows)) }

// forget removes flow i; the last one takes its place.
func (n *receiver) forget(i int) {
	last := len(n.flows) - 1
	n.slots[n.flows[i].qp] = 0
	if i != last {
		n.flows[i] = n.flows[last]
		n.slots[n.flows[i].qp] = int32(i + 1)
	}
	n.flows = n.flows[:last]
}
