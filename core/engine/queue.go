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
// It is a timing wheel of two levels: 65,536 buckets of 1024 ps (67 us), 4,096 buckets of
// 67 us (275 ms), and an unsorted list for what is farther. A bucket is sorted when its turn
// comes; it rarely holds more than three events. Times must not lie before the last one
// popped.
type Queue struct {
	slots []slot
	near  []int32 // heads of lists, by bucket & nearMask; -1 none
	far   []int32 // heads of lists, by epoch & farMask
	rest  int32   // head of the list of what is beyond far

	nearSet  [nearSize / 64]uint64
	nearSum  [nearSize / 4096]uint64
	farSet   [farSize / 64]uint64
	epoch    int64 // bucket >> nearBits of the near ring
	bucket   int64 // bucket being drained
	current  []entry
	position int // next of current
	pending  int
}

const (
	bucketBits = 10 // 1024 ps
	nearBits   = 16
	nearSize   = 1 << nearBits
	nearMask   = nearSize - 1
	farBits    = 12
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
	q := &Queue{near: make([]int32, nearSize), far: make([]int32, farSize), rest: -1}
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
	switch {
	case b>>nearBits == q.epoch && b > q.bucket:
		p.where = inNear
		i := b & nearMask
		if q.near[i] < 0 {
			q.nearSet[i>>6] |= 1 << (i & 63)
			q.nearSum[i>>12] |= 1 << (i >> 6 & 63)
		}
		q.link(&q.near[i], s, p)
	case b <= q.bucket:
		p.where = inCurrent
		q.insert(entry{p.at, p.key, s})
	case b>>(nearBits+farBits) == q.epoch>>farBits:
		p.where = inFar
		i := b >> nearBits & farMask
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
		i := int64(p.at) >> (bucketBits + nearBits) & farMask
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
		q.nearSum[i>>12] &^= 1 << (i >> 6 & 63)
	}
}

// Pop takes the first slot out, if it is due at or before limit, and returns it; at, key and
// born are what Set was given. It returns -1 if there is none.
func (q *Queue) Pop(limit core.Time) (s int32, at core.Time, key uint64, born core.Time) {
	for {
		for q.position < len(q.current) {
			e := q.current[q.position]
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
	}
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
			q.drain(b)
			return true
		}
		e := q.nextEpoch()
		if e > last>>nearBits {
			return false
		}
		q.enter(e)
	}
}

// nextNear returns the next non-empty bucket of the near ring, or -1.
func (q *Queue) nextNear() int64 {
	from := int64(0)
	if q.bucket>>nearBits == q.epoch {
		from = q.bucket&nearMask + 1
	}
	if from >= nearSize {
		return -1
	}
	w := from >> 6
	if rest := q.nearSet[w] >> (from & 63); rest != 0 {
		return q.epoch<<nearBits + from + int64(bits.TrailingZeros64(rest))
	}
	w++
	for sw := w >> 6; sw < int64(len(q.nearSum)); sw++ {
		sum := q.nearSum[sw]
		if sw == w>>6 {
			sum = sum >> (w & 63) << (w & 63)
		}
		if sum != 0 {
			i := sw<<6 + int64(bits.TrailingZeros64(sum))
			return q.epoch<<nearBits + i<<6 + int64(bits.TrailingZeros64(q.nearSet[i]))
		}
	}
	return -1
}

// drain makes bucket b current and sorts it.
func (q *Queue) drain(b int64) {
	i := b & nearMask
	q.bucket, q.current, q.position = b, q.current[:0], 0
	for s := q.near[i]; s >= 0; s = q.slots[s].next {
		p := &q.slots[s]
		p.where = inCurrent
		q.current = append(q.current, entry{p.at, p.key, s})
	}
	q.near[i] = -1
	q.clearNear(i)
	c := q.current
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

// nextEpoch returns the next epoch, after the present one, that may hold something.
func (q *Queue) nextEpoch() int64 {
	from := q.epoch&farMask + 1
	for w := from >> 6; w < int64(len(q.farSet)); w++ {
		set := q.farSet[w]
		if w == from>>6 {
			set = set >> (from & 63) << (from & 63)
		}
		if set != 0 {
			return q.epoch&^farMask + w<<6 + int64(bits.TrailingZeros64(set))
		}
	}
	first := core.Never
	for s := q.rest; s >= 0; s = q.slots[s].next {
		first = min(first, q.slots[s].at)
	}
	return int64(first) >> (bucketBits + nearBits)
}

// enter makes epoch e the one of the near ring and moves its events there.
func (q *Queue) enter(e int64) {
	turned := e>>farBits != q.epoch>>farBits
	q.epoch, q.bucket = e, e<<nearBits-1
	if turned {
		s := q.rest
		q.rest = -1
		q.replace(s)
	}
	i := e & farMask
	s := q.far[i]
	q.far[i] = -1
	q.farSet[i>>6] &^= 1 << (i & 63)
	q.replace(s)
}

func (q *Queue) replace(s int32) {
	for s >= 0 {
		p := &q.slots[s]
		next := p.next
		q.place(s, p)
		s = next
	}
}
