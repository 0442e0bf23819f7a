package qcn

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// approximatelyFair is AF-QCN: it mixes the feedback of a congested queue with how far the
// rate r of the sampled flow is above its fair share f, Fb = (1-a) Fb + a 63 max(0, 1-f/r),
// and quantises the sum. All flows have the same weight.
func (m *marker) approximatelyFair(feedback int32, p *core.Packet) int32 {
	if feedback > 0 {
		fair := float64(m.shares.total) / float64(len(m.shares.flows))
		rate := float64(m.shares.at(p.Src, p.SrcQP).bytes)
		unfair := maxFeedback * max(0, 1-fair/rate)
		a := m.p.FairGain
		feedback = int32(float64((1-a)*float64(feedback)) + float64(a*unfair))
	}
	if m.shares.seen >= m.halve {
		m.shares.halve()
	}
	return feedback
}

// tellOverrated is FQCN: it divides the feedback among the flows that have sent no less than
// an equal share since the last sample, in proportion to what they have sent.
func (m *marker) tellOverrated(feedback int32, k *algorithms.Mark) {
	s := &m.shares
	n := core.Bytes(len(s.flows))
	var sum core.Bytes
	for i := range s.flows {
		if s.flows[i].bytes*n >= s.total {
			sum += s.flows[i].bytes
		}
	}
	for i := range s.flows {
		f := &s.flows[i]
		part := int32(core.Bytes(feedback) * f.bytes / sum)
		if part > 0 && f.bytes*n >= s.total {
			k.Others = append(k.Others, algorithms.Notice{To: f.node, QP: f.qp, Feedback: part})
		}
	}
	s.reset()
}
