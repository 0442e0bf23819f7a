package dcqcnpaper

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// receiver is the notification point of one NIC port. A marked packet of an idle flow asks
// for a CNP, made as soon as the port may make one; then the flow rests for the CNP
// interval, and a packet marked meanwhile asks for another at its end.
type receiver struct {
	p     *Params
	flows []flow             // by queue pair
	ready core.Ring[int32]   // queue pairs that wait for a CNP to be made
	rests core.Ring[instant] // ends of intervals, in their order
	sends core.Ring[instant] // CNPs being made, in their order
	free  core.Time          // when the port may make the next CNP
}

type flow struct {
	state state
	again bool // resting: marked since the interval began
}

type state uint8

const (
	idle state = iota
	waiting
	resting
)

// instant is when something happens to a queue pair.
type instant struct {
	at core.Time
	qp int32
}

func (n *receiver) Start(now core.Time, _ *algorithms.Port, r *algorithms.Reply) {
	clear(n.flows)
	n.ready.Clear()
	n.rests.Clear()
	n.sends.Clear()
	n.free = now
	*r = algorithms.Reply{Kind: core.CNP, Wake: core.Never}
}

func (n *receiver) Step(a *algorithms.Arrival, r *algorithms.Reply) {
	n.endRests(a.Now)
	if a.CE && !a.Timer {
		n.onMarked(a.QP)
	}
	n.make(a.Now)
	if n.sends.Len() > 0 && n.sends.Front().at <= a.Now {
		r.Send, r.QP = true, n.sends.Pop().qp
	}
	r.Wake = n.wake()
}

func (n *receiver) onMarked(qp int32) {
	for int(qp) >= len(n.flows) {
		n.flows = append(n.flows, flow{})
	}
	switch f := &n.flows[qp]; f.state {
	case idle:
		n.ask(qp)
	case resting:
		f.again = true
	}
}

func (n *receiver) ask(qp int32) {
	n.flows[qp] = flow{state: waiting}
	n.ready.Push(qp)
}

// endRests ends the intervals that are over.
func (n *receiver) endRests(now core.Time) {
	for n.rests.Len() > 0 && n.rests.Front().at <= now {
		qp := n.rests.Pop().qp
		if n.flows[qp].again {
			n.ask(qp)
		} else {
			n.flows[qp].state = idle
		}
	}
}

// make makes the CNPs that the port may make now.
func (n *receiver) make(now core.Time) {
	for n.ready.Len() > 0 && n.free <= now {
		qp := n.ready.Pop()
		n.free = now.Add(n.p.CNPGap)
		n.sends.Push(instant{now.Add(n.p.CNPDelay), qp})
		if n.p.CNPInterval == 0 {
			n.flows[qp].state = idle
			continue
		}
		n.flows[qp].state = resting
		n.rests.Push(instant{now.Add(n.p.CNPInterval), qp})
	}
}

func (n *receiver) wake() core.Time {
	wake := core.Never
	if n.ready.Len() > 0 {
		wake = n.free
	}
	if n.rests.Len() > 0 {
		wake = min(wake, n.rests.Front().at)
	}
	if n.sends.Len() > 0 {
		wake = min(wake, n.sends.Front().at)
	}
	return wake
}
