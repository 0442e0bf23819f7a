package rcc

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/portable"
)

// receiver is the notification point of one NIC port.
type receiver struct {
	p      *Params
	active algorithms.ActiveFlows
	flows  []flow // by queue pair

	since     core.Time  // when the present measurement of arrivals began
	bytes     core.Bytes // arrived since
	saturated bool       // by the last measurement

	line   float64 // bit/s
	bdp    float64 // bytes
	mtu    float64
	period core.Duration // T
}

// flow is what the receiver knows of one queue pair.
type flow struct {
	window  float64       // bytes; 0: no packet has come
	least   core.Duration // one-way delay
	sum     float64       // of errors
	before  float64       // previous error
	due     core.Time     // of the next grant
	sharers int           // N of an assigned window; 0 for one that was adjusted
}

func (r *receiver) Start(now core.Time, p *algorithms.Port, reply *algorithms.Reply) {
	*r = receiver{
		p: r.p, active: r.active, flows: r.flows, since: now,
		line: float64(p.Line), bdp: float64(p.Line) * p.MaxRTT.Seconds() / 8,
		mtu: float64(p.MTU), period: max(1, p.MaxRTT),
	}
	clear(r.flows)
	r.active.Reset(2 * p.MaxRTT)
	*reply = algorithms.Reply{Wake: core.Never}
}

func (r *receiver) Step(a *algorithms.Arrival, reply *algorithms.Reply) {
	f := r.note(a)
	r.measure(a)
	delay := a.Now.Sub(a.Packet.Sent)
	f.least = min(f.least, delay)
	n := r.active.Len()
	if a.Now < f.due && !(r.saturated && f.sharers != n) {
		return
	}
	if r.saturated {
		f.assign(max(r.mtu, r.bdp/float64(n)), n)
	} else {
		r.adjust(f, delay-f.least)
	}
	f.due = a.Now.Add(r.period)
	reply.Send, reply.QP, reply.Kind, reply.Aux = true, a.QP, core.Grant, uint64(f.window)
}

// note returns the state of the packet's flow, which stays however long that is silent; a new one has the window that
// its sender starts with.
func (r *receiver) note(a *algorithms.Arrival) *flow {
	r.active.See(a.Now, uint64(uint32(a.QP)))
	for int(a.QP) >= len(r.flows) {
		r.flows = append(r.flows, flow{})
	}
	f := &r.flows[a.QP]
	if f.window == 0 {
		*f = flow{window: max(r.mtu, r.bdp), least: math.MaxInt64, due: a.Now.Add(r.period)}
	}
	return f
}

// measure counts an arrival, and after a round trip compares the rate with the line's.
func (r *receiver) measure(a *algorithms.Arrival) {
	r.bytes += core.Bytes(a.Packet.Size)
	if span := a.Now.Sub(r.since); span >= r.period {
		r.saturated = float64(r.bytes)*8 >= r.p.Saturation*r.line*span.Seconds()
		r.since, r.bytes = a.Now, 0
	}
}

// assign gives the flow its share of the last hop.
func (f *flow) assign(window float64, sharers int) {
	f.window, f.sharers = window, sharers
	f.sum, f.before = 0, 0
}

const mostSum = 10

// adjust moves the window towards the delay aimed at.
func (r *receiver) adjust(f *flow, delay core.Duration) {
	e := 1 - float64(delay)/float64(r.p.RefDelay)
	f.sum = min(max(f.sum+e, -mostSum), mostSum)
	u := float64(r.p.KP*e) + float64(r.p.KI*f.sum) + float64(r.p.KD*(e-f.before))
	f.before, f.sharers = e, 0
	f.window *= 1 + float64(r.p.Step*portable.Tanh(u))
	f.window = max(r.mtu, min(f.window, r.bdp))
}
