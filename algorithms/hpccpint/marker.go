package hpccpint

import (
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/portable"
)

// marker smooths the utilisation of one egress port and writes its digest into data packets.
type marker struct {
	digest *digest
	logs   *logs
	u      float64
	last   core.Time
	shares [2]share // of the previous packet, and of the one before it of another size
	maxRTT uint64   // ns, at least 1
	chance core.Random
	wraps  bool // a digest that does not fit the header loses its high bits, as in the reference

	logNano, logRate, logRTT float64 // of 1e9, the port's byte/s, maxRTT; in logUnit
}

// share is how much of a round trip at the line rate a packet takes.
type share struct {
	size int32 // bytes; 0: no packet
	of   float64
}

func (m *marker) Start(_ core.Time, p *algorithms.Port) {
	maxRTT := max(1, p.MaxRTT.WholeNanos())
	*m = marker{
		digest:  m.digest,
		logs:    m.logs,
		maxRTT:  uint64(maxRTT),
		chance:  p.Shared,
		wraps:   p.Timing != core.Exact,
		logNano: float64(portable.Log2(1e9) * logUnit),
		logRate: float64(portable.Log2(float64(p.Line/8)) * logUnit),
		logRTT:  float64(portable.Log2(float64(maxRTT)) * logUnit),
	}
}

// Step follows all packets of the data queues; only data packets sample the utilisation, and only those of
// the marker's scheme carry it.
func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	if q.Packet.Kind == core.Data {
		dt := min(uint64(q.Now.Nanos()-m.last.Nanos()), m.maxRTT)
		m.u = m.next(dt, uint64(q.Queue)>>8)
		if q.Own {
			if p := m.fit(m.digest.encode(m.u, m.chance)); p > q.Packet.Aux {
				k.SetAux, k.Aux = true, p
			}
		}
	}
	m.note(q)
}

// fit returns what a header holds of a digest.
func (m *marker) fit(p uint64) uint64 {
	if m.wraps {
		return p & m.digest.mask
	}
	return min(p, m.digest.mask)
}

// note remembers the packet as the port's latest, whatever it was.
func (m *marker) note(q *algorithms.Sight) {
	m.last = q.Now
	s := &m.shares
	if s[0].size == q.Packet.Size {
		return
	}
	if s[0], s[1] = s[1], s[0]; s[0].size != q.Packet.Size {
		s[0] = share{q.Packet.Size, portable.Exp2((m.log(uint64(q.Packet.Size)) + m.logNano - m.logRate - m.logRTT) / logUnit)}
	}
}

// next returns the smoothed utilisation dt ns after the previous packet, with queue units
// of 256 B left. The order of evaluation is that of the draws, and part of the result; the
// share of a packet below 64 KiB draws nothing.
func (m *marker) next(dt, queue uint64) float64 {
	var u float64
	if queue > 0 {
		if a, b := m.log(dt), m.log(queue); dt > 0 {
			u = float64(portable.Exp2((a+b+m.logNano-m.logRate-float64(2*m.logRTT))/logUnit) * 256)
		}
	}
	u += m.shares[0].of
	if m.maxRTT > dt && m.u > 0 {
		old := uint64(math.Round(m.u * 8192))
		if a, b := m.log(m.maxRTT-dt), m.log(old); old > 0 {
			u += float64(portable.Exp2((a+b-m.logRTT)/logUnit) / 8192)
		}
	}
	return u
}

// log returns the base-2 logarithm of x, truncated to whole units of 1/logUnit, of its 16 leading
// bits. If bits are dropped the last one kept is rounded by chance. That of 0 is of no use.
func (m *marker) log(x uint64) float64 {
	if drop := bits.Len64(x) - 16; drop > 0 {
		mask := uint64(1)<<drop - 1
		if x&mask > uint64(m.chance.Uint32())&mask {
			x += mask + 1
		}
	}
	return m.logs.of(x)
}
