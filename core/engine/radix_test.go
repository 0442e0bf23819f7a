package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Sorting lists by digits gives the same order as comparing: whatever bits their places differ in, with equal times,
// equal keys, or neither.
func TestSortByDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var q queue
	for trial := range 300 {
		list := make([]entry, 1+rng.IntN(500))
		times, keys := uint64(1)<<rng.IntN(63), uint64(1)<<rng.IntN(64)
		first, shift := core.Time(rng.Uint64()>>2), rng.IntN(64)
		for i := range list {
			list[i] = entry{at: first + core.Time(rng.Uint64N(times)>>2), key: rng.Uint64N(keys) << shift, slot: int32(i)}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b entry) int {
			switch {
			case a.before(&b):
				return -1
			case b.before(&a):
				return 1
			}
			return 0
		})
		q.current = list
		q.sortByDigits(list)
		if !slices.Equal(list, want) {
			t.Fatalf("trial %d, %d entries: wrong order", trial, len(list))
		}
	}
}
