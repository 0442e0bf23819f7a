package engine

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// When hosts act in step, as in a collective, a bucket holds hundreds of events, most of the same time. Comparing
// them would cost more than all else that the queue does with them; but their places differ in few bits.

// digitBits is the width of the digits by which a list is sorted.
const digitBits = 6

// sortByDigits sorts a list by those bits of key and time in which its entries differ, from the lowest digit.
func (q *queue) sortByDigits(c []entry) {
	var key uint64
	var at core.Time
	for i := range c {
		key, at = key|(c[i].key^c[0].key), at|(c[i].at^c[0].at)
	}
	if len(q.spare) < len(c) {
		q.spare = make([]entry, cap(q.current))
	}
	from, to := c, q.spare[:len(c)]
	for byTime, differ := range [2]uint64{key, uint64(at)} {
		for differ != 0 {
			shift := bits.TrailingZeros64(differ)
			distribute(from, to, byTime == 1, shift)
			from, to = to, from
			differ &^= (1<<digitBits - 1) << shift
		}
	}
	if &from[0] != &c[0] {
		copy(c, from)
	}
}

// digit is the one of the time, or of the key, that begins at a bit.
func (e *entry) digit(ofTime bool, shift int) uint64 {
	word := e.key
	if ofTime {
		word = uint64(e.at)
	}
	return word >> (shift & 63) % (1 << digitBits)
}

// distribute copies a list in the order of a digit; entries with equal digits keep their order.
func distribute(from, to []entry, byTime bool, shift int) {
	var place [1 << digitBits]int
	for i := range from {
		place[from[i].digit(byTime, shift)]++
	}
	sum := 0
	for d, n := range place {
		place[d], sum = sum, sum+n
	}
	for i := range from {
		p := &place[from[i].digit(byTime, shift)]
		to[*p] = from[i]
		*p++
	}
}
