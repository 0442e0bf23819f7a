package engine

import (
	"math/bits"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Queue is a priority queue of slots in the order of (time, key). Slots are small integers
// given at construction; each is pending at most once and can be moved or cancelled in
// constant time.
//
// It is a timing wheel. Time is cut into buckets of 1024 ps, and these into epochs of 2,048
// buckets (2.1 us). The near ring holds the buckets of the present epoch and the next: small
// enough for the first-level cache, and long enough for what a data centre's links keep in
// flight. The far ring holds 8,192 epochs (17 ms), and an unsorted list what is farther. A
// bucket is sorted when its turn comes; it rarely holds more than two events. Times must not
// lie before the last one popped.
type Queue struct {
	slots    []slot
	bucket   int64 // bucket being drained
	epoch    int64 // its epoch
	pending  int
	position int // next of current
	current  []entry
	nearSum  uint64
	nearSet  [nearSize / 64]uint64
	near     [nearSize]int32 // heads of lists, by bucket & nearMask; -1 none

	far    [farSize]int32 // heads of lists, by epoch & farMask
	farSet [farSize / 64]uint64
	rest   int32 // head of the list of what is beyond far
}

const (
	bucketBits = 10 // 1024 ps
	epochBits  = 11
	nearBits   = epochBits + 1
	nearSize   = 1 << nearBits
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
	at         core.Time
	key        uint64
	born       core.Time
	next, prev int32
	where      place
}

type entry struct {
	at   core.Time
	key  uint64
	slot int32
}

func (e entry) before(f entry) bool { return e.at < f.at || e.at == f.at && e.key < f.key }

// NewQueue returns a queue for slots 0 to n-1.
func NewQueue(n int) *Queue {
	q := &Queue{rest: -1}
	for i := range q.near {
		q.near[i] = -1
	}
	for i := range q.far {
		q.far[i] = -1
	}
	q.Grow(n)
	return q
}

// Grow makes room for slots up to n-1.
func (q *Queue) Grow(n int) {
	for len(q.slots) < n {
		q.slots = append(q.slots, slot{next: -1, prev: -1})
	}
}

// Len returns the number of pending slots.
func (q *Queue) Len() int { return q.pending }

// Pending reports whether slot s is in the queue.
func (q *Queue) Pending(s int32) bool { return q.slots[s].where != idle }

// Set puts slot s into the queue, or moves it if it is there. born is kept for Pop's caller.
func (q *Queue) Set(s int32, at core.Time, key uint64, born core.Time) {
	if q.slots[s].where != idle {
		q.Clear(s)
	}
	p := &q.slots[s]
	p.at, p.key, p.born = at, key, born
	q.pending++
	q.place(s, p)
}

func (q *Queue) place(s int32, p *slot) {
	b := int64(p.at) >> bucketBits
	ahead := b>>epochBits - q.epoch
	switch {
	case b <= q.bucket:
		p.where = inCurrent
		q.insert(entry{p.at, p.key, s})
	case ahead <= 1:
		p.where = inNear
		i := b & nearMask
		q.nearSet[i>>6] |= 1 << (i & 63)
		q.nearSum |= 1 << (i >> 6)
		q.link(&q.near[i], s, p)
	case b>>(epochBits+farBits) == (q.epoch+1)>>farBits:
		p.where = inFar
		i := b >> epochBits & farMask
		q.farSet[i>>6] |= 1 << (i & 63)
		q.link(&q.far[i], s, p)
	default:
		p.where = inRest
		q.link(&q.rest, s, p)
	}
}

// insert keeps the rest of the bucket being drained sorted.
func (q *Queue) insert(e entry) {
	q.current = append(q.current, e)
	i := len(q.current) - 1
	for i > q.position && e.before(q.current[i-1]) {
		q.current[i] = q.current[i-1]
		i--
	}
	q.current[i] = e
}

func (q *Queue) link(head *int32, s int32, p *slot) {
	p.next, p.prev = *head, -1
	if *head >= 0 {
		q.slots[*head].prev = s
	}
	*head = s
}

// Clear takes slot s out of the queue, if it is there.
func (q *Queue) Clear(s int32) {
	p := &q.slots[s]
	switch p.where {
	case idle:
		return
	case inNear:
		i := int64(p.at) >> bucketBits & nearMask
		q.unlink(&q.near[i], p)
		if q.near[i] < 0 {
			q.clearNear(i)
		}
	case inFar:
		i := int64(p.at) >> (bucketBits + epochBits) & farMask
		q.unlink(&q.far[i], p)
		if q.far[i] < 0 {
			q.farSet[i>>6] &^= 1 << (i & 63)
		}
	case inRest:
		q.unlink(&q.rest, p)
	}
	p.where = idle
	q.pending--
}

func (q *Queue) unlink(head *int32, p *slot) {
	if p.prev >= 0 {
		q.slots[p.prev].next = p.next
	} else {
		*head = p.next
	}
	if p.next >= 0 {
		q.slots[p.next].prev = p.prev
	}
}

func (q *Queue) clearNear(i int64) {
	q.nearSet[i>>6] &^= 1 << (i & 63)
	if q.nearSet[i>>6] == 0 {
		q.nearSum &^= 1 << (i >> 6)
	}
}

// Pop takes the first slot out, if it is due at or before limit, and returns it; at, key and
// born are what Set was given. It returns -1 if there is none.
func (q *Queue) Pop(limit core.Time) (s int32, at core.Time, key uint64, born core.Time) {
	for {
		for q.position < len(q.current) {
			e := &q.current[q.position]
			p := &q.slots[e.slot]
			if p.where != inCurrent || p.at != e.at || p.key != e.key {
				q.position++ // cancelled or moved
				continue
			}
			if e.at > limit {
				return -1, 0, 0, 0
			}
			q.position++
			p.where = idle
			q.pending--
			return e.slot, e.at, e.key, p.born
		}
		if q.pending == 0 || !q.advance(limit) {
			return -1, 0, 0, 0
		}
		if s, ok := q.only(limit); ok {
			p := &q.slots[s]
			return s, p.at, p.key, p.born
		}
		q.drain()
	}
}

// only takes the event of the current bucket if it is the only one there and due.
func (q *Queue) only(limit core.Time) (int32, bool) {
	i := q.bucket & nearMask
	s := q.near[i]
	p := &q.slots[s]
	if p.next >= 0 || p.at > limit {
		return s, false
	}
	q.near[i] = -1
	q.clearNear(i)
	q.current, q.position = q.current[:0], 0
	p.where = idle
	q.pending--
	return s, true
}

// advance makes the next bucket that holds something the current one, unless it begins after
// limit.
func (q *Queue) advance(limit core.Time) bool {
	last := int64(limit) >> bucketBits
	for {
		if b := q.nextNear(); b >= 0 {
			if b > last {
				return false
			}
			if e := b >> epochBits; e != q.epoch {
				q.enter(e)
			}
			q.bucket = b
			return true
		}
		e := q.nextEpoch()
		if e > last>>epochBits {
			return false
		}
		q.enter(e)
	}
}

// nextNear returns the next non-empty bucket of the near ring, or -1.
func (q *Queue) nextNear() int64 {
	from := q.bucket + 1
	i := from & nearMask
	w := i >> 6
	if set := q.nearSet[w] >> (i & 63); set != 0 {
		return from + int64(bits.TrailingZeros64(set))
	}
	// The words after w, in a circle, and last the part of w before i.
	sum := bits.RotateLeft64(q.nearSum, -int(w+1))
	if sum == 0 {
		return -1
	}
	w = (w + 1 + int64(bits.TrailingZeros64(sum))) & 63
	found := w<<6 + int64(bits.TrailingZeros64(q.nearSet[w]))
	return from + (found-i)&nearMask
}

// drain sorts the current bucket.
func (q *Queue) drain() {
	i := q.bucket & nearMask
	q.current, q.position = q.current[:0], 0
	for s := q.near[i]; s >= 0; {
		p := &q.slots[s]
		p.where = inCurrent
		q.current = append(q.current, entry{p.at, p.key, s})
		s = p.next
	}
	q.near[i] = -1
	q.clearNear(i)
	if len(q.current) > 1 {
		sortEntries(q.current)
	}
}

func sortEntries(c []entry) {
	if len(c) > 12 {
		slices.SortFunc(c, func(a, b entry) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(c); i++ {
		for k := i; k > 0 && c[k].before(c[k-1]); k-- {
			c[k], c[k-1] = c[k-1], c[k]
		}
	}
}

// nextEpoch returns the first epoch after those of the near ring that may hold something.
func (q *Queue) nextEpoch() int64 {
	first := q.epoch + 2 // but for what is in the rest, which may begin there
	for e := first; e>>farBits == (q.epoch+1)>>farBits; {
		i := e & farMask
		if set := q.farSet[i>>6] >> (i & 63); set != 0 {
			return e + int64(bits.TrailingZeros64(set))
		}
		e = (e | 63) + 1
	}
	at := core.Never
	for s := q.rest; s >= 0; s = q.slots[s].next {
		at = min(at, q.slots[s].at)
	}
	return int64(at) >> (bucketBits + epochBits)
}

// enter makes epoch e the present one and moves the events of e and the one after into the
// near ring.
func (q *Queue) enter(e int64) {
	turned := (e+1)>>farBits != (q.epoch+1)>>farBits
	q.epoch, q.bucket = e, max(q.bucket, e<<epochBits-1)
	if turned {
		s := q.rest
		q.rest = -1
		q.replace(s)
	}
	for _, i := range [2]int64{e & farMask, (e + 1) & farMask} {
		if s := q.far[i]; s >= 0 {
			q.far[i] = -1
			q.farSet[i>>6] &^= 1 << (i & 63)
			q.replace(s)
		}
	}
}

func (q *Queue) replace(s int32) {
	for s >= 0 {
		p := &q.slots[s]
		next := p.next
		q.place(s, p)
		s = next
	}
}
