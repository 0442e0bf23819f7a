//go:build cgo

package main

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// hosted is a network whose devices are behind the C interface, while its links and events are
// our engine's.
type hosted struct {
	t      *testing.T
	setup  *sim.Setup
	rto    func(flow int) core.Duration
	first  func(flow int) core.Duration // before its scheme has measured a round trip
	engine *engine.Engine
	routes *topo.Routes
	paths  *topo.Paths
	rtt    core.Duration
	bdp    core.Bytes
	pool   *network // the engine's packets
	net    uint64
	nodes  []uint64
	next   int // next flow to start
	starts engine.ProcessID
	qps    []int32         // by node: queue pairs promised to flows that end there
	dstQP  []int32         // by flow
	fct    []core.Duration // by flow
}

// device is a node of it; a core.Node.
type device struct {
	h *hosted
	n uint64
}

var _ core.Node = device{}

// Values of C's types to which the calls below write.
var (
	room   = roomFor(qbb_node_more, 3)
	parcel = parcelFor(qbb_node_receive)
)

func roomFor[H, A, U, R any](_ func(H, *A, U) R, n int) []A { return make([]A, n) }

func parcelFor[H, T, U, P, A, R any](func(H, T, T, U, *P, *A, U) R) *P { return new(P) }

// call notifies a node of an event of a port.
func call[H ~uint64, T ~int64, U ~uint32, A any, R ~int32](f func(H, T, T, U, *A, U) R, d device, t *core.Turn, port int, out []A) {
	d.obey(t, int(f(H(d.n), T(t.Now), T(t.Born), U(port), &out[0], U(len(out)))))
}

// callWith does so with one more argument.
func callWith[H ~uint64, T ~int64, U ~uint32, P, A any, R ~int32](f func(H, T, T, U, *P, *A, U) R, d device, t *core.Turn, port int, p *P, out []A) {
	d.obey(t, int(f(H(d.n), T(t.Now), T(t.Born), U(port), p, &out[0], U(len(out)))))
}

func callMore[H ~uint64, U ~uint32, A any, R ~int32](f func(H, *A, U) R, d device, out []A) int {
	return int(f(H(d.n), &out[0], U(len(out))))
}

// obey carries out the node's answers.
func (d device) obey(t *core.Turn, n int) {
	for n >= 0 {
		for i := range min(n, len(room)) {
			a := &room[i]
			action := core.Action{
				Kind: core.ActionKind(a.kind), Port: int32(a.port), Flow: int32(a.flow), At: core.Time(a.at),
				More: a.more != 0, Class: uint8(a.classes),
			}
			if action.Kind == core.Transmit || action.Kind == core.Dropped {
				action.Packet = d.h.pool.take(&a.packet)
			}
			t.Actions = append(t.Actions, action)
		}
		if n <= len(room) {
			return
		}
		n = callMore(qbb_node_more, d, room)
	}
	d.h.t.Fatalf("node %#x at %v: code %d", d.n, t.Now, n)
}

// Receive implements core.Node.
func (d device) Receive(t *core.Turn, port int, p *core.Packet) {
	d.h.pool.give(parcel, p)
	callWith(qbb_node_receive, d, t, port, parcel, room)
}

// TxDone implements core.Node.
func (d device) TxDone(t *core.Turn, port int) { call(qbb_node_tx_done, d, t, port, room) }

// Wake implements core.Node.
func (d device) Wake(t *core.Turn, port int) { call(qbb_node_wake, d, t, port, room) }

// SetLink implements core.Node.
func (d device) SetLink(*core.Turn, int, bool) { panic("no link of the scenario changes") }

// Run implements engine.Process: flows start.
func (h *hosted) Run(now core.Time) {
	for ; h.next < len(h.setup.Flows); h.next++ {
		f := &h.setup.Flows[h.next]
		if f.Start > now {
			h.engine.ScheduleProcess(h.starts, f.Start)
			return
		}
		h.open(h.next, f)
		h.engine.CarryOut(f.Src)
	}
}

// done records the end of a flow.
func (h *hosted) done(_ core.NodeID, a *core.Action) {
	if a.Kind != core.FlowDone {
		return
	}
	f := &h.setup.Flows[a.Flow]
	h.fct[a.Flow] = h.engine.Now().Sub(f.Start)
	if h.setup.Profile.ForgetReceiver {
		forget(qbb_nic_forget, h.nodes[f.Dst], h.dstQP[a.Flow])
	}
}

func forget[H ~uint64, Q ~int32, R any](f func(H, Q) R, node uint64, qp int32) { f(H(node), Q(qp)) }
