package switching

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// shared is a switch without flow control whose classes 1 and 2 are lossy, with a pool of so many bytes and nothing reserved.
func shared(ports int, buffer BufferConfig, weights [8]uint8) *Switch {
	buffer.Lossy = 1<<1 | 1<<2
	cfg := Config{Pool: core.NewPool(1), Timing: core.Exact, INT: core.FullINT(1), MTU: 1000, Buffer: buffer,
		Pause: PauseConfig{Off: true}, ECN: ECNConfig{Off: true}, Weights: weights}
	for range ports {
		cfg.Ports = append(cfg.Ports, PortConfig{Rate: 8 * core.Gbps, KMin: core.Unlimited, KMax: core.Unlimited})
	}
	return New(cfg)
}

// offer has a packet arrive for a port, and puts it into its queue if there is room.
func (s *Switch) offer(out int, class uint8, size int32, seq int64, flags core.Flags) bool {
	p := s.pool.New()
	p.Size, p.Prio, p.Seq, p.Flags = size, class, seq, flags
	if !s.admit(&core.Turn{}, out, out, p, nil) {
		s.pool.Free(p)
		return false
	}
	p.InPort = uint16(out)
	s.ports[out].enqueue(&core.Turn{}, &s.cfg, out, p)
	return true
}

// take takes the first packet of a queue out of the switch.
func (s *Switch) take(out int, class uint8) {
	o := &s.ports[out]
	p := o.dequeue(0, int(class))
	s.leave(&core.Turn{}, o, out, p)
	s.pool.Free(p)
}

// With complete sharing one queue can hold the whole pool to the byte, and then nothing is left for another one.
func TestCompleteSharing(t *testing.T) {
	s := shared(2, BufferConfig{Total: 100_000, Sharing: Complete, LossyShift: 3}, [8]uint8{})
	for i := range 100 {
		if !s.offer(0, 1, 1000, 0, 0) {
			t.Fatalf("no room after %d packets", i)
		}
	}
	if s.offer(1, 2, 1, 0, 0) {
		t.Error("room for a byte more than the pool")
	}
	if s.take(0, 1); !s.offer(1, 2, 1000, 0, 0) || s.offer(0, 1, 1, 0, 0) {
		t.Error("want room for what has left, and no more")
	}
}

// A packet takes its reserve first, and of the pool only the rest.
func TestCompleteSharingOfReserve(t *testing.T) {
	s := shared(1, BufferConfig{Total: 1000 + 3*400, Reserve: 400, Sharing: Complete}, [8]uint8{}) // classes 1, 2 and the lossless ones
	if !s.offer(0, 1, 1400, 0, 0) || s.offer(0, 1, 1, 0, 0) || !s.offer(0, 2, 400, 0, 0) || s.offer(0, 2, 1, 0, 0) {
		t.Error("want room for 400 bytes of each class, and 1000")
	}
}

// plainABM is ABM's rule with everything counted anew for each packet.
type plainABM struct {
	cfg       BufferConfig
	weights   [8]uint8 // all 0: none
	paused    []uint8
	queues    [][8][]int32
	congested [][8]bool
}

func (a *plainABM) queue(out int, class uint8) (sum int64) {
	for _, size := range a.queues[out][class] {
		sum += int64(size)
	}
	return sum
}

func (a *plainABM) rest() int64 {
	free := int64(a.cfg.Total)
	for out := range a.queues {
		free -= a.queue(out, 1) + a.queue(out, 2)
	}
	return free
}

// threshold is that of a packet of the first round trip, or another.
func (a *plainABM) threshold(out int, class uint8, first bool) int64 {
	n := int64(0)
	for i := range a.congested {
		if a.congested[i][class] {
			n++
		}
	}
	weight := func(c uint8) int64 { return max(1, int64(a.weights[c])) }
	all := int64(0)
	for c := uint8(1); c < 8; c++ {
		if c == class || len(a.queues[out][c]) > 0 && a.paused[out]>>c&1 == 0 {
			all += weight(c)
		}
	}
	alpha := a.rest() >> a.cfg.LossyShift
	if first {
		alpha = a.rest() * int64(a.cfg.FirstAlpha)
	}
	return alpha * weight(class) / (all * max(1, n))
}

func (a *plainABM) judge(out int, class uint8, holds, would int64) {
	a.congested[out][class] = holds > 0 && would*10 >= a.threshold(out, class, false)*9
}

func (a *plainABM) offer(out int, class uint8, size int32, first bool) bool {
	q := a.queue(out, class)
	if would := q + int64(size); would > a.threshold(out, class, first) || int64(size) > a.rest() {
		a.judge(out, class, q, would)
		return false
	}
	a.queues[out][class] = append(a.queues[out][class], size)
	a.judge(out, class, q+int64(size), q+int64(size))
	return true
}

func (a *plainABM) take(out int, class uint8) {
	a.queues[out][class] = a.queues[out][class][1:]
	q := a.queue(out, class)
	a.judge(out, class, q, q)
}

