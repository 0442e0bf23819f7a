package nic

import "math/bits"

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

// any reports whether a number from one on is in the set.
func (b *bitRing) any(from int64) bool {
	for n := max(from, b.base); n < b.end(); n = (n | (wordBits - 1)) + 1 {
		if *b.word(n)>>(n%wordBits) != 0 {
			return true
		}
	}
	return false
}

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
