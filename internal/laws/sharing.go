package laws

import (
	"math/bits"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// room is what a packet of a lossy class finds at a switch: bounds, since lossless classes may use the pool or headroom, and
// ABM's thresholds depend on which queues count as congested.
type room struct {
	pooled      core.Bytes // of the packet, more than its reserve
	least, most core.Bytes // unused part of the pool
}

// checked reports whether it is known what a class of a switch may hold: links that change leave bytes accounted, and move
// packets to other ports.
func (l *laws) checked(class uint8) bool {
	return l.n.Credits() == nil && l.s.Lossy>>class&1 != 0 && len(l.s.Links) == 0
}

// room returns what a packet finds at a switch.
func (l *laws) room(node core.NodeID, p *arrival) room {
	s := l.s
	pool, used, atLeast := s.Buffer, core.Bytes(0), core.Bytes(0)
	for _, w := range l.wires[node] {
		headroom := s.Headroom(&s.Topology.Links[w.peer.Link])
		pool -= headroom + s.Reserve*core.Bytes(1+bits.OnesCount8(s.Lossy))
		for class, held := range w.lanes {
			use := max(0, held-s.Reserve)
			used += use
			if s.Lossy>>class&1 == 0 {
				use = max(0, use-headroom)
			}
			atLeast += use
		}
	}
	pool = min(pool, switching.MaxUse-s.Reserve)
	size := core.Bytes(p.Size)
	return room{
		pooled: min(size, p.in.lanes[p.Prio]+size-s.Reserve),
		least:  max(0, pool-used), most: max(0, pool-atLeast),
	}
}

// limits returns bounds of what a queue may hold with a packet.
func (w *wire) limits(p *arrival, r room) (least, most core.Bytes) {
	s := w.l.s
	switch s.Sharing {
	case switching.Complete:
		return core.Unlimited, core.Unlimited
	case switching.Dynamic:
		return r.least >> s.LossyShift, r.most >> s.LossyShift
	}
	times := func(b core.Bytes) core.Bytes { return b >> s.LossyShift }
	if p.Kind == core.Data && p.Flags&core.Rtx == 0 && core.Bytes(p.Seq) < w.l.n.MaxBDP() {
		times = func(b core.Bytes) core.Bytes { return b * core.Bytes(s.FirstAlpha) }
	}
	weight := func(class int) core.Bytes { return core.Bytes(max(1, s.Weights[class])) }
	all, queues := weight(int(p.Prio)), core.Bytes(0)
	for class, q := range w.queues {
		if class != 0 && class != int(p.Prio) && len(q) > 0 {
			all += weight(class)
		}
	}
	for _, other := range w.l.wires[w.node] {
		queues += core.Bytes(min(1, len(other.queues[p.Prio])))
	}
	return times(r.least) * weight(int(p.Prio)) / (all * max(1, queues)), times(r.most)
}

// admits checks that a packet of a lossy class that is put into a queue finds room there.
func (w *wire) admits(at core.Time, p *arrival) {
	if !w.l.checked(p.Prio) {
		return
	}
	r := w.l.room(w.node, p)
	_, most := w.limits(p, r)
	holds := w.bytes[p.Prio] + core.Bytes(p.Size)
	w.check(at, r.pooled <= 0 || r.pooled <= r.most && holds <= most,
		"holds %d bytes of class %d, where %d are allowed, of %d that are unused", holds, p.Prio, most, r.most)
}

// heldOf returns how much a switch holds of the connection of a packet.
func (l *laws) heldOf(node core.NodeID, p *arrival) (sum core.Bytes) {
	for _, a := range l.early[node] {
		if a.Src == p.Src && a.SrcQP == p.SrcQP {
			sum += core.Bytes(a.Size)
		}
	}
	return sum
}

// holds checks that a packet of a lossy class that a switch holds, to be put in order, finds room there: what is held of its connection
// is like a queue of its own at the port to the host.
func (l *laws) holds(at core.Time, node core.NodeID, p *arrival) {
	if !l.checked(p.Prio) {
		return
	}
	r := l.room(node, p)
	for _, w := range l.wires[node] {
		if w.peer.Peer == p.Dst {
			_, most := w.limits(p, r)
			holds := l.heldOf(node, p) + core.Bytes(p.Size)
			w.check(at, r.pooled <= 0 || r.pooled <= r.most && holds <= most,
				"holds %d bytes of queue pair %d of %d, where %d are allowed, of %d that are unused", holds, p.SrcQP, p.Src, most, r.most)
		}
	}
}

// refuses checks that a switch has no room for a packet of a lossy class that it drops or trims.
func (l *laws) refuses(at core.Time, node core.NodeID, p *arrival) {
	if !l.checked(p.Prio) {
		return
	}
	r := l.room(node, p)
	full := func(w *wire) bool {
		least, _ := w.limits(p, r)
		onward := w.up && l.distance(w.peer.Peer, p.Dst) < l.distance(node, p.Dst)
		return onward && max(w.bytes[p.Prio], l.heldOf(node, p))+core.Bytes(p.Size) > least
	}
	none := r.pooled > 0 && (r.pooled > r.least || slices.ContainsFunc(l.wires[node], full))
	l.check(none, "%v: node %d has no room for %+v, though %d bytes are unused", at, node, identify(&p.Packet), r.least)
}
