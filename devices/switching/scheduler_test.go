package switching_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Queue 0 first, then queues 1 to 7 in turn after the one served last. The size names the packet.
func TestServiceOrder(t *testing.T) {
	r := newRig(t, config(2))
	r.arrive(0, 0, r.packet(1, 1000, 3)) // leaves at once
	for i, prio := range []uint8{5, 1, 3, 1, 0, 5, 7, 0} {
		r.arrive(1, 0, r.packet(1, int32(100+10*i+int(prio)), prio))
	}
	r.Run(core.AtNanos(100_000))
	want := []int32{1000, 140, 170, 105, 167, 111, 123, 155, 131}
	if got := r.sizes(1); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// plainPort is the scheduler written down plainly.
type plainPort struct {
	queues [8][]int64
	last   int
	paused [8]bool
}

func (p *plainPort) pop() int64 {
	if len(p.queues[0]) > 0 {
		return p.take(0)
	}
	for k := range 7 {
		q := 1 + (p.last+k)%7
		if len(p.queues[q]) > 0 && !p.paused[q] {
			p.last = q
			return p.take(q)
		}
	}
	return -1
}

func (p *plainPort) take(q int) int64 {
	id := p.queues[q][0]
	p.queues[q] = p.queues[q][1:]
	return id
}

// A port that is offered packets of all classes at random, and has classes paused and resumed,
// sends in the order of the plain scheduler.
func TestSchedulerAgainstPlain(t *testing.T) {
	total := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		r := newRig(t, config(2))
		var twin plainPort
		const size = 100
		id, sent := int64(0), 0
		idle := true
		serve := func(at int64) { // the twin's port becomes free
			want := twin.pop()
			idle = want < 0
			switch {
			case want < 0 && len(r.sent) > sent:
				t.Fatalf("seed %d: at %d ns packet %d was sent, want none", seed, at, r.sent[sent].Seq)
			case want >= 0 && len(r.sent) <= sent:
				t.Fatalf("seed %d: at %d ns nothing was sent, want packet %d", seed, at, want)
			case want >= 0 && (r.sent[sent].Seq != want || r.sent[sent].at != core.AtNanos(at)):
				t.Fatalf("seed %d: at %d ns packet %d was sent at %v, want %d", seed, at, r.sent[sent].Seq, r.sent[sent].at, want)
			case want >= 0:
				sent++
			}
		}
		for slot := range int64(600) {
			at := slot*size + 50 // half-way through a transmission
			for range rng.IntN(3) {
				prio := uint8(rng.IntN(8))
				p := r.packet(1, size, prio)
				p.Seq = id
				if idle { // make the transmission begin on the slot
					r.arrive(at-50, 0, p)
				} else {
					r.arrive(at, 0, p)
				}
				twin.queues[prio] = append(twin.queues[prio], id)
				id++
				if idle {
					serve(at - 50)
				}
			}
			if rng.IntN(4) == 0 && !idle {
				class := uint8(rng.IntN(8))
				twin.paused[class] = rng.IntN(2) == 0
				r.arrive(at, 1, r.Pause(class, 0, twin.paused[class]))
			}
			r.Run(core.AtNanos(at + 50))
			if !idle {
				serve(at + 50)
			}
		}
		total += sent
	}
	if total < 10_000 {
		t.Errorf("%d packets were sent; too few to mean much", total)
	}
}
