package engine

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// pop returns the slot popped and what it was set with, or the Aux of the packet, or -1.
func pop(q *queue, limit core.Time) (s int32, born core.Time) {
	if !q.ready(limit) || q.front().at > limit {
		return -1, 0
	}
	e := q.front()
	q.pop()
	if e.packet != nil {
		return int32(e.packet.Aux), 0
	}
	return e.slot, q.fire(e.slot)
}

func TestQueueDoesNotAllocate(t *testing.T) {
	const n = 1000
	q := newQueue(n)
	r := rand.New(rand.NewPCG(1, 2))
	now, key := core.Time(0), uint64(0)
	for s := range int32(n) {
		key++
		q.set(s, core.Time(r.Int64N(1e6)), key, 0)
	}
	hold := func() {
		s, _ := pop(q, core.Never-1)
		now = q.slots[s].at
		key++
		q.set(s, now.Add(core.Duration(r.Int64N(2e6))), key, now)
	}
	for range 100_000 {
		hold()
	}
	if a := testing.AllocsPerRun(10_000, hold); a != 0 {
		t.Errorf("%v allocations per event, want 0", a)
	}
}

// A slot is moved or cancelled, and a time before which nothing is due found, without searching, wherever slots are: a
// thousand hosts in step move a thousand slots of one list, and every sample asks for that time.
func TestQueueDoesNotSearch(t *testing.T) {
	for _, at := range []core.Time{100 << bucketBits, 100 << (bucketBits + epochBits), 3 << (bucketBits + epochBits + farBits)} {
		q := newQueue(6)
		for s := range int32(6) {
			q.set(s, at, uint64(s), 0)
		}
		head := &q.slots[5].next // the last slot set comes first in the list
		next := *head
		*head = 1 << 30 // walking on from here fails
		q.clear(2)
		q.set(0, at, 9, 0)
		q.clear(0)
		if q.bound() > at || q.ready(at-1<<(bucketBits+epochBits)) {
			t.Errorf("at %v: not before %v", at, q.bound())
		}
		q.slots[5].next = next
		q.clear(5)
		q.set(0, at+1, 7, 0)
		for _, want := range []int32{1, 3, 4, 0, -1} {
			if got, _ := pop(q, core.Never-1); got != want {
				t.Errorf("at %v: slot %d, want %d", at, got, want)
			}
		}
	}
}

// BenchmarkQueue is the hold model: pop one, push one, with the delays of a data centre.
func BenchmarkQueue(b *testing.B) {
	delays := []core.Duration{20_000, 80_000, 500_000, 1_000_000, 50_000_000}
	for _, n := range []int32{100, 1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(int(n)), func(b *testing.B) {
			q := newQueue(int(n))
			r := rand.New(rand.NewPCG(1, 2))
			key := uint64(0)
			for s := range n {
				key++
				q.set(s, core.Time(r.Int64N(1e6)), key, 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				s, _ := pop(q, core.Never-1)
				at := q.slots[s].at
				key++
				q.set(s, at.Add(delays[key%5]+core.Duration(key%977)), key, at)
			}
		})
	}
}
