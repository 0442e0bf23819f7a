package bolt

import (
	"cmp"
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// What a packet carries, and its ACK brings back: bits of core.Packet.Aux.
const (
	inc     uint64 = 1 << iota // its flow may grow by a packet, as far as the hops so far know
	dec                        // a hop has sent its source a notification
	first                      // of the flow's first window
	last                       // of its last one
	present                    // it has the header
)

// marker is the congestion point of one egress port.
type marker struct {
	p         *Params
	threshold core.Bytes
	mtu       float64
	perByte   float64   // of the link, ps
	before    core.Time // last arrival
	ending    int64     // tokens of flows that end: packets
	supply    float64   // token of supply matching, bytes
}

func (m *marker) Start(now core.Time, p *algorithms.Port) {
	mtu := max(1, p.MTU)
	*m = marker{
		p: m.p, threshold: cmp.Or(m.p.Threshold, mtu), mtu: float64(mtu),
		perByte: 8 * float64(core.Second) / float64(p.Line), before: now,
	}
}

// Step counts a packet that arrives (NSDI 2023).
func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	supplied := float64(q.Now.Sub(m.before)) / m.perByte
	m.supply = min(m.supply+supplied-float64(q.Packet.Size), m.mtu)
	m.before = q.Now
	aux := q.Packet.Aux
	if !q.Own || aux&present == 0 {
		return
	}
	switch {
	case q.Queue >= m.threshold:
		if aux&dec == 0 {
			k.Notify, k.Feedback = true, m.drain(q.Queue)
		}
		aux = aux&^inc | dec
	case aux&last != 0:
		if aux&first == 0 {
			m.ending++
		}
	case aux&inc != 0 && !m.grant():
		aux &^= inc
	}
	k.SetAux, k.Aux = aux != q.Packet.Aux, aux
}

// grant takes a token, if there is one.
func (m *marker) grant() bool {
	switch {
	case m.ending > 0:
		m.ending--
	case m.supply >= m.mtu:
		m.supply -= m.mtu
	default:
		return false
	}
	return true
}

// drain is the time in ns that the link takes to send a queue.
func (m *marker) drain(queue core.Bytes) int32 {
	return int32(min(float64(queue)*m.perByte/float64(core.Nanosecond), math.MaxInt32))
}
