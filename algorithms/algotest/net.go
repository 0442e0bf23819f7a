package algotest

import (
	"container/heap"
	"fmt"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// net is one run of a Bottleneck: its event loop and switch. The hosts are in host.go.
type net struct {
	*Bottleneck
	traits   algorithms.Traits
	now      core.Time
	seq      int
	events   eventHeap
	hosts    []*host
	inbound  []inbound // by flow
	receiver algorithms.Receiver
	reply    algorithms.Reply
	replyAt  core.Time // of the pending evReply
	marker   algorithms.Marker
	verdict  algorithms.Mark // the marker's answer
	random   *core.Stream
	queue    core.Ring[packet]
	queued   core.Bytes
	tx       core.Bytes
	busy     bool
	hop      core.Duration // propagation sender to switch, and switch to receiver
	result   *Result
}

// headerBytes is what a RoCE-like packet adds to its payload in the reference's format.
const headerBytes = 48

func newNet(b *Bottleneck, s algorithms.Scheme) *net {
	n := &net{
		Bottleneck: b, traits: s.Traits(), replyAt: core.Never,
		receiver: s.NewReceiver(), marker: s.NewMarker(),
		random: core.NewStream(1, core.StreamMark, 0), result: newResult(b),
	}
	wire := n.wire()
	n.hop = (b.BaseRTT - 2*core.Exact.TxTime(wire, b.Line)) / 4
	if n.hop < 0 {
		panic(fmt.Sprintf("algotest: a base round trip of %v is too short for the packets", b.BaseRTT))
	}
	if n.marker != nil {
		n.marker.Start(0, n.port(core.StreamMarker))
	}
	n.reply.Wake = core.Never
	if n.receiver != nil {
		n.receiver.Start(0, n.port(core.StreamMark), &n.reply)
	}
	for i := range b.Flows {
		n.hosts = append(n.hosts, newHost(n, i, s.NewSender()))
		n.inbound = append(n.inbound, inbound{nacked: -1})
	}
	return n
}

func (n *net) wire() core.Bytes {
	return n.MTU + headerBytes + core.Bytes(n.traits.HeaderBytes+n.traits.HopBytes)
}

func (n *net) port(stream uint64) *algorithms.Port {
	random := core.NewStream(1, stream, 1)
	return &algorithms.Port{Port: 1, Line: n.Line, MaxRTT: n.BaseRTT, MTU: n.MTU, Random: random, Shared: random}
}

func (n *net) at(t core.Time, e event) {
	n.seq++
	e.at, e.seq = t, n.seq
	heap.Push(&n.events, e)
}

func (n *net) handle(e *event) {
	switch e.kind {
	case evQueue:
		n.onQueue(e.packet)
	case evTxDone:
		n.busy = false
		n.transmit()
	case evDeliver:
		n.onDeliver(e.packet)
	case evReply:
		n.onReply()
	default:
		n.hosts[e.flow].handle(e)
	}
}

func (n *net) onQueue(p packet) {
	if n.Buffer > 0 && n.queued+p.wire > n.Buffer {
		n.result.Drops++
		return
	}
	n.mark(&p, true)
	n.queue.Push(p)
	n.queued += p.wire
	n.result.noteQueue(n.now, n.queued)
	if !n.busy {
		n.transmit()
	}
}

func (n *net) transmit() {
	if n.queue.Len() == 0 {
		return
	}
	p := n.queue.Pop()
	n.queued -= p.wire
	p.hop = n.INT.Record(n.now, n.Line, n.tx, n.queued)
	n.mark(&p, false)
	p.ce = p.ce || n.congested()
	n.tx += p.wire
	n.busy = true
	done := n.now.Add(core.Exact.TxTime(p.wire, n.Line))
	n.at(done, event{kind: evTxDone})
	n.at(done.Add(n.hop), event{kind: evDeliver, packet: p})
}

// congested decides on an ECN mark: RED on the instantaneous queue.
func (n *net) congested() bool {
	switch q := n.queued; {
	case n.traits.Needs&algorithms.ECN == 0 || q <= n.KMin:
		return false
	case q > n.KMax:
		return true
	default:
		return n.random.Float64() < n.PMax*float64(q-n.KMin)/float64(n.KMax-n.KMin)
	}
}

// mark shows the packet to the scheme's own congestion point, if that wants to see it now.
func (n *net) mark(p *packet, enqueue bool) {
	moment := algorithms.Departures
	if enqueue {
		moment = algorithms.Arrivals
	}
	if n.marker == nil || n.traits.Sees != 0 && n.traits.Sees&moment == 0 {
		return
	}
	sight := algorithms.Sight{
		Now: n.now, Enqueue: enqueue, Own: true, Queue: n.queued, Class: n.queued, Tx: n.tx,
		Packet: &core.Packet{
			Kind: core.Data, Flags: core.ECT, Size: int32(p.wire), Payload: int32(n.MTU),
			Src: core.NodeID(p.flow), SrcQP: int32(p.flow), Seq: p.seq, Sent: p.sent, Aux: p.aux,
		},
	}
	m := &n.verdict
	m.Reset()
	n.marker.Step(&sight, m)
	p.ce = p.ce || m.CE
	if m.SetAux {
		p.aux = m.Aux
	}
	if m.Flows != 0 {
		p.hop.Flows = m.Flows
	}
	if m.Notify {
		n.tellSource(p.flow, m.Feedback, p.sent)
	}
	for _, o := range m.Others {
		n.tellSource(int(o.To), o.Feedback, n.now)
	}
}

// tellSource sends a CNM to a flow's sender, past all queues.
func (n *net) tellSource(flow int, feedback int32, sent core.Time) {
	n.at(n.now.Add(n.hop), event{kind: evSwitch, flow: flow, packet: packet{value: feedback, sent: sent}})
}

func (n *net) open() int {
	count := 0
	for _, h := range n.hosts {
		if h.open {
			count++
		}
	}
	return count
}
