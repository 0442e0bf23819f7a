package core

import (
	"math/rand/v2"
	"testing"
)

// Packets come zeroed, none is handed out twice, and INT stacks never overlap.
func TestPool(t *testing.T) {
	const maxHops = 3
	pool := NewPool(maxHops)
	rng := rand.New(rand.NewPCG(13, 14))
	alive := make(map[*Packet]bool)
	stackOf := make(map[*Hop]*Packet)
	var list []*Packet
	for step := range 20000 {
		if len(list) > 0 && rng.IntN(20) >= 11 {
			i := rng.IntN(len(list))
			p := list[i]
			list[i] = list[len(list)-1]
			list = list[:len(list)-1]
			delete(alive, p)
			if p.INT != nil {
				delete(stackOf, &p.INT[0])
			}
			pool.Free(p)
		} else {
			p := pool.New()
			if alive[p] {
				t.Fatalf("step %d: a packet was handed out twice", step)
			}
			if p.INT != nil || p.Size != 0 || p.Seq != 0 || p.NHops != 0 || p.next != nil {
				t.Fatalf("step %d: a new packet holds %+v", step, *p)
			}
			alive[p] = true
			p.Size, p.Seq, p.NHops = 1, 2, 3
			if rng.IntN(2) == 0 {
				pool.AddINT(p)
				if len(p.INT) != maxHops || cap(p.INT) != maxHops || p.NHops != 0 || stackOf[&p.INT[0]] != nil {
					t.Fatalf("step %d: INT stack of %d records, %d used", step, len(p.INT), p.NHops)
				}
				stackOf[&p.INT[0]] = p
			}
			list = append(list, p)
		}
		if pool.Live() != len(list) {
			t.Fatalf("step %d: %d packets alive, want %d", step, pool.Live(), len(list))
		}
	}
}

func TestPoolDoesNotAllocate(t *testing.T) {
	pool := NewPool(5)
	var q Queue
	cycle := func() {
		for range 100 {
			p := pool.New()
			pool.AddINT(p)
			q.Push(p)
		}
		for p := q.Pop(); p != nil; p = q.Pop() {
			pool.Free(p)
		}
	}
	cycle()
	if a := testing.AllocsPerRun(100, cycle); a != 0 {
		t.Errorf("%v allocations, want 0", a)
	}
}

// Queue and Ring against a slice.
func TestQueueAndRingAgainstSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	pool := NewPool(1)
	var q Queue
	var r Ring[*Packet]
	var twin []*Packet
	for step := range 50000 {
		switch k := rng.IntN(20); {
		case k == 0 && rng.IntN(50) == 0:
			r.Clear()
			for q.Pop() != nil {
			}
			twin = nil
		case k < 10+step/5000%3 || len(twin) == 0:
			p := pool.New()
			q.Push(p)
			r.Push(p)
			twin = append(twin, p)
		default:
			want := twin[0]
			twin = twin[1:]
			if got := q.Pop(); got != want {
				t.Fatalf("step %d: the queue gave another packet", step)
			}
			if got := r.Pop(); got != want {
				t.Fatalf("step %d: the ring gave another packet", step)
			}
		}
		if r.Len() != len(twin) || q.Empty() != (len(twin) == 0) {
			t.Fatalf("step %d: ring of %d, queue empty %v, want %d", step, r.Len(), q.Empty(), len(twin))
		}
		if len(twin) == 0 {
			if q.Front() != nil || q.Pop() != nil {
				t.Fatalf("step %d: an empty queue gave a packet", step)
			}
			continue
		}
		i := rng.IntN(len(twin))
		if q.Front() != twin[0] || *r.Front() != twin[0] || *r.at(i) != twin[i] {
			t.Fatalf("step %d: wrong element", step)
		}
	}
}

func TestRingDoesNotAllocate(t *testing.T) {
	var r Ring[int]
	for i := range 100 {
		r.Push(i)
	}
	if a := testing.AllocsPerRun(1000, func() { r.Push(r.Pop()) }); a != 0 {
		t.Errorf("%v allocations, want 0", a)
	}
}
