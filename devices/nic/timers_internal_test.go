package nic

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Timers come out by time, then by queue pair, then by kind, however they went in.
func TestTimerHeapSorts(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 12))
		var h timerHeap
		var all, got []timer
		for range 1 + rng.IntN(200) {
			e := timer{core.Time(rng.IntN(20)), &sender{qp: int32(rng.IntN(4))}, timerKind(rng.IntN(2))}
			all = append(all, e)
			h.push(e.at, e.flow, e.kind)
		}
		order := func(a, b timer) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.flow.qp, b.flow.qp), cmp.Compare(a.kind, b.kind))
		}
		slices.SortFunc(all, order)
		for len(h) > 0 {
			if next := h.next(); next != all[len(got)].at {
				t.Fatalf("seed %d: the next is due at %v, want %v", seed, next, all[len(got)].at)
			}
			got = append(got, h.pop())
		}
		if !slices.EqualFunc(got, all, func(a, b timer) bool { return order(a, b) == 0 }) || h.next() != core.Never {
			t.Errorf("seed %d: %d timers in the order %v, want %v", seed, len(all), got, all)
		}
	}
}
