package nic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// plainHost is one port of a host in its plainest form: a list of queue pairs, the index of the one
// served last, and a wake-up.
type plainHost struct {
	wakeForAll bool
	list       []*plainPair
	all        []*plainPair
	last       int
	paused     [8]bool
	busy       core.Time // end of the transmission, or Never
	wake       core.Time
	sent       []departure
}

type plainPair struct {
	id              int32
	una, next, size int64
	window          int64
	gap             core.Duration
	due             core.Time
	prio            uint8
	done            bool
}

// mayNot reports whether the pair is held back by its window or a pause.
func (h *plainHost) mayNot(p *plainPair) bool {
	return h.paused[p.prio] || p.window > 0 && p.next-p.una >= p.window
}

// unfinished counts the pairs among the first n of the list that have not finished.
func (h *plainHost) unfinished(n int) (count int) {
	for _, p := range h.list[:n] {
		if !p.done {
			count++
		}
	}
	return count
}

func (h *plainHost) trySend(now core.Time) {
	if h.busy != core.Never || len(h.list) == 0 {
		return
	}
	chosen, finished := -1, -1
	for k := 1; k <= len(h.list) && chosen < 0; k++ {
		i := (h.last + k) % len(h.list)
		switch p := h.list[i]; {
		case p.done:
			if finished < 0 || i < finished {
				finished = i
			}
		case p.next < p.size && !h.mayNot(p) && p.due <= now:
			chosen = i
		}
	}
	var pair *plainPair
	if chosen >= 0 {
		pair = h.list[chosen]
	}
	if finished >= 0 {
		if pair == nil && !h.wakeForAll {
			h.last = h.unfinished(min(h.last+1, len(h.list))) - 1
		}
		kept := append([]*plainPair(nil), h.list[:finished]...)
		for _, p := range h.list[finished:] {
			if !p.done {
				kept = append(kept, p)
			}
		}
		h.list = kept
	}
	if pair != nil {
		for i, p := range h.list {
			if p == pair {
				h.last = i
			}
		}
		h.send(now, pair)
		return
	}
	least := core.Never
	for _, p := range h.list {
		if !p.done && p.next < p.size && (h.wakeForAll || !h.mayNot(p)) {
			least = min(least, p.due)
		}
	}
	if least > now && (h.wake == core.Never || !h.wakeForAll && least < h.wake) {
		h.wake = least
	}
}

func (h *plainHost) send(now core.Time, p *plainPair) {
	n := min(1000, p.size-p.next)
	h.sent = append(h.sent, departure{at: now, Packet: core.Packet{SrcQP: p.id, Seq: p.next}})
	p.next += n
	h.busy = now.Add(core.Duration(n) * core.Nanosecond)
	p.due = now.Add(p.gap * core.Duration(n))
}

// run makes everything happen that is due by a time.
func (h *plainHost) run(until core.Time) {
	for min(h.busy, h.wake) <= until {
		if h.busy <= h.wake {
			now := h.busy
			h.busy = core.Never
			h.trySend(now)
			continue
		}
		now := h.wake
		h.wake = core.Never
		h.trySend(now)
	}
}

// Flows of random sizes, windows, rates and classes are opened, acknowledged, called back by NACKs,
// paused and finished at random: the host sends the same packets as the plain one, at the same
// times.
func TestServiceAgainstPlain(t *testing.T) {
	total, finished := 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 10))
		cfg := config(1)
		cfg.WakeForAll = seed%2 == 0
		r := newRig(t, cfg)
		h := &plainHost{wakeForAll: cfg.WakeForAll, busy: core.Never, wake: core.Never}
		at := int64(0)
		for range 600 {
			at += rng.Int64N(1500)
			h.run(core.AtNanos(at))
			disturb(rng, r, h, at)
		}
		at += 100_000
		h.run(core.AtNanos(at))
		r.Run(core.AtNanos(at))
		for i := range max(len(r.sent), len(h.sent)) {
			if i >= len(r.sent) || i >= len(h.sent) {
				t.Fatalf("seed %d: %d packets sent, want %d", seed, len(r.sent), len(h.sent))
			}
			if got, want := &r.sent[i], &h.sent[i]; got.at != want.at || got.SrcQP != want.SrcQP || got.Seq != want.Seq {
				t.Fatalf("seed %d: packet %d: at %v byte %d of flow %d, want at %v byte %d of flow %d",
					seed, i, got.at, got.Seq, got.SrcQP, want.at, want.Seq, want.SrcQP)
			}
		}
		total += len(r.sent)
		done := 0
		for _, p := range h.all {
			if p.done {
				done++
			}
		}
		if got := len(r.ended(core.FlowDone)); got != done {
			t.Fatalf("seed %d: %d flows done, want %d", seed, got, done)
		}
		finished += done
	}
	if total < 20_000 || finished < 1000 {
		t.Errorf("%d packets sent, %d flows finished: too few to mean much", total, finished)
	}
}

// disturb makes one thing happen to both hosts at a time: a new flow, a pause, an acknowledgement.
func disturb(rng *rand.Rand, r *rig, h *plainHost, at int64) {
	switch k := rng.IntN(20); {
	case k < 3 || len(h.all) == 0:
		slow := []int64{1, 2, 4, 5}[rng.IntN(4)]
		p := &plainPair{
			id: int32(len(h.all)), size: 1 + rng.Int64N(9000), window: []int64{0, 1, 2500, 5000}[rng.IntN(4)],
			gap: core.Duration(slow) * core.Nanosecond, due: core.AtNanos(at), prio: uint8(1 + rng.IntN(3)),
		}
		h.all, h.list = append(h.all, p), append(h.list, p)
		s := &scheme{start: algorithms.Control{Rate: line / core.Rate(slow)}}
		r.open(at, nic.Flow{ID: p.id, Size: p.size, Window: core.Bytes(p.window), Prio: p.prio, Scheme: s})
	case k < 5:
		class := uint8(1 + rng.IntN(3))
		h.paused[class] = rng.IntN(3) == 0
		r.arrive(at, 0, r.Pause(class, 0, h.paused[class]))
		if h.paused[class] {
			return // a pause is no reason to try
		}
	default:
		p := h.all[rng.IntN(len(h.all))]
		seq, kind := p.una, core.Ack
		if d := p.next - p.una; d > 0 {
			seq += rng.Int64N(d + 1)
		}
		if rng.IntN(8) == 0 {
			kind = core.Nack
		}
		r.arrive(at, 0, r.ack(p.id, seq, kind))
		if p.done {
			return // an acknowledgement for a pair that is gone is ignored
		}
		p.una = seq
		p.done = p.una >= p.size
		if kind == core.Nack {
			p.next = p.una
		}
	}
	h.trySend(core.AtNanos(at))
}
