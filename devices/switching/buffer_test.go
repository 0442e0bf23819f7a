package switching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// used returns the bytes held on behalf of the port and priority.
func (in *ingress) used(prio uint8) core.Bytes {
	a := &in.use[prio&7]
	return core.Bytes(a.bytes) + core.Bytes(a.headroom)
}

// plainBuffer is the admission rule step by step, with nothing left out and no early decision.
type plainBuffer struct {
	cfg      BufferConfig
	headroom []int64 // of each port
	shift    []uint8
	ingress  [][8]int64
	over     [][8]int64 // use of the headroom
	shared   int64
	paused   [][8]bool
}

func (b *plainBuffer) threshold(in int) int64 {
	free := int64(b.cfg.Total) - b.shared
	for _, h := range b.headroom {
		free -= h + int64(b.cfg.Reserve)
	}
	if b.cfg.Wrap32 {
		return int64(uint32(free) >> b.shift[in])
	}
	return max(0, free) >> b.shift[in]
}

func (b *plainBuffer) sharedUse(in int, prio uint8) int64 {
	return max(0, b.ingress[in][prio]-int64(b.cfg.Reserve))
}

func (b *plainBuffer) admit(in int, prio uint8, s int64) bool {
	if s+b.over[in][prio] > b.headroom[in] && s+b.sharedUse(in, prio) > b.threshold(in) {
		return false
	}
	reserve := int64(b.cfg.Reserve)
	n := b.ingress[in][prio] + s
	switch {
	case n <= reserve:
		b.ingress[in][prio] += s
	case n-reserve > b.threshold(in):
		b.over[in][prio] += s
	default:
		b.ingress[in][prio] += s
		b.shared += min(s, n-reserve)
	}
	return true
}

func (b *plainBuffer) mustPause(in int, prio uint8) bool {
	if b.paused[in][prio] || !(b.over[in][prio] > 0 || b.sharedUse(in, prio) >= b.threshold(in)) {
		return false
	}
	b.paused[in][prio] = true
	return true
}

func (b *plainBuffer) release(in int, prio uint8, s int64) {
	h := min(b.over[in][prio], s)
	sh := min(s-h, b.sharedUse(in, prio))
	b.over[in][prio] -= h
	b.ingress[in][prio] -= s - h
	b.shared -= sh
}

func (b *plainBuffer) mayResume(in int, prio uint8) bool {
	use := b.sharedUse(in, prio)
	if !b.paused[in][prio] || b.over[in][prio] != 0 || use != 0 && use+int64(b.cfg.Resume) > b.threshold(in) {
		return false
	}
	b.paused[in][prio] = false
	return true
}

type held struct {
	in   int
	prio uint8
	size int64
}

// pairOfBuffers returns a buffer and its twin with the same ports.
func pairOfBuffers(rng *rand.Rand) (*buffer, []ingress, *plainBuffer) {
	cfg := BufferConfig{
		Total: core.Bytes(20_000 + rng.IntN(200_000)), Reserve: core.Bytes([]int{0, 1500, 4096}[rng.IntN(3)]),
		Resume: core.Bytes([]int{0, 3072}[rng.IntN(2)]), Wrap32: rng.IntN(2) == 0,
	}
	w := &plainBuffer{cfg: cfg}
	ports := make([]ingress, 1+rng.IntN(5))
	for i := range ports {
		ports[i] = ingress{Headroom: core.Bytes([]int{0, 700, 5000, 40_000}[rng.IntN(4)]), Shift: uint8(rng.IntN(5))}
		w.headroom = append(w.headroom, int64(ports[i].Headroom))
		w.shift = append(w.shift, ports[i].Shift)
	}
	b := newBuffer(cfg, pointers(ports)...)
	w.ingress, w.over, w.paused = make([][8]int64, len(ports)), make([][8]int64, len(ports)), make([][8]bool, len(ports))
	return &b, ports, w
}

