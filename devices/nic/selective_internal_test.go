package nic

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// The ring of bits is a set of numbers in a window that moves up.
func TestBitRingIsASet(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := bitRing{base: rng.Int64N(200)}
		set, base := map[int64]bool{}, b.base
		in := func(n int64) bool { return n < base || set[n] }
		for range 2000 {
			switch rng.IntN(10) {
			case 0:
				to := base + rng.Int64N(1+rng.Int64N(300)) - 5
				base = max(base, to)
				b.advance(to)
			case 1:
				n := max(0, base-10) + rng.Int64N(400)
				if got := b.remove(n); got != (n >= base && set[n]) {
					t.Fatalf("seed %d: remove(%d) = %v", seed, n, got)
				}
				if n >= base {
					delete(set, n)
				}
			default:
				n := max(0, base-10) + rng.Int64N(1+rng.Int64N(400))*rng.Int64N(2)
				set[n] = true
				b.set(n)
			}
			n := max(0, base-10) + rng.Int64N(500)
			want := n
			for in(want) {
				want++
			}
			if got := b.missing(n); got != want || b.base != base {
				t.Fatalf("seed %d: missing(%d) = %d, base %d; want %d, %d", seed, n, got, b.base, want, base)
			}
			to, gaps := n+rng.Int64N(300)-5, int64(0)
			for i := n; i < to; i++ {
				if !in(i) {
					gaps++
				}
			}
			first, count := none, int64(0)
			for i := base + 399; i >= base; i-- {
				if set[i] && i >= n {
					first = i
				}
				if set[i] {
					count++
				}
			}
			if got := b.first(n); got != first || b.any(n) != (first != none) {
				t.Fatalf("seed %d: first(%d) = %d, want %d", seed, n, got, first)
			}
			if got := b.count(); got != count || b.has(n) != in(n) {
				t.Fatalf("seed %d: %d numbers, %d among them: %v; want %d, %v", seed, got, n, b.has(n), count, in(n))
			}
			if got := b.gaps(n, to); got != gaps {
				t.Fatalf("seed %d: %d numbers missing in [%d, %d), want %d", seed, got, n, to, gaps)
			}
		}
		if len(b.words) > 16 {
			t.Errorf("seed %d: %d words for a window of 700", seed, len(b.words))
		}
	}
}

// naive is selective recovery with plain sets, as the documentation of holes describes it.
type naive struct {
	arrived, again map[int64]bool // packets
	una, top, high int64          // packets
	recovering     bool
	until          int64
	reordering     int64
	due, cut       map[int64]bool // trimmed packets: to be sent again; in the network again
}

func (m *naive) begin() { m.recovering, m.until, m.again = true, m.top, map[int64]bool{} }

func (m *naive) hear(ack int64, nack bool, came int64) {
	m.una = max(m.una, ack)
	below := func(n int64, _ bool) bool { return n < m.una }
	maps.DeleteFunc(m.due, below)
	maps.DeleteFunc(m.cut, below)
	if m.recovering && m.una >= m.until {
		m.recovering = false
	}
	if nack {
		m.arrived[came] = true
		delete(m.due, came)
		delete(m.cut, came)
		if !m.recovering && came-m.reordering > m.una {
			m.begin()
		}
		m.high = max(m.high, came-m.reordering)
	}
}

func (m *naive) trim(n int64) {
	if n < m.una || m.due[n] || m.arrived[n] && !m.cut[n] {
		return
	}
	delete(m.cut, n)
	m.due[n] = true
	if !m.recovering {
		m.begin()
	}
	m.until = max(m.until, n+1)
}

func (m *naive) expire() {
	m.begin()
	m.high = m.top
	maps.Copy(m.due, m.cut)
	clear(m.cut)
}

// next is the first packet that is lost and was not sent again, or a new one.
func (m *naive) next() int64 {
	if m.recovering {
		last := m.una
		for n := range m.again {
			last = max(last, n+1)
		}
		for n := m.una; n < m.top; n++ {
			if m.due[n] || n >= last && n < m.high && !m.arrived[n] && !m.cut[n] {
				return n
			}
		}
	}
	return m.top
}

