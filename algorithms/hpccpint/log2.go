package hpccpint

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core/portable"
)

// logUnit is the resolution of a logarithm.
const logUnit = 32768

// logs are the base-2 logarithms of the numbers of 16 bits whose first bit is set, truncated to whole
// units of 1/logUnit.
type logs [1 << 15]int32

func newLogs() *logs {
	t := new(logs)
	for i := range t {
		t[i] = int32(portable.Log2(float64(len(t)+i)) * logUnit)
	}
	return t
}

// of returns the logarithm of x > 0, of its 16 leading bits, as math.Log2 truncated would be.
func (t *logs) of(x uint64) float64 {
	n := bits.Len64(x)
	lead := x << (64 - n) >> 48
	return float64(t[lead&(1<<15-1)] + int32(n-16)*logUnit)
}
