package twin

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

const (
	reserve = 4096
	resumes = 3072
	frame   = 43
)

// fillSwitches sets the ports' headroom and thresholds.
func (w *world) fillSwitches() {
	hostRate := w.nodes[slices.IndexFunc(w.nodes, func(n *node) bool { return n.isHost })].ports[0].link.rate
	for _, n := range w.nodes {
		n.rest = uint32(w.c.BufferSize)
		for _, o := range n.ports {
			o.headroom = uint32(o.link.rate * uint64(o.link.delay) / 8 / 1e9 * 3)
			o.shift = 3
			for r := o.link.rate; r > hostRate && o.shift > 0; r /= 2 {
				o.shift--
			}
			n.rest -= o.headroom + reserve
		}
	}
}

// over is the part of what a class of a port holds that is beyond its reserve.
func (o *port) over(class int) uint32 { return max(o.ingress[class], reserve) - reserve }

func (o *port) threshold() uint32 { return (o.node.rest - o.node.shared) >> o.shift }

// forward is the arrival of a packet at a switch by port in.
func (in *port) forward(p *packet) {
	n := in.node
	o := n.portTo(p)
	p.in = in
	if !in.admit(p) {
		in.note("Drop", p.class, 0, p)
		n.w.seen["dropped"]++
		return
	}
	q := p.class
	o.egress[q] += uint32(p.size)
	if !in.stopped[q] && (in.inHeadroom[q] > 0 || in.over(q) >= in.threshold()) {
		in.sendFrame(q, false)
	}
	o.note("Enqu", q, o.egress[q]-uint32(p.size), p)
	o.queues[q] = append(o.queues[q], p)
	o.trySend()
}

// admit accounts a packet, or reports that there is no room.
func (in *port) admit(p *packet) bool {
	q, size, limit := p.class, uint32(p.size), in.threshold()
	after := in.ingress[q] + size
	switch {
	case size+in.inHeadroom[q] > in.headroom && size+in.over(q) > limit:
		return false
	case after <= reserve:
		in.ingress[q] = after
	case after-reserve > limit:
		in.inHeadroom[q] += size
	default:
		in.ingress[q] = after
		in.node.shared += min(size, after-reserve)
	}
	return true
}

func (in *port) release(p *packet) {
	q, size := p.class, uint32(p.size)
	fromHeadroom := min(in.inHeadroom[q], size)
	fromShared := min(size-fromHeadroom, in.over(q))
	in.inHeadroom[q] -= fromHeadroom
	in.ingress[q] -= size - fromHeadroom
	in.node.shared -= fromShared
}

// sendFrame sends a PFC frame, which opens a random stream, even if the frame stays here because the link is down.
func (in *port) sendFrame(class int, resume bool) {
	in.stopped[class] = !resume
	in.node.w.mark.Float64()
	p := &packet{kind: pause, size: frame, class: class, resume: resume}
	in.note("Enqu", 0, in.frames(), p)
	in.queues[0] = append(in.queues[0], p)
	in.trySend()
}

// sendFromQueues serves queue 0 first, then the others in turn.
func (o *port) sendFromQueues() {
	if len(o.queues[0]) > 0 {
		p := o.queues[0][0]
		o.queues[0] = o.queues[0][1:]
		o.note("Dequ", 0, o.frames(), p)
		o.transmit(p)
		return
	}
	for i := range 7 {
		q := (o.last+i)%7 + 1
		if o.paused[q] || len(o.queues[q]) == 0 {
			continue
		}
		p := o.queues[q][0]
		o.last, o.queues[q] = q, o.queues[q][1:]
		o.leave(p)
		o.note("Dequ", q, o.egress[q], p)
		o.transmit(p)
		return
	}
}

// leave does what happens to a data packet or an ACK between its queue and the wire.
func (o *port) leave(p *packet) {
	w, q := o.node.w, p.class
	p.in.release(p)
	o.egress[q] -= uint32(p.size)
	if w.c.EnableQCN {
		o.decideMark(p)
	}
	if in := p.in; in.stopped[q] && in.inHeadroom[q] == 0 && (in.over(q) == 0 || in.over(q)+resumes <= in.threshold()) {
		w.seen["resumed"]++
		if in == o { // it is not known whether the frame goes before the packet
			panic(beyond{})
		}
		in.sendFrame(q, true)
	}
	if p.kind == data {
		o.stamp(p)
	}
	o.sent += uint64(p.size)
	o.digester.note(w.now, p.size)
}

func (o *port) decideMark(p *packet) {
	w, rate := o.node.w, core.Rate(o.link.rate)
	size := func(list []traces.RateSize) uint32 {
		return uint32(list[slices.IndexFunc(list, func(s traces.RateSize) bool { return s.Rate == rate })].Size)
	}
	depth, low, high := o.egress[p.class], size(w.c.KMin), size(w.c.KMax)
	marked := depth > high
	if depth > low && !marked {
		most := w.c.PMax[slices.IndexFunc(w.c.PMax, func(s traces.RateProb) bool { return s.Rate == rate })].Prob
		marked = w.mark.Float64() < float64(most*float64(depth-low))/float64(high-low)
	}
	if marked {
		w.seen["marked"]++
		p.ce, p.marked = true, p.marked || p.kind == data
	}
}

// depth is what is queued, without or with PFC frames.
func (o *port) depth() (accounted, all uint32) {
	for _, n := range o.egress {
		accounted += n
	}
	return accounted, accounted + o.frames()
}

// frames is the length of queue 0 in bytes.
func (o *port) frames() uint32 { return uint32(frame * len(o.queues[0])) }

// sample records the depth of every queue for qlen.txt.
func (w *world) sample() {
	for _, n := range w.nodes {
		for _, o := range n.ports {
			depth, _ := o.depth()
			for len(o.samples) <= int(depth/1000) {
				o.samples = append(o.samples, 0)
			}
			o.samples[depth/1000]++
		}
	}
	if w.now%100e6 == 0 {
		w.dump()
	}
	if next := w.now + 100; next <= w.c.QueueMonEnd.Nanos() {
		w.later(next, w.sample)
	}
}

func (w *world) dump() {
	fmt.Fprintf(&w.qlen, "time: %d\n", w.now)
	for _, n := range w.nodes {
		if n.isHost {
			continue
		}
		for _, o := range n.ports {
			fmt.Fprintf(&w.qlen, "%d %d", n.id, o.index+1)
			for _, count := range o.samples {
				fmt.Fprintf(&w.qlen, " %d", count)
			}
			w.qlen.WriteByte('\n')
		}
	}
}
