package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// responseTime is the longest that IEEE 802.1Qbb allows from the arrival of a pause to the end of sending: in time, at
// most 60 quanta at 10 Gb/s. Our devices take none.
const responseTime = 3072 * core.Nanosecond

// Headroom is what may arrive on a link after a pause has been sent; 0 if none is ever sent. Delays count
// in whole nanoseconds unless it is exact.
func (s *Setup) Headroom(l *topo.Link) core.Bytes {
	if s.NoPFC {
		return 0
	}
	if s.ExactHeadroom {
		return pfcHeadroom(l, s.MTU+s.Header+128, responseTime)
	}
	if s.Profile.Wrap32 {
		return core.Bytes(uint32(uint64(l.Rate) * uint64(l.Delay.WholeNanos()) / 8 / 1e9 * 3))
	}
	return 3 * l.Rate.BytesIn(l.Delay/core.Nanosecond*core.Nanosecond)
}

// pfcHeadroom is the room that a lossless class needs: the frame that crosses the threshold, all of which counts
// there, both ends' longest frame in progress, the PFC frame, and what arrives on the way there and back and in the
// response time.
func pfcHeadroom(l *topo.Link, frame core.Bytes, response core.Duration) core.Bytes {
	const pfcFrame = 84
	flight := float64(l.Rate) * (2*l.Delay + response).Seconds() / 8
	return 3*frame + pfcFrame + core.Bytes(flight)
}

// ShortHeadroom returns the links of switches whose PFC headroom is less than what may still arrive after
// our devices have sent a pause.
func (n *Network) ShortHeadroom() (links []int) {
	s := n.Setup
	if s.NoPFC || n.credits != nil {
		return nil
	}
	for i := range s.Topology.Links {
		if l := &s.Topology.Links[i]; s.Headroom(l) < pfcHeadroom(l, s.MTU+s.Header, 0) {
			links = append(links, i)
		}
	}
	return links
}

// ShortPauses returns the least pause time, in quanta, of which no pause expires before it is repeated: half of
// it holds a packet in progress, which the repetition waits for, and the frame. It is 0 if that of the run is as long.
func (n *Network) ShortPauses() (least int) {
	s := n.Setup
	if s.NoPFC || n.credits != nil || s.Profile.PauseQuanta == 0 {
		return 0
	}
	const half = core.PauseQuantum / 2
	need := s.MTU + s.Header + core.Bytes(s.Profile.PauseSize)
	if least = int((need + half - 1) / half); int(s.Profile.PauseQuanta) >= least {
		return 0
	}
	return least
}