func TestBufferAgainstPlain(t *testing.T) {
	drops, pauses, resumes, overflow := 0, 0, 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		b, ports, w := pairOfBuffers(rng)
		var inside []held
		fill := 6
		for step := range 2000 {
			if step%250 == 0 {
				fill = 3 + rng.IntN(6)
			}
			if len(inside) > 0 && rng.IntN(10) >= fill {
				i := rng.IntN(len(inside))
				h := inside[i]
				inside = append(inside[:i], inside[i+1:]...)
				b.release(&ports[h.in], h.prio, core.Bytes(h.size))
				w.release(h.in, h.prio, h.size)
				got, want := b.mayResume(&ports[h.in], h.prio), w.mayResume(h.in, h.prio)
				if got != want {
					t.Fatalf("seed %d step %d: may resume %v, want %v", seed, step, got, want)
				}
				if got {
					resumes++
				}
				continue
			}
			h := held{rng.IntN(len(ports)), uint8(1 + rng.IntN(7)), []int64{60, 1048, 1048, 1 + rng.Int64N(9000)}[rng.IntN(4)]}
			checkUntouched(t, b, ports[h.in], h.prio, core.Bytes(h.size))
			without := ports[h.in] // as without PFC
			without.paused = 0
			checkUntouched(t, b, without, h.prio, core.Bytes(h.size))
			got, want := b.admit(&ports[h.in], h.prio, core.Bytes(h.size)), w.admit(h.in, h.prio, h.size)
			if got != want {
				t.Fatalf("seed %d step %d: %+v of %+v admitted %v, want %v", seed, step, h, b.cfg, got, want)
			}
			if !got {
				drops++
				continue
			}
			inside = append(inside, h)
			got, want = b.mustPause(&ports[h.in], h.prio), w.mustPause(h.in, h.prio)
			if got != want {
				t.Fatalf("seed %d step %d: must pause %v, want %v", seed, step, got, want)
			}
			if got {
				pauses++
			}
			if w.over[h.in][h.prio] > 0 {
				overflow++
			}
			if got, want := ports[h.in].used(h.prio), w.ingress[h.in][h.prio]+w.over[h.in][h.prio]; int64(got) != want {
				t.Fatalf("seed %d step %d: used %d, want %d", seed, step, got, want)
			}
		}
		if int64(b.shared) != w.shared {
			t.Fatalf("seed %d: shared %d, want %d", seed, b.shared, w.shared)
		}
		for i := range ports {
			for q := range uint8(8) {
				if got, want := ports[i].used(q), w.ingress[i][q]+w.over[i][q]; int64(got) != want {
					t.Fatalf("seed %d, port %d, priority %d: %d bytes used, want %d", seed, i, q, got, want)
				}
			}
		}
	}
	if drops < 1000 || pauses < 1000 || resumes < 1000 || overflow < 1000 {
		t.Errorf("%d drops, %d pauses, %d resumes, %d with headroom: too few to mean much", drops, pauses, resumes, overflow)
	}
}

// checkUntouched checks that untouched does what it promises.
func checkUntouched(t *testing.T, b *buffer, in ingress, prio uint8, n core.Bytes) {
	t.Helper()
	if !b.untouched(&in, prio, n) {
		return
	}
	buffer, before := *b, in
	if !buffer.admit(&in, prio, n) || buffer.mustPause(&in, prio) {
		t.Fatalf("untouched, but %d bytes are dropped or lead to a pause: %+v of %+v", n, in, b)
	}
	buffer.release(&in, prio, n)
	if buffer.mayResume(&in, prio) || in != before || buffer != *b {
		t.Fatalf("untouched, but %+v and %+v become %+v and %+v", before, *b, in, buffer)
	}
}

// A packet within the reserve changes nothing in a buffer at rest; but where its class is paused, it ends the pause
// when it leaves, and when nothing is free, it begins one.
func TestUntouched(t *testing.T) {
	ports := make([]ingress, 2)
	b := newBuffer(BufferConfig{Total: 3000, Reserve: 1000, Lossy: 1 << 5}, pointers(ports)...) // twice promised to each: a pool of -1000
	if b.untouched(&ports[0], 5, 1000) || !b.untouched(&ports[0], 0, 1000) {
		t.Error("nothing is free: want class 5 to touch the buffer, and class 0, which it does not count, not to")
	}
	b = newBuffer(BufferConfig{Total: 5000, Reserve: 1000, Lossy: 1 << 5}, pointers(ports)...) // a pool of 1000
	if !b.untouched(&ports[0], 5, 1000) || b.untouched(&ports[0], 5, 1001) || b.untouched(&ports[0], 3, 1) {
		t.Error("at rest: a packet of the lossy class needs its reserve, another one headroom too")
	}
	ports[1].Headroom = 100
	b.admit(&ports[0], 3, 1000)
	if b.admit(&ports[0], 3, 1000); b.untouched(&ports[1], 3, 100) || !b.admit(&ports[1], 3, 100) || !b.mustPause(&ports[1], 3) {
		t.Error("with nothing left the first packet leads to a pause")
	}
	if b.release(&ports[0], 3, 2000); b.untouched(&ports[1], 3, 100) || !b.untouched(&ports[1], 4, 100) {
		t.Error("a pause of a class is in force: a packet of this one would end it, and no other")
	}
	if b.release(&ports[1], 3, 100); !b.mayResume(&ports[1], 3) || !b.untouched(&ports[1], 3, 100) {
		t.Error("the pause does not end")
	}
}

