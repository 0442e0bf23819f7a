package ndp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// pullWord is what a pull says: by how many packets a port has pulled the flow so far.
func pullWord(port int, count uint32) uint64 { return uint64(uint16(port))<<32 | uint64(count) }

func pullOf(word uint64) (port int, count uint32) { return int(uint16(word >> 32)), uint32(word) }

// receiver is the pull queue of one NIC port, and its pacer.
type receiver struct {
	p      *Params
	flows  []flow           // by queue pair
	turn   core.Ring[int32] // queue pairs with pulls to be sent, in the order of service
	free   core.Time        // when the next pull may be sent
	gap    core.Duration    // from one pull to the next
	header core.Bytes       // of a packet, for which gap was computed
	port   int
	mtu    core.Bytes
	rate   core.Rate
	timing core.Timing
}

// flow is what the receiver knows of one queue pair.
type flow struct {
	owed   int64  // pulls to be sent
	sent   uint32 // pulls that were sent
	queued bool   // in turn
}

func (r *receiver) Start(now core.Time, p *algorithms.Port, reply *algorithms.Reply) {
	clear(r.flows)
	r.turn.Clear()
	*r = receiver{
		p: r.p, flows: r.flows, turn: r.turn, free: now, header: -1, port: p.Port, mtu: p.MTU,
		rate: max(1, core.Rate(float64(p.Line)*r.p.PullRate)), timing: p.Timing,
	}
	*reply = algorithms.Reply{Kind: core.Grant, Wake: core.Never}
}

func (r *receiver) Step(a *algorithms.Arrival, reply *algorithms.Reply) {
	if !a.Timer {
		r.owe(a)
	}
	if r.free <= a.Now {
		r.pull(a.Now, reply)
	}
	reply.Wake = core.Never
	if r.turn.Len() > 0 {
		reply.Wake = r.free
	}
}

// owe adds a pull to the queue for a packet that has come, trimmed or not, but no more than the flow can follow.
func (r *receiver) owe(a *algorithms.Arrival) {
	if header := core.Bytes(a.Packet.Size) - a.Bytes; header != r.header {
		r.header, r.gap = header, r.timing.TxTime(r.mtu+header, r.rate)
	}
	for int(a.QP) >= len(r.flows) {
		r.flows = append(r.flows, flow{})
	}
	f := &r.flows[a.QP]
	f.owed++
	if a.Missing >= 0 {
		f.owed = min(f.owed, a.Missing)
	}
	if f.owed > 0 && !f.queued {
		f.queued = true
		r.turn.Push(a.QP)
	}
}

// pull sends a pull for the flow whose turn it is.
func (r *receiver) pull(now core.Time, reply *algorithms.Reply) {
	for r.turn.Len() > 0 {
		qp := r.turn.Pop()
		f := &r.flows[qp]
		if f.queued = f.owed > 1; f.queued {
			r.turn.Push(qp)
		}
		if f.owed > 0 {
			f.owed--
			f.sent++
			reply.Send, reply.QP, reply.Aux = true, qp, pullWord(r.port, f.sent)
			r.free = now.Add(r.gap)
			return
		}
	}
}
