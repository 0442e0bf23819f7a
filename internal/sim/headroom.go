package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// pfcFrame is a PFC frame on the wire: 64 bytes, the preamble and the gap between frames.
const pfcFrame = 84

// Headroom is what may arrive on a link after a pause has been sent; 0 if none is ever sent. Delays count
// in whole nanoseconds unless it is exact.
func (s *Setup) Headroom(l *topo.Link) core.Bytes {
	if s.NoPFC {
		return 0
	}
	if s.ExactHeadroom {
		return pfcHeadroom(l, s.MTU+s.Header+128)
	}
	if s.Profile.Wrap32 {
		return core.Bytes(uint32(uint64(l.Rate) * uint64(l.Delay.WholeNanos()) / 8 / 1e9 * 3))
	}
	return 3 * l.Rate.BytesIn(l.Delay/core.Nanosecond*core.Nanosecond)
}

// pfcHeadroom is the room that a lossless class needs: both ends' longest frame in progress, the
// PFC frame, the way there and back, and the response time that IEEE 802.1Qbb allows: in time, at
// most 60 quanta at 10 Gb/s.
func pfcHeadroom(l *topo.Link, frame core.Bytes) core.Bytes {
	const response = 3072 * core.Nanosecond
	flight := float64(l.Rate) * (2*l.Delay + response).Seconds() / 8
	return 2*frame + pfcFrame + core.Bytes(flight)
}

// ShortHeadroom returns the links of switches whose PFC headroom is less than what may still
// arrive after a pause was sent: both ends' frames in progress, the PFC frame, and what the cable
// holds both ways. It leaves out the response time of IEEE 802.1Qbb, because our devices take none.
func (n *Network) ShortHeadroom() (links []int) {
	s := n.Setup
	if s.NoPFC || n.credits != nil {
		return nil
	}
	for i := range s.Topology.Links {
		l := &s.Topology.Links[i]
		flight := core.Bytes(float64(l.Rate) * (2 * l.Delay).Seconds() / 8)
		if s.Headroom(l) < 2*(s.MTU+s.Header)+pfcFrame+flight {
			links = append(links, i)
		}
	}
	return links
}
