package switching_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
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

// plainPort is the scheduler in its plainest form.
type plainPort struct {
	queues  [8][]int64
	last    int
	paused  [8]bool
	strict  [8]bool
	weights [8]uint8
	deficit [8]int
	round   int // bytes that the heaviest class may send
}

func (p *plainPort) pop() int64 {
	if len(p.queues[0]) > 0 {
		return p.take(0)
	}
	for q := 7; q > 0; q-- {
		if p.strict[q] && p.waits(q) {
			return p.take(q)
		}
	}
	if p.weights != [8]uint8{} {
		return p.popByWeight()
	}
	for k := range 7 {
		q := 1 + (p.last+k)%7
		if p.waits(q) {
			p.last = q
			return p.take(q)
		}
	}
	return -1
}

// popByWeight is deficit round robin of packets of 100 bytes, round by round.
func (p *plainPort) popByWeight() int64 {
	heaviest := int(slices.Max(p.weights[:]))
	before := p.last
	for range 7 * (100*heaviest/p.round + 2) {
		q := p.last
		if p.waits(q) && p.deficit[q] >= 100*heaviest {
			p.deficit[q] -= 100 * heaviest
			if len(p.queues[q]) == 1 {
				p.deficit[q] = 0
			}
			return p.take(q)
		}
		p.last = q%7 + 1
		if q = p.last; p.waits(q) {
			p.deficit[q] += p.round * max(1, int(p.weights[q]))
		}
	}
	p.last = before
	return -1
}

func (p *plainPort) waits(q int) bool { return q > 0 && len(p.queues[q]) > 0 && !p.paused[q] }

func (p *plainPort) take(q int) int64 {
	id := p.queues[q][0]
	p.queues[q] = p.queues[q][1:]
	return id
}

// plainly returns a random configuration, and the plain scheduler of its port.
func plainly(rng *rand.Rand, seed uint64) (cfg switching.Config, twin plainPort) {
	cfg = config(2)
	twin = plainPort{round: int(cfg.MTU)}
	if seed%2 != 0 {
		for i := range twin.weights {
			twin.weights[i] = uint8(rng.IntN(50) * rng.IntN(2))
		}
		twin.weights[1+rng.IntN(7)] = 1
		if seed%4 == 3 { // many rounds give no class enough
			twin.weights[1+rng.IntN(7)], twin.round = 255, 1+rng.IntN(40)
		}
		cfg.Weights, cfg.MTU = twin.weights, core.Bytes(twin.round)
	}
	if seed%3 == 0 {
		cfg.Strict = uint8(rng.Uint32())
		for q := range twin.strict {
			twin.strict[q] = cfg.Strict>>q&1 != 0
		}
	}
	return cfg, twin
}

