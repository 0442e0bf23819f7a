package capture

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Ring bounds a capture: only its last packets are kept. Zero fields set no bound.
type Ring struct {
	Packets int64
	Bytes   core.Bytes // of the file, without its head
}

// ParseRing reads a number of packets, such as 100000, or with a unit a size, such as 64MB. Empty
// text sets no bound.
func ParseRing(text string) (Ring, error) {
	if text == "" {
		return Ring{}, nil
	}
	b, err := core.ParseBytes(text)
	_, notBare := core.ParseFloat(text)
	switch {
	case err != nil || b <= 0:
		return Ring{}, fmt.Errorf("%q: write a number of packets such as 100000, or a size such as 64MB", text)
	case notBare == nil:
		return Ring{Packets: int64(b)}, nil
	}
	return Ring{Bytes: b}, nil
}

// ring holds the last blocks of a capture in memory.
type ring struct {
	limit Ring
	sizes core.Ring[int32] // of the blocks, oldest first
	buf   []byte           // goes on at its begin
	start int              // of the oldest block
	bytes int              // of all blocks
}

// push drops as many of the oldest blocks as a new one needs, and adds that.
func (r *ring) push(b []byte) {
	for r.sizes.Len() > 0 && r.full(len(b)) {
		n := int(r.sizes.Pop())
		r.start = (r.start + n) % len(r.buf)
		r.bytes -= n
	}
	if r.bytes+len(b) > len(r.buf) {
		r.grow(r.bytes + len(b))
	}
	end := (r.start + r.bytes) % len(r.buf)
	n := copy(r.buf[end:], b)
	copy(r.buf, b[n:])
	r.sizes.Push(int32(len(b)))
	r.bytes += len(b)
}

// full reports whether there is no room for another block.
func (r *ring) full(block int) bool {
	return r.limit.Packets > 0 && int64(r.sizes.Len()) >= r.limit.Packets ||
		r.limit.Bytes > 0 && core.Bytes(r.bytes+block) > r.limit.Bytes
}

// grow makes room for a number of bytes: at least twice the present room, if as much may come.
func (r *ring) grow(least int) {
	room := 2 * len(r.buf)
	if r.limit.Bytes > 0 {
		room = int(min(core.Bytes(room), r.limit.Bytes))
	}
	buf := make([]byte, max(room, least))
	first, rest := r.kept()
	copy(buf[copy(buf, first):], rest)
	r.buf, r.start = buf, 0
}

// kept returns the blocks, oldest first, in two pieces.
func (r *ring) kept() (first, rest []byte) {
	end := r.start + r.bytes
	over := max(0, end-len(r.buf))
	return r.buf[r.start : end-over], r.buf[:over]
}
