package engine

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// Queue is a priority queue of slots in the order of (time, key). Slots are small integers
// given at construction; each is pending at most once and can be moved or cancelled, in time
// proportional to what its bucket holds.
//
// It is a timing wheel. Time is cut into buckets of 1024 ps, and these into epochs of 2,048
// buckets (2.1 us). The near ring holds the buckets of the present epoch and the next: small
// enough for the first-level cache, and long enough for what a data centre's links keep in
// flight. The far ring holds 8,192 epochs (17 ms), and an unsorted list what is farther. A
// bucket rarely holds more than two events: the first is picked out by looking at all, and
// only a crowded bucket is sorted. Times must not lie before the last one popped.
type Queue struct {
	slots   []slot
	bucket  int64 // bucket being drained
	nearEnd int64 // end of the near ring: the epoch after the next begins there
	pending int

	current  []entry // the bucket being drained, if it holds several events
	position int     // next of current

	nearSum uint64
	nearSet [nearSize / 64]uint64
	near    [nearSize]int32 // heads of lists, by bucket & nearMask: slot + 1, 0 for none

	far    [farSize]int32 // heads of lists, by epoch & farMask
	farSet [farSize / 64]uint64
	rest   int32 // head of the list of what is beyond far
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

type place uint8

const (
	idle place = iota
	inCurrent
	inNear
	inFar
	inRest
)

type slot struct {
	at    core.Time
	key   uint64
	born  core.Time
	next  int32 // slot + 1, 0 for none
	where place
}

// NewQueue returns a queue for slots 0 to n-1.
func NewQueue(n int) *Queue {
	return &Queue{slots: make([]slot, n), nearEnd: nearSize}
}

// Grow makes room for slots up to n-1.
func (q *Queue) Grow(n int) {
	if n > len(q.slots) {
		q.slots = append(q.slots, make([]slot, n-len(q.slots))...)
	}
}

// Len returns the number of pending slots.
func (q *Queue) Len() int { return q.pending }

// Pending reports whether slot s is in the queue.
func (q *Queue) Pending(s int32) bool { return q.slots[s].where != idle }

// Set puts slot s into the queue, or moves it if it is there. born is kept for Event.
func (q *Queue) Set(s int32, at core.Time, key uint64, born core.Time) {
	p := &q.slots[s]
	if p.where != idle {
		q.Clear(s)
	}
	p.at, p.key, p.born = at, key, born
	q.pending++
	if b := int64(at) >> bucketBits; b >= q.bucket && b < q.nearEnd && (b > q.bucket || len(q.current) == 0) {
		q.linkNear(b, s, p)
		return
	}
	q.placeElsewhere(s, p)
}

func (q *Queue) linkNear(b int64, s int32, p *slot) {
	i := b & nearMask
	p.where, p.next = inNear, q.near[i]
	q.near[i] = s + 1
	q.nearSet[i>>6] |= 1 << (i & 63)
	q.nearSum |= 1 << (i >> 6)
}

// placeElsewhere puts a slot that is not in the near ring's range where it belongs.
func (q *Queue) placeElsewhere(s int32, p *slot) {
	e := int64(p.at) >> (bucketBits + epochBits)
	switch {
	case int64(p.at)>>bucketBits <= q.bucket:
		p.where = inCurrent
		q.insert(entry{p.at, p.key, s})
	case e>>farBits == q.lastNear()>>farBits:
		p.where = inFar
		i := e & farMask
		q.farSet[i>>6] |= 1 << (i & 63)
		q.link(&q.far[i], s, p)
	default:
		p.where = inRest
		q.link(&q.rest, s, p)
	}
}

// lastNear is the second epoch of the near ring.
func (q *Queue) lastNear() int64 { return q.nearEnd>>epochBits - 1 }

func (q *Queue) link(head *int32, s int32, p *slot) {
	p.next = *head
	*head = s + 1
}

// Clear takes slot s out of the queue, if it is there.
func (q *Queue) Clear(s int32) {
	p := &q.slots[s]
	switch p.where {
	case idle:
		return
	case inNear:
		i := int64(p.at) >> bucketBits & nearMask
		q.unlink(&q.near[i], s)
		if q.near[i] == 0 {
			q.emptied(i)
		}
	case inFar:
		i := int64(p.at) >> (bucketBits + epochBits) & farMask
		q.unlink(&q.far[i], s)
		if q.far[i] == 0 {
			q.farSet[i>>6] &^= 1 << (i & 63)
		}
	case inRest:
		q.unlink(&q.rest, s)
	}
	p.where = idle
	q.pending--
}

// unlink takes slot s out of a list that holds it.
func (q *Queue) unlink(head *int32, s int32) {
	for *head != s+1 {
		head = &q.slots[*head-1].next
	}
	*head = q.slots[s].next
}

// emptied notes that near bucket i holds nothing any more.
func (q *Queue) emptied(i int64) {
	w := i >> 6 & 63
	q.nearSet[w] &^= 1 << (i & 63)
	if q.nearSet[w] == 0 {
		q.nearSum &^= 1 << w
	}
}

// Pop takes the first slot out, if it is due at or before limit, and returns it, or -1.
func (q *Queue) Pop(limit core.Time) int32 {
	for {
		if len(q.current) > 0 {
			return q.popCurrent(limit)
		}
		b := q.nextNear()
		if b < 0 || b >= q.nearEnd-nearSize/2 || b > int64(limit)>>bucketBits {
			if !q.moveOn(b, limit) {
				return -1
			}
			continue
		}
		i := b & nearMask
		s := q.near[i]
		p := &q.slots[s-1]
		if p.next != 0 {
			if s = q.first(s); s == 0 {
				q.drain(b)
				continue
			}
			p = &q.slots[s-1]
		}
		if p.at > limit {
			return -1
		}
		if q.near[i] == s {
			q.near[i] = p.next
		} else {
			q.unlink(&q.near[i], s-1)
		}
		if q.near[i] == 0 {
			q.emptied(i)
		}
		q.bucket = b
		p.where = idle
		q.pending--
		return s - 1
	}
}

// crowded is the number of events from which on a bucket is sorted.
const crowded = 8

// first returns the first slot, plus 1, of a list of several, or 0 if the list is crowded.
func (q *Queue) first(s int32) int32 {
	best := s
	p := &q.slots[s-1]
	n := 1
	for s = p.next; s != 0; n++ {
		if n == crowded {
			return 0
		}
		o := &q.slots[s-1]
		if o.at < p.at || o.at == p.at && o.key < p.key {
			best, p = s, o
		}
		s = o.next
	}
	return best
}

// Event returns what Set was given for a slot that has been popped.
func (q *Queue) Event(s int32) (at core.Time, key uint64, born core.Time) {
	p := &q.slots[s]
	return p.at, p.key, p.born
}

// nextNear returns the first non-empty bucket of the near ring, or -1.
func (q *Queue) nextNear() int64 {
	i := q.bucket & nearMask
	if set := q.nearSet[i>>6] >> (i & 63); set != 0 {
		return q.bucket + int64(bits.TrailingZeros64(set))
	}
	return q.nextWord(i)
}

// nextWord is nextNear when the word of the present bucket, near bucket i, holds nothing from
// there on: it looks at the words after it, in a circle, and last at the part of it before i.
func (q *Queue) nextWord(i int64) int64 {
	w := i >> 6
	sum := bits.RotateLeft64(q.nearSum, -int(w+1))
	if sum == 0 {
		return -1
	}
	w = (w + 1 + int64(bits.TrailingZeros64(sum))) & 63
	found := w<<6 + int64(bits.TrailingZeros64(q.nearSet[w]))
	return q.bucket + (found-i)&nearMask
}

// moveOn enters the epoch of the next event, of near bucket b if that is not negative, and
// reports whether there is one that begins by the limit.
func (q *Queue) moveOn(b int64, limit core.Time) bool {
	if q.pending == 0 {
		return false
	}
	last := int64(limit) >> bucketBits
	if b >= 0 {
		if b <= last {
			q.enter(b >> epochBits)
		}
		return b <= last
	}
	e := q.nextEpoch()
	if e > last>>epochBits {
		return false
	}
	q.enter(e)
	return true
}

// nextEpoch returns the first epoch after those of the near ring that may hold something.
func (q *Queue) nextEpoch() int64 {
	year := q.lastNear() >> farBits
	for e := q.lastNear() + 1; e>>farBits == year; e = (e | 63) + 1 {
		i := e & farMask
		if set := q.farSet[i>>6] >> (i & 63); set != 0 {
			return e + int64(bits.TrailingZeros64(set))
		}
	}
	at := core.Never
	for s := q.rest; s != 0; s = q.slots[s-1].next {
		at = min(at, q.slots[s-1].at)
	}
	return int64(at) >> (bucketBits + epochBits)
}

// enter makes epoch e the present one and moves the events of e and the one after into the
// near ring.
func (q *Queue) enter(e int64) {
	turned := (e+1)>>farBits != q.lastNear()>>farBits
	q.nearEnd = (e + 2) << epochBits
	q.bucket = max(q.bucket, e<<epochBits)
	if turned {
		s := q.rest
		q.rest = 0
		q.replace(s)
	}
	for _, i := range [2]int64{e & farMask, (e + 1) & farMask} {
		if s := q.far[i]; s != 0 {
			q.far[i] = 0
			q.farSet[i>>6] &^= 1 << (i & 63)
			q.replace(s)
		}
	}
}

// replace puts a list of slots where they now belong.
func (q *Queue) replace(s int32) {
	for s != 0 {
		p := &q.slots[s-1]
		next := p.next
		if b := int64(p.at) >> bucketBits; b >= q.bucket && b < q.nearEnd {
			q.linkNear(b, s-1, p)
		} else {
			q.placeElsewhere(s-1, p)
		}
		s = next
	}
}
