package engine

import (
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// queue is a priority queue in the order of (time, key) of two kinds of event: packets in flight,
// which are linked through themselves and arrive for certain, and slots, small integers given room at
// construction or by grow, each of which is pending at most once and can be moved or cancelled.
//
// It is a timing wheel. Time is cut into buckets of 1024 ps, and these into epochs of 2,048
// buckets (2.1 us). The near ring holds the buckets of the present epoch and the next: small
// enough for the first-level cache, and long enough for what a data centre's links keep in
// flight. The far ring holds 8,192 epochs (17 ms), and an unsorted list what is farther. A bucket
// is sorted when its turn comes: it rarely holds more than two events. Times must not lie before
// the last one popped.
type queue struct {
	current  []entry      // of the bucket being worked off, in order
	position int          // next of current
	bucket   int64        // being worked off
	nearEnd  int64        // end of the near ring: the epoch after the next begins there
	waiting  int          // events after the present bucket
	ahead    *core.Packet // of a bucket after the present one; nil: see fetchAhead

	slots []slot

	nearSum   uint64
	nearSet   [nearSize / 64]uint64
	near      [nearSize]core.Stack // packets, by bucket & nearMask
	nearSlots [nearSize]int32      // heads of lists: slot + 1, 0 for none

	far      [farSize]core.Stack // by epoch & farMask
	farSlots [farSize]int32
	farSet   [farSize / 64]uint64

	rest      core.Stack // what is beyond far
	restSlots int32
	restFirst core.Time // none of them is earlier

	spare []entry // room for sortByDigits
}

const (
	bucketBits = 10 // 1024 ps
	epochBits  = 11
	nearSize   = 2 << epochBits
	nearMask   = nearSize - 1
	farBits    = 13
	farSize    = 1 << farBits
	farMask    = farSize - 1
)

// entry is an event of the bucket being worked off.
type entry struct {
	at     core.Time
	key    uint64
	packet *core.Packet // that arrives; nil for a slot
	slot   int32
}

// before compares 128 bits at once, for the sake of branch prediction.
func (e *entry) before(f *entry) bool {
	_, less := bits.Sub64(e.key, f.key, 0)
	_, less = bits.Sub64(uint64(e.at), uint64(f.at), less)
	return less != 0
}

type slot struct {
	at     core.Time
	key    uint64
	born   core.Time
	next   int32 // in its list: slot + 1, 0 for none
	before int32 // slot + 2, or one of the following; of the bucket being worked off anything but idle
}

const (
	idle  = 0 // not in the queue
	first = 1 // of its list
)

// newQueue returns a queue for slots 0 to n-1.
func newQueue(n int) *queue {
	return &queue{slots: make([]slot, n), bucket: -1, nearEnd: nearSize, restFirst: core.Never}
}

// grow makes room for slots up to n-1.
func (q *queue) grow(n int) {
	if n > len(q.slots) {
		q.slots = append(q.slots, make([]slot, n-len(q.slots))...)
	}
}

// len returns the number of pending events.
func (q *queue) len() int { return q.waiting + len(q.current) - q.position }

// pending reports whether slot s is in the queue.
func (q *queue) pending(s int32) bool { return q.slots[s].before != idle }

// push puts a packet in flight into the queue.
func (q *queue) push(p *core.Packet) {
	b := int64(p.Flight.At) >> bucketBits
	if b <= q.bucket || b >= q.nearEnd {
		q.pushElsewhere(p)
		return
	}
	q.waiting++
	i := b & nearMask
	q.near[i].Push(p)
	q.nearSet[i>>6] |= 1 << (i & 63)
	q.nearSum |= 1 << (i >> 6)
}

// pushElsewhere puts a packet that is not in the near ring's range where it belongs.
func (q *queue) pushElsewhere(p *core.Packet) {
	e := int64(p.Flight.At) >> (bucketBits + epochBits)
	switch {
	case int64(p.Flight.At)>>bucketBits <= q.bucket:
		q.insert(entry{at: p.Flight.At, key: p.Flight.Key, packet: p})
		return
	case q.isFar(e):
		q.far[q.markFar(e)].Push(p)
	default:
		q.rest.Push(p)
		q.restFirst = min(q.restFirst, p.Flight.At)
	}
	q.waiting++
}

// set puts slot s into the queue, or moves it if it is there. born is kept for fire.
func (q *queue) set(s int32, at core.Time, key uint64, born core.Time) {
	p := &q.slots[s]
	if p.before != idle {
		q.clear(s)
	}
	p.at, p.key, p.born = at, key, born
	q.link(s, p)
}

// link puts a slot into the list in which its time belongs.
func (q *queue) link(s int32, p *slot) {
	b := int64(p.at) >> bucketBits
	if b <= q.bucket || b >= q.nearEnd {
		q.linkElsewhere(s, p)
		return
	}
	i := b & nearMask
	q.waiting++
	q.putFirst(&q.nearSlots[i], s, p)
	q.nearSet[i>>6] |= 1 << (i & 63)
	q.nearSum |= 1 << (i >> 6)
}

// linkElsewhere puts a slot that is not in the near ring's range where it belongs.
func (q *queue) linkElsewhere(s int32, p *slot) {
	e := int64(p.at) >> (bucketBits + epochBits)
	head := &q.restSlots
	switch {
	case int64(p.at)>>bucketBits <= q.bucket:
		p.before = first
		q.insert(entry{at: p.at, key: p.key, slot: s})
		return
	case q.isFar(e):
		head = &q.farSlots[q.markFar(e)]
	default:
		q.restFirst = min(q.restFirst, p.at)
	}
	q.waiting++
	q.putFirst(head, s, p)
}

// putFirst puts a slot at the head of a list.
func (q *queue) putFirst(head *int32, s int32, p *slot) {
	p.next, p.before = *head, first
	if p.next != 0 {
		q.slots[p.next-1].before = s + 2
	}
	*head = s + 1
}

// isFar reports whether an epoch after those of the near ring is one of the far ring.
func (q *queue) isFar(e int64) bool { return e>>farBits == q.lastNear()>>farBits }

// markFar notes that an epoch holds something and returns its place in the far ring.
func (q *queue) markFar(e int64) int64 {
	i := e & farMask
	q.farSet[i>>6] |= 1 << (i & 63)
	return i
}

// lastNear is the second epoch of the near ring.
func (q *queue) lastNear() int64 { return q.nearEnd>>epochBits - 1 }

// clear takes slot s out of the queue, if it is there. What was its bucket or epoch may be marked
// as holding something still.
func (q *queue) clear(s int32) {
	p := &q.slots[s]
	b, e := int64(p.at)>>bucketBits, int64(p.at)>>(bucketBits+epochBits)
	switch {
	case p.before == idle:
		return
	case b <= q.bucket:
		q.remove(s)
		q.waiting++
	case b < q.nearEnd:
		q.unlink(&q.nearSlots[b&nearMask], p)
	case q.isFar(e):
		q.unlink(&q.farSlots[e&farMask], p)
	default:
		q.unlink(&q.restSlots, p)
	}
	p.before = idle
	q.waiting--
}

// unlink takes a slot out of a list that holds it: without a search, since what happens in step may have thousands
// in a list.
func (q *queue) unlink(head *int32, p *slot) {
	if p.before != first {
		head = &q.slots[p.before-2].next
	}
	*head = p.next
	if p.next != 0 {
		q.slots[p.next-1].before = p.before
	}
}

// ready reports whether there is an event in the buckets that begin by limit.
func (q *queue) ready(limit core.Time) bool { return q.position < len(q.current) || q.open(limit) }

// front returns the first event, which may be due after the limit, if the queue is ready. It is
// valid until the queue is used again.
func (q *queue) front() *entry { return &q.current[q.position] }

// pop takes the first event out, if the queue is ready. Of a slot fire must be called.
func (q *queue) pop() {
	q.position++
	if q.ahead != nil {
		q.ahead = q.ahead.Below()
	}
}

// fire makes a slot that has been popped no longer pending and returns what set was given as born.
func (q *queue) fire(s int32) (born core.Time) {
	p := &q.slots[s]
	p.before = idle
	return p.born
}

// open begins the next bucket that holds something, if it begins by the limit. It is kept out of ready
// so that the compiler inlines that: every event asks it, and half of them find a bucket open.
//
//go:noinline
func (q *queue) open(limit core.Time) bool {
	last := int64(limit) >> bucketBits
	for {
		b := q.nextNear()
		if b >= q.nearEnd-nearSize/2 || b > last {
			if !q.moveOn(b, last) {
				return false
			}
			continue
		}
		i := b & nearMask
		w := i >> 6
		if q.nearSet[w] &^= 1 << (i & 63); q.nearSet[w] == 0 {
			q.nearSum &^= 1 << w
		}
		q.bucket, q.position = b, 0
		if q.take(i); len(q.current) > 0 {
			q.fetchAhead(i)
			return true
		}
	}
}

// fetchAhead begins a walk along the packets of the bucket after near bucket i, if one is near. Every pop goes a packet
// further: so packets come into the first-level cache one by one, while others are worked off. Where those in flight do not
// fit into the second-level cache, take would wait for one after the other.
func (q *queue) fetchAhead(i int64) {
	q.ahead = nil
	if set := q.nearSet[i>>6] >> (i & 63); set != 0 {
		q.ahead = q.near[i+int64(bits.TrailingZeros64(set))].Front()
	}
}

// none is a bucket after all others.
const none = math.MaxInt64

// nextNear returns the first bucket of the near ring, after the present one, that may hold
// something, or none.
func (q *queue) nextNear() int64 {
	i := (q.bucket + 1) & nearMask
	if set := q.nearSet[i>>6] >> (i & 63); set != 0 {
		return q.bucket + 1 + int64(bits.TrailingZeros64(set))
	}
	w := i >> 6
	sum := bits.RotateLeft64(q.nearSum, -int(w+1))
	if sum == 0 {
		return none
	}
	w = (w + 1 + int64(bits.TrailingZeros64(sum))) & 63
	found := w<<6 + int64(bits.TrailingZeros64(q.nearSet[w]))
	return q.bucket + 1 + (found-i)&nearMask
}

// bound returns a time before which there is no event, or core.Never if there is none at all. It is
// the first event's to within a bucket, or an epoch if that has not begun, unless an earlier event
// has been cleared.
func (q *queue) bound() core.Time {
	if q.position < len(q.current) {
		return q.current[q.position].at
	}
	if q.waiting == 0 {
		return core.Never
	}
	if b := q.nextNear(); b != none {
		return core.Time(b << bucketBits)
	}
	return core.Time(q.nextEpoch() << (bucketBits + epochBits))
}

// moveOn enters the epoch of the next event, of near bucket b unless that is none, and reports
// whether there is one that begins by the last bucket.
func (q *queue) moveOn(b, last int64) bool {
	e := b >> epochBits
	switch {
	case q.waiting == 0 || b != none && b > last:
		return false
	case b == none:
		e = q.nextEpoch()
	}
	if e > last>>epochBits {
		return false
	}
	q.enter(e)
	return true
}

// nextEpoch returns the first epoch after those of the near ring that may hold something.
func (q *queue) nextEpoch() int64 {
	year := q.lastNear() >> farBits
	for e := q.lastNear() + 1; e>>farBits == year; e = (e | 63) + 1 {
		i := e & farMask
		if set := q.farSet[i>>6] >> (i & 63); set != 0 {
			return e + int64(bits.TrailingZeros64(set))
		}
	}
	return int64(q.restFirst) >> (bucketBits + epochBits)
}

// enter makes epoch e the present one and moves the events of e and the one after into the
// near ring.
func (q *queue) enter(e int64) {
	turned := (e+1)>>farBits != q.lastNear()>>farBits
	q.nearEnd = (e + 2) << epochBits
	q.bucket = max(q.bucket, e<<epochBits-1)
	if turned {
		packets, slots := q.rest, q.restSlots
		q.rest, q.restSlots, q.restFirst = core.Stack{}, 0, core.Never
		q.replace(packets, slots)
	}
	for _, i := range [2]int64{e & farMask, (e + 1) & farMask} {
		if q.farSet[i>>6]>>(i&63)&1 == 0 {
			continue
		}
		packets, slots := q.far[i], q.farSlots[i]
		q.far[i], q.farSlots[i] = core.Stack{}, 0
		q.farSet[i>>6] &^= 1 << (i & 63)
		q.replace(packets, slots)
	}
}

// replace puts lists of packets and of slots where they now belong.
func (q *queue) replace(packets core.Stack, slots int32) {
	for p := packets.TakeAll(); p != nil; {
		below := p.Below()
		q.waiting--
		q.push(p)
		p = below
	}
	for slots != 0 {
		s, p := slots-1, &q.slots[slots-1]
		slots = p.next
		q.waiting--
		q.link(s, p)
	}
}
