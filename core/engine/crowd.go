package engine

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// A crowded bucket of the queue is sorted into Queue.current and taken from there. What is set
// into the bucket meanwhile is inserted; what is cancelled or moved leaves a stale entry behind.

type entry struct {
	at   core.Time
	key  uint64
	slot int32
}

func (e entry) before(f entry) bool { return e.at < f.at || e.at == f.at && e.key < f.key }

// drain makes bucket b current and sorts it.
func (q *Queue) drain(b int64) {
	i := b & nearMask
	q.bucket, q.current, q.position = b, q.current[:0], 0
	for s := q.near[i]; s != 0; {
		p := &q.slots[s-1]
		p.where = inCurrent
		q.current = append(q.current, entry{p.at, p.key, s - 1})
		s = p.next
	}
	q.near[i] = 0
	q.emptied(i)
	sortEntries(q.current)
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

// popCurrent is Pop while the bucket being drained holds several events.
func (q *Queue) popCurrent(limit core.Time) int32 {
	for q.position < len(q.current) {
		e := &q.current[q.position]
		p := &q.slots[e.slot]
		if p.where != inCurrent || p.at != e.at || p.key != e.key {
			q.position++ // cancelled or moved
			continue
		}
		if e.at > limit {
			return -1
		}
		q.position++
		p.where = idle
		q.pending--
		return e.slot
	}
	q.current, q.position = q.current[:0], 0
	return q.Pop(limit)
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
