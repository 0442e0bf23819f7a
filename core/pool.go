package core

// Pool owns packets and their INT hop blocks. It belongs to one partition of a run: no
// locking. Memory grows to the largest number of packets alive at once and is reused.
type Pool struct {
	chunks  [][]Packet
	free    uint32 // first free packet + 1
	used    uint32 // packets ever handed out
	live    int
	hops    [][]Hop // chunks of hop blocks
	stride  uint32  // hops in a block
	freeINT []uint32
	usedINT uint32
}

const (
	chunkBits = 10
	chunkSize = 1 << chunkBits
)

// NewPool returns a pool whose INT blocks hold up to maxHops records.
func NewPool(maxHops int) *Pool {
	return &Pool{stride: uint32(max(maxHops, 1))}
}

// At returns the packet with index id.
func (q *Pool) At(id uint32) *Packet { return &q.chunks[id>>chunkBits][id&(chunkSize-1)] }

// New returns a zeroed packet.
func (q *Pool) New() *Packet {
	q.live++
	if q.free != 0 {
		p := q.At(q.free - 1)
		q.free = p.next
		*p = Packet{id: p.id}
		return p
	}
	if q.used>>chunkBits == uint32(len(q.chunks)) {
		q.chunks = append(q.chunks, make([]Packet, chunkSize))
	}
	p := q.At(q.used)
	p.id = q.used
	q.used++
	return p
}

// Free gives the packet and its INT block back. The caller must not use it again.
func (q *Pool) Free(p *Packet) {
	if p.INT != 0 {
		q.DropINT(p)
	}
	q.live--
	p.next = q.free
	q.free = p.id + 1
}

// Live returns the number of packets handed out and not freed.
func (q *Pool) Live() int { return q.live }

// AddINT gives the packet an empty INT block.
func (q *Pool) AddINT(p *Packet) {
	if n := len(q.freeINT); n > 0 {
		p.INT = q.freeINT[n-1]
		q.freeINT = q.freeINT[:n-1]
	} else {
		if q.usedINT>>chunkBits == uint32(len(q.hops)) {
			q.hops = append(q.hops, make([]Hop, chunkSize*q.stride))
		}
		q.usedINT++
		p.INT = q.usedINT
	}
	p.NHops = 0
}

// DropINT takes the packet's INT block away.
func (q *Pool) DropINT(p *Packet) {
	q.freeINT = append(q.freeINT, p.INT)
	p.INT = 0
}

// Hops returns the packet's whole INT block: room for the pool's maxHops records.
func (q *Pool) Hops(p *Packet) []Hop {
	i := p.INT - 1
	off := (i & (chunkSize - 1)) * q.stride
	return q.hops[i>>chunkBits][off : off+q.stride : off+q.stride]
}

// Queue is a first-in first-out list of packets of one pool. The zero value is empty.
type Queue struct {
	head, tail uint32 // index + 1, 0 for none
}

// Empty reports whether there is none.
func (l *Queue) Empty() bool { return l.head == 0 }

// Push appends p.
func (l *Queue) Push(q *Pool, p *Packet) {
	p.next = 0
	if l.head == 0 {
		l.head = p.id + 1
	} else {
		q.At(l.tail - 1).next = p.id + 1
	}
	l.tail = p.id + 1
}

// Front returns the first packet, or nil.
func (l *Queue) Front(q *Pool) *Packet {
	if l.head == 0 {
		return nil
	}
	return q.At(l.head - 1)
}

// Pop removes and returns the first packet, or nil.
func (l *Queue) Pop(q *Pool) *Packet {
	if l.head == 0 {
		return nil
	}
	p := q.At(l.head - 1)
	l.head = p.next
	return p
}
