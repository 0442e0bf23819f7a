package qcn

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// maxFeedback is the greatest value of the 6 bits of feedback.
const maxFeedback = 63

// sampleTable holds what sample_base is multiplied by after a sample, by the three leading
// bits of its feedback: 150, 75, 50, 37.5, 30, 25, 21.5 and 18.5 KB for 150 KB.
var sampleTable = [8]float64{1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 43. / 300, 37. / 300}

// marker is the congestion point of one egress port. Its queue is all that is queued at the
// port for data; only packets of flows under QCN are sampled.
type marker struct {
	p        *Params
	setPoint core.Bytes
	weight   float64
	most     float64 // -Fb beyond which the feedback is maxFeedback
	base     float64 // bytes between samples
	random   core.Random

	old    core.Bytes // queue at the previous sample
	toNext core.Bytes // bytes until the next
	shares shares
	halve  core.Bytes // cp=af: bytes after which shares are halved
}

func (m *marker) Start(_ core.Time, p *algorithms.Port) {
	point := scaled(m.p.SetPoint, setPoint, p.Line)
	base := scaled(m.p.SampleBase, sampleBase, p.Line)
	weight := math.Ldexp(1, m.p.Weight)
	m.shares.reset()
	*m = marker{
		p:        m.p,
		setPoint: point,
		weight:   weight,
		most:     float64(point) * (2*weight + 1),
		base:     float64(base),
		random:   p.Random,
		toNext:   base,
		shares:   m.shares,
		halve:    m.p.FairWindow,
	}
	if m.halve == 0 {
		m.halve = core.Truncate[core.Bytes](4 * m.base)
	}
}

func (m *marker) Step(q *algorithms.Sight, k *algorithms.Mark) {
	if !q.Own {
		return
	}
	size := core.Bytes(q.Packet.Size)
	if m.p.CP != "plain" {
		m.shares.add(q.Packet.Src, q.Packet.SrcQP, size)
	}
	m.toNext -= size
	if m.toNext < 0 {
		m.sample(q.Queue+size, q.Packet, k)
	}
}

// sample takes a sample of the queue, whose last packet is p.
func (m *marker) sample(queue core.Bytes, p *core.Packet, k *algorithms.Mark) {
	feedback := m.feedback(queue)
	m.old = queue
	m.toNext = core.Truncate[core.Bytes](jittered(m.base*sampleTable[feedback>>3], m.p.SampleJitter, m.random))
	switch m.p.CP {
	case "af":
		feedback = m.approximatelyFair(feedback, p)
	case "fqcn":
		m.tellOverrated(feedback, k)
		return
	}
	k.Notify, k.Feedback = feedback > 0, feedback
}

// feedback returns the quantised Fb = -(Qoff + w Qdelta) (QCN-T, equation 1): 0 where there
// is no congestion.
func (m *marker) feedback(queue core.Bytes) int32 {
	fb := float64(m.setPoint-queue) - float64(m.weight*float64(queue-m.old))
	switch {
	case fb >= 0:
		return 0
	case fb < -m.most:
		return maxFeedback
	}
	return int32(-fb * maxFeedback / m.most)
}

// jittered returns x varied at random by a share of at most jitter.
func jittered(x, jitter float64, r core.Random) float64 {
	if jitter == 0 {
		return x
	}
	return x * (1 - jitter + float64(2*jitter*r.Float64()))
}