// A port that is offered packets of all classes at random, while classes are paused and resumed,
// sends in the order of the plain scheduler, in turn and by weights, and with classes of strict priority before these.
func TestSchedulerAgainstPlain(t *testing.T) {
	total := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		cfg, twin := plainly(rng, seed)
		r := newRig(t, cfg)
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

// While classes wait, each has its share of the bytes sent, whatever its packet sizes, and no class is ever ahead of
// another by more than a round and its largest packet (Shreedhar and Varghese, theorem 2).
func TestShares(t *testing.T) {
	const mtu = 1000
	for _, weights := range [][8]uint8{{1: 1, 2: 1}, {1: 10, 3: 90}, {2: 1, 5: 2, 7: 4}, {1: 255, 2: 1}} {
		cfg := config(2)
		cfg.Weights, cfg.MTU = weights, mtu
		r := newRig(t, cfg)
		rng := rand.New(rand.NewPCG(3, 3))
		for range 2000 {
			for class, w := range weights {
				if w != 0 {
					r.arrive(0, 0, r.packet(1, 100+rng.Int32N(int32(mtu)-100+1)>>(class&1), uint8(class)))
				}
			}
		}
		r.Run(core.AtNanos(400_000)) // a byte takes a nanosecond: none of the queues is empty yet
		var bytes [8]float64
		heaviest := float64(slices.Max(weights[:]))
		for i, d := range r.sent {
			if bytes[d.Prio] += float64(d.Size); i == 0 {
				continue
			}
			for a, wa := range weights {
				for b, wb := range weights {
					if wa == 0 || wb == 0 {
						continue
					}
					ahead := bytes[a]/float64(wa) - bytes[b]/float64(wb)
					if bound := mtu/heaviest + mtu/float64(wa) + mtu/float64(wb); ahead > bound {
						t.Fatalf("weights %v, after %d packets: class %d has %v bytes and class %d %v", weights, i+1, a, bytes[a], b, bytes[b])
					}
				}
			}
		}
		if bytes[slices.Index(weights[:], slices.Max(weights[:]))] < 100_000 {
			t.Errorf("weights %v: %v bytes are too few to mean much", weights, bytes)
		}
	}
}

// Packets that cost millions of rounds each are sent: one by one these would take a minute.
func TestSharesFarApart(t *testing.T) {
	cfg := config(2)
	cfg.Weights, cfg.MTU = [8]uint8{1: 1, 2: 255}, 1
	r := newRig(t, cfg)
	const packets, times = 400, 10
	for k := range int64(times) {
		for range packets {
			r.arrive(9000*packets*k, 0, r.packet(1, 9000, 1))
		}
		r.Run(core.AtNanos(9000 * packets * (k + 1)))
	}
	if got := len(r.sent); got != packets*times {
		t.Errorf("%d of %d packets were sent", got, packets*times)
	}
}

// A class that is alone has the whole port, and gets nothing extra later for what it did not use
// before.
func TestSharesOfTheAbsent(t *testing.T) {
	cfg := config(2)
	cfg.Weights = [8]uint8{1: 1, 2: 3}
	r := newRig(t, cfg)
	for range 50 {
		r.arrive(0, 0, r.packet(1, 1000, 1))
	}
	r.Run(core.AtNanos(29_999))
	if got := len(r.sizes(1)); got != 30 {
		t.Fatalf("a class alone sent %d packets in the time of 30", got)
	}
	for range 20 {
		r.arrive(30_000, 0, r.packet(1, 1000, 2))
	}
	r.Run(core.AtNanos(45_999))
	sent := 0
	for _, d := range r.sent {
		if d.Prio == 2 {
			sent++
		}
	}
	if sent < 11 || sent > 13 {
		t.Errorf("%d of 16 packets were of the class with three quarters, want 12", sent)
	}
}

// When a link fails, or a watchdog drops what waits, classes lose what they have left of a round: class 1, whose packets cost
// more than a round gives, waits for the second one again.
func TestSharesAfterFailure(t *testing.T) {
	for name, fail := range map[string]func(r *rig){
		"link": func(r *rig) {
			r.setLink(150, 1, false)
			r.setLink(1000, 1, true)
		},
		"storm": func(r *rig) {
			r.arrive(150, 1, r.Pause(1, 0, true)) // it has been passed over once, for class 2
			r.Run(core.AtNanos(20_150))
			r.arrive(20_151, 1, r.Pause(1, 0, false))
		},
	} {
		cfg := config(2)
		cfg.Weights = [8]uint8{1: 1, 2: 10}
		cfg.Watchdog = switching.WatchdogConfig{Detection: 10 * core.Microsecond, Restoration: core.Microsecond}
		r := newRig(t, cfg)
		fill := func(at int64) {
			r.arrive(at, 0, r.packet(1, 100, 3)) // leaves at once
			for i := range int32(4) {
				r.arrive(at, 0, r.packet(1, 101+i, 2))
				r.arrive(at, 0, r.packet(1, 111+i, 1))
			}
		}
		fill(0)
		fail(r)
		r.sent = r.sent[:0]
		fill(30_000)
		r.Run(core.AtNanos(31_000))
		want := []int32{100, 101, 102, 103, 104, 111, 112, 113, 114}
		if got := r.sizes(1); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
