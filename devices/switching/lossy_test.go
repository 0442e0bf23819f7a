package switching

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// mixed is a buffer with a lossy and a lossless class, and what it should hold.
type mixed struct {
	b                      buffer
	in                     [4]ingress
	pool                   core.Bytes
	inside                 []mixedPacket
	queue                  [4]core.Bytes // of the lossy class, by egress port
	held                   [4]core.Bytes // of the lossy class, by ingress port
	since                  [4]core.Bytes // lossless bytes that came after the pause
	drops, pauses, resumes int
}

type mixedPacket struct {
	in, out int
	prio    uint8
	size    core.Bytes
}

const (
	lossyPrio, losslessPrio = 1, 3
	mixedHeadroom           = 20_000
)

func newMixed(shift uint8) *mixed {
	cfg := BufferConfig{Total: 200_000, Reserve: 4096, Resume: 3072, Lossy: 1 << lossyPrio, LossyShift: shift}
	m := &mixed{pool: cfg.Total - 4*(mixedHeadroom+2*cfg.Reserve)}
	for i := range m.in {
		m.in[i] = ingress{Headroom: mixedHeadroom, Shift: 1}
	}
	m.b = newBuffer(cfg, pointers(m.in[:])...)
	return m
}

// shared is what the pool should hold in use.
func (m *mixed) shared() (sum core.Bytes) {
	for i := range m.in {
		sum += max(0, m.held[i]-m.b.cfg.Reserve) + max(0, core.Bytes(m.in[i].use[losslessPrio].bytes)-m.b.cfg.Reserve)
	}
	return sum
}

func (m *mixed) release(i int) {
	p := m.inside[i]
	m.inside = append(m.inside[:i], m.inside[i+1:]...)
	m.b.release(&m.in[p.in], p.prio, p.size)
	if p.prio == lossyPrio {
		m.queue[p.out] -= p.size
		m.held[p.in] -= p.size
	}
	if m.b.mayResume(&m.in[p.in], p.prio) {
		m.since[p.in] = 0
		m.resumes++
	}
}

func (m *mixed) admitLossy(t *testing.T, p mixedPacket) {
	want := m.held[p.in]+p.size <= m.b.cfg.Reserve || m.queue[p.out]+p.size <= (m.pool-m.shared())>>m.b.cfg.LossyShift
	if got := m.b.admitLossy(&m.in[p.in], p.prio, p.size, m.queue[p.out], m.b.unused()>>m.b.cfg.LossyShift); got != want {
		t.Fatalf("admitted %v, want %v", got, want)
	}
	if !want {
		m.drops++
		return
	}
	m.queue[p.out] += p.size
	m.held[p.in] += p.size
	m.inside = append(m.inside, p)
}

// admitLossless sends a packet unless the neighbour has been paused and everything that was on its way has arrived.
func (m *mixed) admitLossless(t *testing.T, p mixedPacket) {
	if m.in[p.in].paused>>losslessPrio&1 != 0 {
		if m.since[p.in]+p.size > mixedHeadroom-1600 {
			return
		}
		m.since[p.in] += p.size
	}
	if !m.b.admit(&m.in[p.in], p.prio, p.size) {
		t.Fatalf("the lossless class loses %d bytes", p.size)
	}
	if m.b.mustPause(&m.in[p.in], p.prio) {
		m.pauses++
	}
	m.inside = append(m.inside, p)
}

// Packets of a lossy class are dropped once its egress queue exceeds the free part of the shared
// pool, shifted; a drop leaves the buffer as it was. Beside it a lossless class loses nothing, as
// long as no more than its headroom follows a pause.
func TestLossyClassAgainstPlain(t *testing.T) {
	drops, pauses, resumes := 0, 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 5))
		m := newMixed(uint8(rng.IntN(3)))
		for range 3000 {
			p := mixedPacket{rng.IntN(4), rng.IntN(4), lossyPrio, 60 + core.Bytes(rng.IntN(1500))}
			switch what := rng.IntN(20); {
			case what < 9 && len(m.inside) > 0:
				m.release(rng.IntN(len(m.inside)))
			case what < 16:
				m.admitLossy(t, p)
			default:
				p.prio = losslessPrio
				m.admitLossless(t, p)
			}
			if m.b.shared != m.shared() || m.b.shared > m.pool {
				t.Fatalf("seed %d: %d bytes in use of a pool of %d, want %d", seed, m.b.shared, m.pool, m.shared())
			}
		}
		for len(m.inside) > 0 {
			m.release(0)
		}
		if m.b.shared != 0 {
			t.Fatalf("seed %d: empty, but %d bytes are in use", seed, m.b.shared)
		}
		drops, pauses, resumes = drops+m.drops, pauses+m.pauses, resumes+m.resumes
	}
	if drops < 1000 || pauses < 500 || resumes < 500 {
		t.Errorf("%d drops, %d pauses, %d resumes: too few to mean much", drops, pauses, resumes)
	}
}

// A lossy class can use its reserve to the last byte, however long the egress queue is.
func TestReserveOfLossyClass(t *testing.T) {
	var port ingress
	b := newBuffer(BufferConfig{Total: 10_000, Reserve: 1000, Lossy: 1 << lossyPrio}, &port)
	if b.admitLossy(&port, lossyPrio, 1001, 1<<20, 0) || !b.admitLossy(&port, lossyPrio, 1000, 1<<20, 0) || b.admitLossy(&port, lossyPrio, 1, 1<<20, 0) {
		t.Errorf("%v of a reserve of 1000 bytes used", port.used(lossyPrio))
	}
}
