package ibcc

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// marker is the congestion point of one egress port. Sets of classes are bit masks.
type marker struct {
	p       *Params
	trigger core.Bytes // queue of a congested class
	root    bool       // always, by the victim mask
	rate    int        // Marking_Rate
	random  core.Random

	passed int          // eligible packets since the last mark
	full   uint8        // classes at or above the trigger
	victim uint8        // classes that lacked credits
	filled [8]core.Time // by class in full: since when
	since  core.Time
	total  core.Duration // congested until since
}

// defaultBuffer is the buffer of a lane without credit flow control.
const defaultBuffer core.Bytes = 64 << 10

func (m *marker) Start(now core.Time, p *algorithms.Port) {
	*m = marker{
		p: m.p, trigger: m.p.trigger(p.Lane), rate: m.p.MarkingRate, random: p.Random, since: now,
		root: m.p.VictimMask == "all" || m.p.VictimMask == "hosts" && p.ToHost,
	}
}

// trigger is the queue from which a class with a buffer of a given size is congested.
func (p *Params) trigger(lane core.Bytes) core.Bytes {
	if p.Threshold == 0 {
		return core.Unlimited
	}
	return core.Truncate[core.Bytes](float64(cmp.Or(p.Buffer, lane, defaultBuffer)) * float64(16-p.Threshold) / 16)
}

func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	class := q.Packet.Prio & 7
	m.count(q.Now)
	if q.Starved {
		m.victim |= 1 << class
	}
	if q.Enqueue {
		m.fill(q.Now, class, q.Class+core.Bytes(q.Packet.Size), q.Starved)
		return
	}
	waited := m.filled[class] < q.Now
	if m.congested()>>class&1 != 0 && waited && q.Own && int(q.Packet.Size) >= m.p.PacketSize*64 {
		k.CE = m.draw()
	}
	m.fill(q.Now, class, q.Class, q.Starved)
}

// Clear implements algorithms.Cleared: no class is congested, nor a victim.
func (m *marker) Clear(now core.Time) {
	m.count(now)
	m.full, m.victim = 0, 0
}

// count adds the time since the last packet to the congested time.
func (m *marker) count(now core.Time) {
	if m.congested() != 0 {
		m.total += now.Sub(m.since)
	}
	m.since = now
}

// fill notes the queue of a class.
func (m *marker) fill(now core.Time, class uint8, queue core.Bytes, starved bool) {
	bit := uint8(1) << class
	switch {
	case queue < m.trigger:
		m.full &^= bit
		if !starved {
			m.victim &^= bit
		}
	case m.full&bit == 0:
		m.full |= bit
		m.filled[class] = now
	}
}

// congested returns the congested classes.
func (m *marker) congested() uint8 {
	if m.root {
		return m.full
	}
	return m.full &^ m.victim
}

// draw decides whether an eligible packet is marked.
func (m *marker) draw() bool {
	if m.p.Marking == "random" {
		return m.rate == 0 || m.random.Float64()*float64(m.rate+1) < 1
	}
	m.passed++
	if m.passed <= m.rate {
		return false
	}
	m.passed = 0
	return true
}

// Congested implements algorithms.Managed.
func (m *marker) Congested(now core.Time) core.Duration {
	if m.congested() != 0 {
		return m.total + now.Sub(m.since)
	}
	return m.total
}

// SetMarkingRate implements algorithms.Managed.
func (m *marker) SetMarkingRate(rate int) { m.rate = rate }
