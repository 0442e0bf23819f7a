package capture

import (
	"fmt"
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

// Ring bounds a capture: only its last packets are kept. Zero fields set no bound.
type Ring struct {
	Packets int64
	Bytes   core.Bytes // of the file, its head apart
}

// ParseRing reads a number of packets, such as 100000, or with a unit a size, such as 64MB. Blank
// text sets no bound.
func ParseRing(text string) (Ring, error) {
	if text == "" {
		return Ring{}, nil
	}
	b, err := core.ParseBytes(text)
	packets, unit := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || b <= 0 || unit == nil && packets != float64(b):
		return Ring{}, fmt.Errorf("%q: write a number of packets such as 100000, or a size such as 64MB", text)
	case unit == nil:
		return Ring{Packets: int64(b)}, nil
	}
	return Ring{Bytes: b}, nil
}

// ring holds the last blocks of a capture in memory.
type ring struct {
	limit Ring
	buf   []byte // what is kept begins at start
	start int
	sizes core.Ring[int32]
}

// push adds a block and drops the oldest ones that are too many; the newest stays in any case.
func (r *ring) push(b []byte) {
	r.buf = append(r.buf, b...)
	r.sizes.Push(int32(len(b)))
	for r.sizes.Len() > 1 && r.full() {
		r.start += int(r.sizes.Pop())
	}
	if r.start > len(r.buf)/2 {
		r.buf = r.buf[:copy(r.buf, r.buf[r.start:])]
		r.start = 0
	}
}

func (r *ring) full() bool {
	return r.limit.Packets > 0 && int64(r.sizes.Len()) > r.limit.Packets ||
		r.limit.Bytes > 0 && core.Bytes(len(r.buf)-r.start) > r.limit.Bytes
}

// kept returns the blocks, oldest first.
func (r *ring) kept() []byte { return r.buf[r.start:] }
