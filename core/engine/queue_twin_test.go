package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// twin is the queue that cannot be wrong: a scan over all slots, which are followed by the packets.
type twin struct {
	at   []core.Time
	key  []uint64
	used []bool
}

// first returns the first entry, or -1.
func (w *twin) first() int {
	best := -1
	for s := range w.at {
		if w.used[s] && (best < 0 || w.at[s] < w.at[best] || w.at[s] == w.at[best] && w.key[s] < w.key[best]) {
			best = s
		}
	}
	return best
}

// duel is a queue and its twin, which undergo the same operations.
type duel struct {
	*testing.T
	r       *rand.Rand
	q       *queue
	w       *twin
	packets []core.Packet
	slots   int       // for which the queue has room
	now     core.Time // before which nothing is set
	waits   bool      // now is the limit that was reached, not only the last event
	keys    uint64
	random  bool // keys are not in the order of scheduling
	moved   bool // something was taken out, and traces of it may be left
	time    func(d *duel) core.Time
}

// most is the number of slots, and of packets.
const most = 40

func newDuel(t *testing.T, seed uint64, start core.Time, time func(d *duel) core.Time) *duel {
	return &duel{
		T: t, r: rand.New(rand.NewPCG(seed, 1)), q: newQueue(most / 4), w: &twin{make([]core.Time, 2*most), make([]uint64, 2*most), make([]bool, 2*most)},
		packets: make([]core.Packet, most), slots: most / 4, now: start, waits: seed&2 != 0, random: seed&1 != 0, time: time,
	}
}

// step does one operation and compares.
func (d *duel) step() {
	s := d.r.IntN(d.slots)
	switch d.r.IntN(12) {
	case 0:
		d.q.clear(int32(s))
		d.moved = d.moved || d.w.used[s]
		d.w.used[s] = false
	case 1:
		if d.slots < most && d.r.IntN(50) == 0 {
			d.slots++
		}
		d.q.grow(d.slots)
	case 2, 3, 4, 5, 6, 7:
		d.set(s)
	case 8:
		d.q.ready(d.time(d)) // opens a bucket, perhaps one far ahead
	default:
		d.pop()
	}
	d.compare()
}

// set schedules a packet, or a slot.
func (d *duel) set(s int) {
	at := d.time(d)
	d.keys++
	key := d.keys
	if d.random {
		key = d.r.Uint64()<<7 | uint64(s)
	}
	if d.r.IntN(2) == 0 && !d.w.used[most+s] {
		p := &d.packets[s]
		s += most
		p.Aux, p.Flight.At, p.Flight.Key = uint64(s), at, key
		d.q.push(p)
	} else {
		d.moved = d.moved || d.w.used[s]
		d.q.set(int32(s), at, key, at-1)
	}
	d.w.at[s], d.w.key[s], d.w.used[s] = at, key, true
}

// pop takes the first event out if it is due by a limit.
func (d *duel) pop() {
	limit := core.Never
	if d.r.IntN(2) == 0 {
		limit = d.time(d)
	}
	want := d.w.first()
	if want >= 0 && d.w.at[want] > limit {
		want = -1
	}
	if got, born := pop(d.q, limit); int(got) != want || got >= 0 && got < most && born != d.w.at[want]-1 {
		d.Fatalf("popped %d, set at %d, want %d", got, born, want)
	}
	if want >= 0 {
		d.now, d.w.used[want] = d.w.at[want], false
	} else if d.waits && limit != core.Never {
		d.now = max(d.now, limit)
	}
}

// compare compares everything that the queue reports about itself.
func (d *duel) compare() {
	n := 0
	for s, used := range d.w.used {
		if used {
			n++
		}
		if s < d.slots && d.q.pending(int32(s)) != used {
			d.Fatalf("slot %d is pending: %v", s, !used)
		}
	}
	if d.q.len() != n {
		d.Fatalf("%d events, want %d", d.q.len(), n)
	}
	first, bound := core.Never, d.q.bound()
	if s := d.w.first(); s >= 0 {
		first = d.w.at[s]
	}
	if bound > first || n == 0 != (bound == core.Never) || !d.moved && n > 0 && first-bound >= 1<<(bucketBits+epochBits) {
		d.Fatalf("no event before %d; the first of %d is at %d", bound, n, first)
	}
}

// spans draws times from now to minutes ahead, many of them equal.
func spans(d *duel) core.Time {
	all := []int64{0, 1, 1000, 1024, 80_000, 1_000_000, 67_000_000, 300_000_000, 5e9, 400e9, 60e12}
	at := d.now.Add(core.Duration(d.r.Int64N(all[d.r.IntN(len(all))] + 1)))
	if d.r.IntN(3) == 0 {
		at = max(at/1000*1000, d.now)
	}
	return at
}

// borders draws times on both sides of the starts of buckets, epochs and years, or of some epochs before and after,
// soon after now.
func borders(d *duel) core.Time {
	bits := []int{bucketBits, bucketBits + epochBits, bucketBits + epochBits + farBits}[d.r.IntN(3)]
	begin, at := (d.now>>bits+core.Time(d.r.IntN(3)))<<bits, core.Never-1
	if begin < 0 { // after the last one
		begin = core.Never
	}
	off := []core.Time{-1 << bucketBits, -1, 0, 1, 1<<bucketBits - 1}[d.r.IntN(5)]
	if off += core.Time(d.r.IntN(6)/2-1) << (bucketBits + epochBits); off < at-begin {
		at = begin + off
	}
	return max(at, d.now)
}

// crowds draws times of the present bucket and the next, which hold too many events then to be sorted or searched one by one.
func crowds(d *duel) core.Time {
	return d.now.Add(core.Duration(d.r.IntN(2)<<bucketBits + d.r.IntN(3)*100))
}

// With random packets and slots, moves, cancellations and limited pops, the queue agrees with a
// scan of all entries.
func TestQueueAgainstTwin(t *testing.T) {
	const year = 1 << (bucketBits + epochBits + farBits)
	for seed := range uint64(80) {
		d := newDuel(t, seed, 0, spans)
		if seed >= 64 {
			d = newDuel(t, seed, 0, crowds)
			d.slots = most
			d.q.grow(most)
		} else if seed >= 32 {
			d = newDuel(t, seed, []core.Time{0, 5*year - 3, core.Never - 4*year}[seed%3], borders)
		}
		for range 6000 {
			d.step()
		}
		for d.q.len() > 0 {
			d.pop()
			d.compare()
		}
	}
}
