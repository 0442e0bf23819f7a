package tcp

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// trips are the round trips of a flow, from which its time-out follows (RFC 6298, section 2).
type trips struct {
	srtt, rttvar float64       // s; 0 before the first sample
	first        core.Duration // time-out until then; 0: the host's
}

// hear takes the sample of an ACK of new data (RFC 7323, section 4.1). The ACK tells when the packet that it answers
// was made, as with the option of time stamps, so one that had been sent again counts too (RFC 6298,
// section 3).
func (t *trips) hear(s *algorithms.Signal) {
	if s.Kind == algorithms.Ack && s.Bytes > 0 {
		t.sample(s.RTT.Seconds(), float64(s.Bytes)/float64(s.Bytes+max(0, s.InFlight)))
	}
}

// sample takes a round trip r of an ACK of a share of what was in flight. RTTVAR rises with each, but falls in a round
// trip as if that had one sample (RFC 7323, appendix G).
func (t *trips) sample(r, share float64) {
	if t.srtt == 0 {
		t.srtt, t.rttvar = r, r/2
		return
	}
	change := math.Abs(t.srtt-r) - t.rttvar
	if change < 0 {
		change *= share
	}
	t.rttvar += float64(change / 4)
	t.srtt += float64((r - t.srtt) / 8)
}

// timeout returns RTO, with SRTT in place of G, the granularity of a clock.
func (t *trips) timeout() core.Duration {
	if t.srtt == 0 {
		return t.first
	}
	return core.Truncate[core.Duration]((t.srtt + max(t.srtt, 4*t.rttvar)) * float64(core.Second))
}
