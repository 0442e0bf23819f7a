package nic

import (
	"math"
	"math/bits"
)

// bitRing is a set of packet numbers within a window that moves up: a ring of words. It allocates
// only when the window grows.
type bitRing struct {
	words []uint64 // as many as a power of two
	base  int64    // all numbers below are in the set
}

const wordBits = 64

// end is the first number beyond the room of the ring.
func (b *bitRing) end() int64 { return b.base&^(wordBits-1) + int64(len(b.words))*wordBits }

func (b *bitRing) word(n int64) *uint64 { return &b.words[n/wordBits&int64(len(b.words)-1)] }

// set adds a number.
func (b *bitRing) set(n int64) {
	if n < b.base {
		return
	}
	for n >= b.end() {
		b.grow()
	}
	*b.word(n) |= 1 << (n % wordBits)
}

// missing returns the first number from n on that is not in the set.
func (b *bitRing) missing(n int64) int64 {
	n = max(n, b.base)
	for n < b.end() {
		if out := ^*b.word(n) >> (n % wordBits); out != 0 {
			return n + int64(bits.TrailingZeros64(out))
		}
		n = (n | (wordBits - 1)) + 1
	}
	return n
}

// gaps returns how many numbers from one on, and below another, are not in the set.
func (b *bitRing) gaps(from, to int64) int64 {
	from = max(from, b.base)
	n := max(0, to-from)
	for to = min(to, b.end()); from < to; from = (from | (wordBits - 1)) + 1 {
		in := *b.word(from) >> (from % wordBits) & (1<<(to-from) - 1)
		n -= int64(bits.OnesCount64(in))
	}
	return n
}

// has reports whether a number is in the set.
func (b *bitRing) has(n int64) bool { return b.missing(n) != n }

// remove takes a number out of the set and reports whether it was in it, but for those below the window.
func (b *bitRing) remove(n int64) bool {
	if n < b.base || !b.has(n) {
		return false
	}
	*b.word(n) &^= 1 << (n % wordBits)
	return true
}

// count returns how many numbers are in the set, without those below the window.
func (b *bitRing) count() int64 { return max(0, b.end()-b.base) - b.gaps(b.base, b.end()) }

// first returns the first number of the set from one on, those below the window left out, or none.
func (b *bitRing) first(from int64) int64 {
	for n := max(from, b.base); n < b.end(); n = (n | (wordBits - 1)) + 1 {
		if in := *b.word(n) >> (n % wordBits); in != 0 {
			return n + int64(bits.TrailingZeros64(in))
		}
	}
	return none
}

// none stands for no number.
const none int64 = math.MaxInt64

// any reports whether a number from one on is in the set.
func (b *bitRing) any(from int64) bool { return b.first(from) != none }

// advance adds all numbers below to, for good.
func (b *bitRing) advance(to int64) {
	for n := b.base; n < min(to, b.end()); n = (n | (wordBits - 1)) + 1 {
		if n/wordBits < to/wordBits {
			*b.word(n) = 0
		}
	}
	b.base = max(b.base, to)
}

func (b *bitRing) grow() {
	old := *b
	b.words = make([]uint64, max(1, 2*len(old.words)))
	for n := old.base; n < old.end(); n = (n | (wordBits - 1)) + 1 {
		*b.word(n) = *old.word(n)
	}
}
