package algotest

import (
	"container/heap"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Bottleneck is the smallest network in which congestion control has something to do:
// senders with a NIC each, one egress queue, one receiver. It is a model to observe a
// scheme with, not a second simulator: one class, no PFC, an ACK per packet that meets no
// queue. The queue loses nothing, unless Buffer limits it: then the receiver answers a gap with
// one NACK and the sender goes back to it, as it does after 1 ms without progress.
type Bottleneck struct {
	Line       core.Rate     // of the NICs and of the bottleneck
	BaseRTT    core.Duration // of a full data packet and its ACK without queueing
	MTU        core.Bytes
	KMin, KMax core.Bytes // ECN marking thresholds, on the queue after dequeue
	PMax       float64    // marking probability at KMax
	INT        core.INTFormat
	Buffer     core.Bytes // longest queue; 0 for no limit
	Flows      []Span
	For        core.Duration // length of the run
	Columns    int           // of the result: For is cut into as many intervals
}

// Span is the life of one flow, which always has something to send.
type Span struct{ From, To core.Time }

// NewBottleneck returns n flows that run for d over 100 Gb/s and 13 us, with the marking
// thresholds that the HPCC authors use for DCQCN at that rate.
func NewBottleneck(n int, d core.Duration) *Bottleneck {
	b := &Bottleneck{
		Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000,
		KMin: 400_000, KMax: 1_600_000, PMax: 0.2, INT: core.FullINT(5), For: d, Columns: 72,
	}
	for range n {
		b.Flows = append(b.Flows, Span{0, core.Never})
	}
	return b
}

func (b *Bottleneck) bdp() core.Bytes {
	return core.Bytes(float64(b.Line) * b.BaseRTT.Seconds() / 8)
}

// Run runs the flows under a scheme.
func (b *Bottleneck) Run(s algorithms.Scheme) *Result {
	n := newNet(b, s)
	for i, span := range b.Flows {
		n.at(span.From, event{kind: evOpen, flow: i})
	}
	end := core.Time(b.For)
	for n.events.Len() > 0 {
		e := heap.Pop(&n.events).(event)
		if e.at >= end {
			break
		}
		n.now = e.at
		n.handle(&e)
	}
	return n.result
}

// event is something that will happen in the net.
type event struct {
	at     core.Time
	seq    int // settles equal times by the order of scheduling
	kind   int
	flow   int
	packet packet
}

const (
	evOpen    = iota // a flow begins
	evPace           // a flow may send
	evTimer          // a sender's Wake
	evQueue          // a data packet reaches the bottleneck
	evTxDone         // the bottleneck is free
	evDeliver        // a data packet reaches the receiver
	evAck            // an ACK reaches its sender
	evNotify         // a notification of the receiver's reaches a sender
	evSwitch         // a notification of the switch's reaches a sender
	evReply          // the receiver's Wake
	evRetry          // a sender looks whether it has made progress
)

// packet is a data packet and later its ACK, or a notification.
type packet struct {
	flow  int
	seq   int64 // of its first byte; in an ACK or NACK, next byte expected
	wire  core.Bytes
	sent  core.Time
	ce    bool
	aux   uint64
	kind  core.Kind
	value int32 // feedback of the switch
	hop   core.Hop
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(event)) }
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}
