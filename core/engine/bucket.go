package engine

import "slices"

// A bucket of the queue is moved into queue.current, sorted, and worked off from there. What is
// set into the bucket meanwhile is inserted.

// take moves what near bucket i holds into current.
func (q *queue) take(i int64) {
	c, n := q.current[:cap(q.current)], 0
	for p := q.near[i].TakeAll(); p != nil; p = p.Below() {
		if n == len(c) {
			c = longer(c)
		}
		e := &c[n]
		e.at, e.key, e.packet = p.Flight.At, p.Flight.Key, p
		n++
	}
	for s := q.nearSlots[i]; s != 0; {
		if n == len(c) {
			c = longer(c)
		}
		e, p := &c[n], &q.slots[s-1]
		e.at, e.key, e.packet, e.slot = p.at, p.key, nil, s-1
		s = p.next
		n++
	}
	q.nearSlots[i] = 0
	q.current = c[:n]
	q.waiting -= n
	if n > 1 {
		q.sort(c[:n])
	}
}

// longer returns a list with room for more entries.
func longer(c []entry) []entry {
	c = append(c, entry{})
	return c[:cap(c)]
}

// fewEntries are sorted by insertion.
const fewEntries = 32

// sort sorts a list of several that is, more often than not, in reverse order: the event that was
// scheduled last comes first.
func (q *queue) sort(c []entry) {
	switch {
	case len(c) == 2:
		if c[1].before(&c[0]) {
			c[0], c[1] = c[1], c[0]
		}
	case len(c) > fewEntries:
		q.sortByDigits(c)
	default:
		slices.Reverse(c)
		for i := 1; i < len(c); i++ {
			for k := i; k > 0 && c[k].before(&c[k-1]); k-- {
				c[k], c[k-1] = c[k-1], c[k]
			}
		}
	}
}

// insert keeps the rest of the bucket being worked off sorted.
func (q *queue) insert(e entry) {
	if q.position == len(q.current) {
		q.current, q.position = q.current[:0], 0
	}
	i := q.place(&e)
	q.current = append(q.current, e)
	copy(q.current[i+1:], q.current[i:])
	q.current[i] = e
}

// remove takes a slot that has been cancelled out of the bucket being worked off.
func (q *queue) remove(s int32) {
	i := q.place(&entry{at: q.slots[s].at, key: q.slots[s].key}) - 1
	q.current = slices.Delete(q.current, i, i+1)
}

// place returns where an entry belongs among those left of the bucket being worked off: behind its equal. What happens
// in step may have thousands there.
func (q *queue) place(e *entry) int {
	if rest := q.current[q.position:]; len(rest) > fewEntries {
		i, _ := slices.BinarySearchFunc(rest, *e, func(c, e entry) int {
			if e.before(&c) {
				return 1
			}
			return -1
		})
		return q.position + i
	}
	i := len(q.current)
	for i > q.position && e.before(&q.current[i-1]) {
		i--
	}
	return i
}
