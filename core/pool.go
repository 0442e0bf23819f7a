package core

import "fmt"

// Pool owns packets and their INT stacks. It belongs to one part of a run: no locking.
// Memory grows to the largest number of packets alive at once and is reused.
type Pool struct {
	free    *Packet
	fresh   []Packet // never handed out yet
	live    int
	maxHops int
	stacks  [][]Hop  // free INT stacks
	hops    []Hop    // never handed out yet
	_       [32]byte // to two cache lines, which no other part then writes
}

// chunk is the number of packets, or of INT stacks, that a pool takes from the system at once.
const chunk = 1024

// NewPool returns a pool whose INT stacks hold up to maxHops records.
func NewPool(maxHops int) *Pool { return &Pool{maxHops: max(maxHops, 1)} }

// MustHold panics unless the pool's INT stacks have room for the records of a format.
func (q *Pool) MustHold(f *INTFormat) {
	if f.MaxHops > q.maxHops {
		panic(fmt.Sprintf("core: a pool whose INT stacks hold %d records is used with a format of %d: give NewPool as many", q.maxHops, f.MaxHops))
	}
}

// New returns a zeroed packet.
func (q *Pool) New() *Packet {
	q.live++
	if p := q.free; p != nil {
		q.free = p.next
		*p = Packet{}
		return p
	}
	if len(q.fresh) == 0 {
		q.fresh = make([]Packet, chunk)
	}
	p := &q.fresh[0]
	q.fresh = q.fresh[1:]
	return p
}

// Free gives the packet and its INT stack back. The caller must not use it again.
func (q *Pool) Free(p *Packet) {
	if p.INT != nil {
		q.dropINT(p)
	}
	q.live--
	p.next = q.free
	q.free = p
}

// Adopt counts n live packets of another pool as this one's; with a negative n, the reverse.
func (q *Pool) Adopt(n int) { q.live += n }

// Live returns the number of packets handed out and not freed.
func (q *Pool) Live() int { return q.live }

// AddINT gives the packet an empty INT stack. Its records hold anything until they are written.
func (q *Pool) AddINT(p *Packet) {
	p.NHops = 0
	if n := len(q.stacks); n > 0 {
		p.INT = q.stacks[n-1]
		q.stacks = q.stacks[:n-1]
		return
	}
	if len(q.hops) == 0 {
		q.hops = make([]Hop, chunk*q.maxHops)
	}
	p.INT = q.hops[:q.maxHops:q.maxHops]
	q.hops = q.hops[q.maxHops:]
}

// dropINT takes the packet's INT stack away.
func (q *Pool) dropINT(p *Packet) {
	q.stacks = append(q.stacks, p.INT)
	p.INT = nil
}
