package hpccpint

import (
	"math"
	"testing"
)

// The table gives the same as math.Log2, for every number of at most 16 leading bits.
func TestLogs(t *testing.T) {
	table := newLogs()
	for shift := range 48 {
		for lead := uint64(1); lead < 1<<16; lead++ {
			if shift > 0 && lead < 1<<15 {
				continue // a number of a smaller shift
			}
			x := lead << shift
			if got, want := table.of(x), math.Trunc(math.Log2(float64(x))*logUnit); got != want {
				t.Fatalf("logarithm of %d: got %v units, want %v", x, got, want)
			}
		}
	}
}
