package engine

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// twin is the queue that cannot be wrong: a scan over all slots.
type twin struct {
	at   []core.Time
	key  []uint64
	used []bool
}

func (w *twin) pop(limit core.Time) int32 {
	best := int32(-1)
	for s := range w.at {
		if !w.used[s] || w.at[s] > limit {
			continue
		}
		if best < 0 || w.at[s] < w.at[best] || w.at[s] == w.at[best] && w.key[s] < w.key[best] {
			best = int32(s)
		}
	}
	if best >= 0 {
		w.used[best] = false
	}
	return best
}

// pop returns the slot popped, or the Aux of the packet, or -1.
func pop(q *Queue, limit core.Time) int32 {
	if !q.Ready(limit) || q.Front().at > limit {
		return -1
	}
	e := q.Front()
	q.Pop()
	if e.packet != nil {
		return int32(e.packet.Aux)
	}
	q.Fire(e.slot)
	return e.slot
}

// TestQueueAgainstTwin runs random pushes of packets and slots, moves, cancellations and limited
// pops, with delays from 0 to minutes and many equal times, against the scan.
func TestQueueAgainstTwin(t *testing.T) {
	spans := []int64{0, 1, 1000, 1024, 80_000, 1_000_000, 67_000_000, 300_000_000, 5e9, 400e9, 60e12}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		const n = 40 // slots, and as many packets
		q := NewQueue(n)
		w := &twin{make([]core.Time, 2*n), make([]uint64, 2*n), make([]bool, 2*n)}
		packets := make([]core.Packet, n)
		now, key := core.Time(0), uint64(0)
		for step := range 6000 {
			s := r.IntN(n)
			switch r.IntN(10) {
			case 0:
				q.Clear(int32(s))
				w.used[s] = false
			case 1, 2, 3, 4, 5:
				at := now.Add(core.Duration(r.Int64N(spans[r.IntN(len(spans))] + 1)))
				if r.IntN(3) == 0 {
					at = at / 1000 * 1000
					at = max(at, now)
				}
				key++
				k := key
				if seed%2 == 1 {
					k = r.Uint64()<<8 | uint64(s)
				}
				if r.IntN(2) == 0 && !w.used[n+s] {
					p := &packets[s]
					s += n
					p.Aux, p.Flight.At, p.Flight.Key = uint64(s), at, k
					q.Push(p)
				} else {
					q.Set(int32(s), at, k, now)
				}
				w.at[s], w.key[s], w.used[s] = at, k, true
			default:
				limit := core.Never - 1
				if r.IntN(2) == 0 {
					limit = now.Add(core.Duration(r.Int64N(spans[r.IntN(len(spans))] + 1)))
				}
				got := pop(q, limit)
				want := w.pop(limit)
				if got != want {
					t.Fatalf("seed %d step %d: popped %d, want %d", seed, step, got, want)
				}
				if got >= 0 {
					now = w.at[got]
				} else if limit < core.Never-1 {
					now = max(now, limit)
				}
			}
		}
	}
}

func TestQueueDoesNotAllocate(t *testing.T) {
	const n = 1000
	q := NewQueue(n)
	r := rand.New(rand.NewPCG(1, 2))
	now, key := core.Time(0), uint64(0)
	for s := range int32(n) {
		key++
		q.Set(s, core.Time(r.Int64N(1e6)), key, 0)
	}
	hold := func() {
		s := pop(q, core.Never-1)
		now = q.slots[s].at
		key++
		q.Set(s, now.Add(core.Duration(r.Int64N(2e6))), key, now)
	}
	for range 100_000 {
		hold()
	}
	if a := testing.AllocsPerRun(10_000, hold); a != 0 {
		t.Errorf("%v allocations per event, want 0", a)
	}
}

// BenchmarkQueue is the hold model: pop one, push one, with the delays of a data centre.
func BenchmarkQueue(b *testing.B) {
	delays := []core.Duration{20_000, 80_000, 500_000, 1_000_000, 50_000_000}
	for _, n := range []int32{100, 1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(int(n)), func(b *testing.B) {
			q := NewQueue(int(n))
			r := rand.New(rand.NewPCG(1, 2))
			key := uint64(0)
			for s := range n {
				key++
				q.Set(s, core.Time(r.Int64N(1e6)), key, 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				s := pop(q, core.Never-1)
				at := q.slots[s].at
				key++
				q.Set(s, at.Add(delays[key%5]+core.Duration(key%977)), key, at)
			}
		})
	}
}