// inNetwork counts, in recovery, the packets that have not arrived and are not lost, or were sent
// again.
func (m *naive) inNetwork() (packets int64) {
	for n := m.una; n < m.top; n++ {
		if !m.recovering || m.cut[n] || !m.arrived[n] && !m.due[n] && (n >= m.high || m.again[n]) {
			packets++
		}
	}
	return packets
}

// send sends the next packet as Host.makeData does.
func send(s *sender, mtu int64) {
	seq := s.next
	s.next += mtu
	if seq < s.top {
		s.next = s.lost.resent(s, seq, mtu)
	}
	s.top = max(s.top, s.next)
}

// A sender that hears ACKs, NACKs and time-outs in any order sends the same as the plain sets, however much packets
// and answers may overtake each other.
func TestHolesAgainstPlainSets(t *testing.T) {
	const mtu = 1000
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := &sender{size: 1 << 40, lost: new(holes)}
		m := &naive{arrived: map[int64]bool{}, reordering: int64(seed % 4), due: map[int64]bool{}, cut: map[int64]bool{}}
		again, cut := 0, 0
		for step := range 500 {
			switch what := rng.IntN(10); {
			case what < 5: // send
				n := s.next / mtu
				switch {
				case n >= m.top:
				case m.due[n]:
					delete(m.due, n)
					m.cut[n] = true
					cut++
				default:
					m.again[n] = true
					again++
				}
				m.top = max(m.top, n+1)
				send(s, mtu)
			case m.top == m.una:
			case what == 5 && rng.IntN(10) == 0:
				m.expire()
				s.lost.expire(s, mtu)
				s.next = s.una
			case what == 6 && seed%2 == 0:
				n := max(0, m.top-1-rng.Int64N(1+rng.Int64N(m.top-m.una+3)))
				m.trim(n)
				s.lost.trim(s, n*mtu, mtu)
			default:
				// What the receiver expects only grows, and is never a packet that has arrived before.
				ack := m.una + rng.Int64N(min(3, m.top-m.una+1))
				if rng.IntN(4) == 0 { // an answer that others have overtaken
					ack = max(0, m.una-rng.Int64N(5))
				}
				for m.arrived[ack] {
					ack++
				}
				p := &core.Packet{Kind: core.Ack, Seq: ack * mtu}
				if came := ack + 1 + rng.Int64N(8); came < m.top && came != m.una && rng.IntN(2) == 0 {
					p.Kind, p.Sack = core.Nack, came*mtu
				}
				m.hear(ack, p.Kind == core.Nack, p.Sack/mtu)
				s.una = max(s.una, p.Seq)
				s.next = s.lost.hear(s, p, mtu, m.reordering)
			}
			if got, want := s.next/mtu, m.next(); got != want {
				t.Fatalf("seed %d, step %d: sends packet %d, want %d of [%d, %d)", seed, step, got, want, m.una, m.top)
			}
			if got, want := int64(s.lost.inNetwork(s, mtu)/mtu), m.inNetwork(); s.recovers != m.recovering || m.recovering && got != want {
				t.Fatalf("seed %d, step %d: recovers %v, %d packets in the network; want %v, %d", seed, step, s.recovers, got, m.recovering, want)
			}
		}
		if again == 0 || (cut == 0) == (seed%2 == 0) {
			t.Errorf("seed %d: %d packets were sent again, and %d trimmed ones", seed, again, cut)
		}
	}
}

// In steady state neither side allocates for a loss.
func TestSelectiveAllocatesNothing(t *testing.T) {
	const mtu, window = 1000, 300
	s := &sender{size: 1 << 40, lost: new(holes)}
	r := &receiver{early: new(bitRing)}
	p := new(core.Packet)
	round := func() { // the first packet of a window is lost
		for range window {
			seq := s.next
			send(s, mtu)
			if seq == r.expected && seq%(window*mtu) == 0 && s.top == seq+mtu {
				continue
			}
			*p = core.Packet{Kind: core.Ack, Seq: seq}
			if seq == r.expected {
				r.expected += mtu
				r.fill(mtu)
			} else {
				r.keep(p, mtu)
				p.Kind = core.Nack
			}
			s.una = max(s.una, r.expected)
			s.next = s.lost.hear(s, p, mtu, 0)
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 || s.una < 100*window*mtu/2 {
		t.Errorf("%v allocations for a window of packets; %d bytes acknowledged", n, s.una)
	}
}