// ABM admits what its rule, with everything counted anew, does.
func TestABMAgainstPlain(t *testing.T) {
	const first = 5000
	drops, many, bursts := 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		ports := 2 + rng.IntN(5)
		cfg := BufferConfig{Total: core.Bytes(20_000 + rng.IntN(80_000)), Sharing: ABM, LossyShift: uint8(rng.IntN(3)), FirstAlpha: 1 + uint16(rng.IntN(64))}
		weights := [][8]uint8{{}, {1: 3, 3: 9}, {2: 200}}[rng.IntN(3)]
		s := shared(ports, cfg, weights)
		s.cfg.FirstBytes = first
		w := &plainABM{cfg: cfg, weights: weights, paused: make([]uint8, ports), queues: make([][8][]int32, ports), congested: make([][8]bool, ports)}
		for step := range 1500 {
			out, class := rng.IntN(ports), uint8(1+rng.IntN(2))
			switch what := rng.IntN(20); {
			case what == 0 && step%7 == 0:
				s.ports[out].paused ^= 1 << class
				w.paused[out] ^= 1 << class
			case what < 9 && len(w.queues[out][class]) > 0:
				s.take(out, class)
				w.take(out, class)
			default:
				size, seq := 60+int32(rng.IntN(1500)), rng.Int64N(10*first)
				again := core.Flags(rng.IntN(2)) * core.Rtx
				isFirst := seq < first && again == 0
				got, want := s.offer(out, class, size, seq, again), w.offer(out, class, size, isFirst)
				if got != want {
					t.Fatalf("seed %d step %d: admitted %v, want %v", seed, step, got, want)
				}
				if !got {
					drops++
				} else if isFirst && w.queue(out, class) > w.threshold(out, class, false) {
					bursts++
				}
			}
			if bits.OnesCount8(s.ports[0].congested) == 2 {
				many++
			}
		}
	}
	if drops < 1000 || many < 1000 || bursts < 1000 {
		t.Errorf("%d drops, %d times two congested queues at a port, %d packets of first round trips above the threshold of others: too few to mean much", drops, many, bursts)
	}
}

// With ABM n overloaded ports share what one has with P classes overloaded: alpha/(1 + P alpha) of the pool for each class,
// however many ports it has.
func TestABMSteadyState(t *testing.T) {
	const pool = 1_000_000
	for _, c := range []struct{ first, second int }{{1, 0}, {4, 0}, {8, 0}, {1, 1}, {7, 1}, {3, 5}} {
		s := shared(8, BufferConfig{Total: pool, Sharing: ABM, LossyShift: 1}, [8]uint8{})
		for round := range 40_000 {
			for out := range 8 {
				class, active := uint8(1), out < c.first
				if out >= 8-c.second {
					class, active = 2, true
				}
				if !active {
					continue
				}
				s.offer(out, class, 100, 0, 0)
				if s.offer(out, class, 100, 0, 0); round > 100 {
					s.take(out, class)
				}
			}
		}
		classes := core.Bytes(min(1, c.second) + 1)
		total := core.Bytes(pool) / (2 + classes) // alpha 1/2
		for out := range 8 {
			want, class := core.Bytes(0), uint8(1)
			if out < c.first {
				want = total / core.Bytes(c.first)
			}
			if out >= 8-c.second {
				want, class = total/core.Bytes(c.second), 2
			}
			if got := s.ports[out].queues[class].bytes; got < want-400 || got > want+400 {
				t.Errorf("%d and %d ports: port %d holds %d, want %d", c.first, c.second, out, got, want)
			}
		}
	}
}

// A queue is congested from 9/10 of its threshold on, to the byte: 9000 of the 10,000 that are left of 19,000.
func TestABMCongestedFrom(t *testing.T) {
	for size, want := range map[int32]int{8999: 0, 9000: 1} {
		s := shared(1, BufferConfig{Total: 19_000, Sharing: ABM}, [8]uint8{})
		if s.offer(0, 1, size, 0, 0); int(s.congested[1]) != want {
			t.Errorf("with %d bytes %d queues are congested, want %d", size, s.congested[1], want)
		}
	}
}

// What is said of the first round trip is said of data, whatever numbers answers have.
func TestABMAnswers(t *testing.T) {
	for kind, want := range map[core.Kind]bool{core.Data: true, core.Ack: false} {
		s := shared(1, BufferConfig{Total: 100_000, Sharing: ABM, LossyShift: 1, FirstAlpha: 64}, [8]uint8{})
		s.cfg.FirstBytes = 5000
		for s.offer(0, 1, 1000, 5000, 0) {
		}
		p := s.pool.New()
		p.Kind, p.Size, p.Prio = kind, 1000, 1
		if got := s.admit(&core.Turn{}, 0, 0, p, nil); got != want {
			t.Errorf("beside a full queue kind %v is admitted: %v, want %v", kind, got, want)
		}
	}
}

// A link that fails takes its congested queues along, and so does a storm with its own.
func TestABMAfterFailure(t *testing.T) {
	for name, fail := range map[string]func(s *Switch){
		"link":  func(s *Switch) { s.SetLink(&core.Turn{}, 1, false) },
		"storm": func(s *Switch) { s.discard(&core.Turn{}, 1, 1) },
	} {
		s := shared(2, BufferConfig{Total: 100_000, Sharing: ABM}, [8]uint8{})
		for out := range 2 {
			for s.offer(out, 1, 1000, 0, 0) {
			}
		}
		if s.congested[1] != 2 {
			t.Fatalf("%d congested queues, want 2", s.congested[1])
		}
		if fail(s); s.congested[1] != 1 || s.ports[1].congested != 0 {
			t.Errorf("%s: %d congested queues, want that of the other port", name, s.congested[1])
		}
	}
}