// Check case 17.1: thresholds of 32 MiB with 32 ports of 37,500 bytes of headroom, at shift 3.
func TestThreshold(t *testing.T) {
	ports := slices.Repeat([]ingress{{Headroom: 37_500, Shift: 3}}, 32)
	b := newBuffer(BufferConfig{Total: 32 << 20, Reserve: 4096, Resume: 3072}, pointers(ports)...)
	if got := b.threshold(&ports[0]); got != 4_027_920 {
		t.Errorf("empty: got %d, want 4027920", got)
	}
	b.shared = 8_000_000
	if got := b.threshold(&ports[0]); got != 3_027_920 {
		t.Errorf("with 8,000,000 used: got %d, want 3027920", got)
	}
}

// A pause begins when the use of the shared pool reaches the threshold, and may end when it has come
// down to the threshold less Resume: to the byte.
func TestPauseThresholds(t *testing.T) {
	port := ingress{Headroom: 5000}
	b := newBuffer(BufferConfig{Total: 15_000, Resume: 3000}, &port) // a pool of 10,000
	for _, n := range []core.Bytes{1000, 3999} {
		if b.admit(&port, 3, n); b.mustPause(&port, 3) {
			t.Errorf("paused with %d bytes", port.used(3))
		}
	}
	if b.admit(&port, 3, 1); !b.mustPause(&port, 3) || b.mustPause(&port, 3) {
		t.Error("not paused, or twice, with half of the pool")
	}
	if b.release(&port, 3, 1499); b.mayResume(&port, 3) {
		t.Errorf("resumed with %d bytes", port.used(3))
	}
	if b.release(&port, 3, 1); !b.mayResume(&port, 3) {
		t.Errorf("not resumed with %d bytes", port.used(3))
	}
}

// With Resume beyond the memory a pause ends when nothing of the shared pool is used any more, even if Resume is so large
// that nothing can be added to it.
func TestLargestResume(t *testing.T) {
	for _, resume := range []core.Bytes{20_000, core.Unlimited} {
		port := ingress{Headroom: 5000}
		b := newBuffer(BufferConfig{Total: 15_000, Resume: resume}, &port)
		if b.admit(&port, 3, 5000); !b.mustPause(&port, 3) {
			t.Fatal("not paused")
		}
		if b.release(&port, 3, 4999); b.mayResume(&port, 3) {
			t.Errorf("resume %v: resumed with a byte in use", resume)
		}
		if b.release(&port, 3, 1); !b.mayResume(&port, 3) {
			t.Errorf("resume %v: not resumed with nothing in use", resume)
		}
	}
}

// Where sizes exceed the counters the excess is left unused: of the memory, and of a port's
// headroom.
func TestLargeBuffer(t *testing.T) {
	cfg := BufferConfig{Reserve: 4096}
	promised := 3 * cfg.Promised(1<<30)
	for _, more := range []core.Bytes{-1, 0, 1, 1 << 40} {
		cfg.Total = cfg.MaxTotal(promised) + more
		ports := slices.Repeat([]ingress{{Headroom: 1 << 30}}, 3)
		b := newBuffer(cfg, pointers(ports)...)
		if got, want := b.threshold(&ports[0]), MaxUse-4096+min(more, 0); got != want {
			t.Errorf("%d more than it can use: threshold %v, want %v", more, got, want)
		}
	}
	port := ingress{Headroom: MaxUse + 1}
	if b := newBuffer(BufferConfig{Total: 1 << 33}, &port); port.Headroom != MaxUse || b.rest != MaxUse {
		t.Errorf("headroom %v, which leaves %v", port.Headroom, b.rest)
	}
	// A priority that uses all headroom and half of the pool, as the threshold allows, is accounted to the byte.
	b := newBuffer(BufferConfig{Total: 1 << 40, Reserve: 4096}, &port)
	admitted := core.Bytes(0)
	for n := core.Bytes(1 << 20); b.admit(&port, 3, n); admitted += n {
	}
	if got := port.used(3); got != admitted || got < 3*(MaxUse/2)-2<<20 {
		t.Errorf("%v admitted, %v used", admitted, got)
	}
	b.release(&port, 3, admitted)
	if port.used(3) != 0 || b.shared != 0 {
		t.Errorf("%v of the port and %v shared are left", port.used(3), b.shared)
	}
}

func pointers(ports []ingress) (list []*ingress) {
	for i := range ports {
		list = append(list, &ports[i])
	}
	return list
}

// Check case 17.2: with alpha = 1/8, eight equal congested queues settle at a sixteenth of the
// pool each.
func TestSteadyState(t *testing.T) {
	const pool = 16_000_000
	b := newBuffer(BufferConfig{Total: pool})
	ports := make([]ingress, 8)
	for i := range ports {
		ports[i].Shift = 3
	}
	for again := true; again; {
		again = false
		for i := range ports {
			again = b.admit(&ports[i], 3, 100) || again
		}
	}
	for i := range ports {
		if got := ports[i].used(3); got < pool/16-200 || got > pool/16+200 {
			t.Errorf("port %d holds %d bytes, want about %d", i, got, pool/16)
		}
	}
}
