package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Reroute binds the unfinished flows again after the routes have changed: the lists of all ports
// are emptied, then the flows are put back one by one, and each time the port tries to send.
func (h *Host) Reroute(t *core.Turn) {
	for i := range h.ports {
		o := &h.ports[i]
		o.disband()
		clear(o.list)
		o.list, o.stuck = o.list[:0], nil
	}
	flows := h.tx
	if h.cfg.KeepOrder {
		flows = h.order.senders()
	}
	for _, s := range flows {
		if s.done {
			continue
		}
		out := h.bind(s)
		if s.moved {
			h.tellPath(t, s)
		}
		h.trySend(t, out)
	}
	for i := range h.ports { // a port may have nothing left that waits
		if o := &h.ports[i]; o.waiting != core.Never {
			h.settleWait(t, o)
		}
	}
}

// PathChanged notes that the path of a queue pair has changed, which its scheme hears in the next Reroute.
func (h *Host) PathChanged(qp int32) { h.tx[qp].moved = true }

// tellPath tells the scheme, if it listens, that the path has changed. Everything sent so far may have taken
// the former path.
func (h *Host) tellPath(t *core.Turn, s *sender) {
	s.moved = false
	if s.hears.Has(algorithms.Path) {
		sig := h.prepare(t, s, algorithms.Path)
		sig.Acked, sig.Next = s.una, s.top
		h.step(t, s)
	}
}

// hashOrder is the order of iteration of the reference's table of queue pairs: that of a hash
// table with chaining in one list and the identity as hash. A new key goes to the head of its
// bucket's group if another key of the bucket is present, else to the head of the whole list.
type hashOrder struct {
	first   *ordered
	of      map[*sender]*ordered
	groups  map[uint64]*ordered // by bucket: the first of its senders, which stand together
	buckets uint64
}

// ordered is a sender's place in the order.
type ordered struct {
	sender        *sender
	before, after *ordered
}

// bucketCounts are the sizes that such a table takes in turn.
var bucketCounts = [...]uint64{
	1, 13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061,
	712697, 1447153, 2938679,
}

func hashKey(s *sender) uint64 {
	return uint64(core.Address(s.dst))<<32 | uint64(s.srcPort)<<16 | uint64(s.prio)
}

func (h *hashOrder) add(s *sender) {
	if uint64(len(h.of)+1) > h.buckets {
		h.grow()
	}
	h.insert(s)
}

// grow takes the next size and inserts everything again.
func (h *hashOrder) grow() {
	for _, n := range bucketCounts {
		if n > h.buckets {
			h.buckets = n
			break
		}
	}
	old := h.first
	h.first, h.of, h.groups = nil, make(map[*sender]*ordered), make(map[uint64]*ordered)
	for o := old; o != nil; o = o.after {
		h.insert(o.sender)
	}
}

func (h *hashOrder) insert(s *sender) {
	o, bucket := &ordered{sender: s, after: h.first}, hashKey(s)%h.buckets
	if group := h.groups[bucket]; group != nil {
		o.before, o.after = group.before, group
	}
	if o.before != nil {
		o.before.after = o
	} else {
		h.first = o
	}
	if o.after != nil {
		o.after.before = o
	}
	h.of[s], h.groups[bucket] = o, o
}

func (h *hashOrder) remove(s *sender) {
	o := h.of[s]
	if o == nil {
		return
	}
	delete(h.of, s)
	if o.before != nil {
		o.before.after = o.after
	} else {
		h.first = o.after
	}
	if o.after != nil {
		o.after.before = o.before
	}
	bucket := hashKey(s) % h.buckets
	switch {
	case h.groups[bucket] != o:
	case o.after != nil && hashKey(o.after.sender)%h.buckets == bucket:
		h.groups[bucket] = o.after
	default:
		delete(h.groups, bucket)
	}
}

// senders lists all, in their order.
func (h *hashOrder) senders() (list []*sender) {
	for o := h.first; o != nil; o = o.after {
		list = append(list, o.sender)
	}
	return list
}
