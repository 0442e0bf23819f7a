package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Buffers and PFC, check case 3: three times what the link holds, as the reference has it, is
// 37,500 B for 100 Gb/s and 1 us.
func TestReferenceHeadroom(t *testing.T) {
	s := &Setup{}
	if got := s.Headroom(&topo.Link{Rate: 100 * core.Gbps, Delay: core.Microsecond}); got != 37_500 {
		t.Errorf("got %v, want 37500B", got)
	}
}

// Check cases 3 and 4: the exact headroom holds both ends' frames, the PFC frame, the way there
// and back, and no less than the response time that IEEE 802.1Qbb allows each rate, in quanta of
// 512 bit times; at 10 Gb/s exactly that. It is also above the rule of thumb of a maker: both
// frames, 3840 B, and 130 B for 100 m and Gb/s (500 ns of cable), 35,272 B at 100 Gb/s.
func TestExactHeadroom(t *testing.T) {
	s := &Setup{ExactHeadroom: true, MTU: 9088} // and 128 B that a scheme may add
	const frame = 9216
	for rate, quanta := range map[core.Rate]core.Bytes{10: 60, 25: 80, 40: 118, 100: 394, 400: 905} {
		link := &topo.Link{Rate: rate * core.Gbps, Delay: 500 * core.Nanosecond}
		flight := core.Bytes(2 * float64(link.Rate) * link.Delay.Seconds() / 8)
		least := 2*frame + 84 + flight + quanta*64
		got := s.Headroom(link)
		if got < least || rate == 10 && got != least {
			t.Errorf("%v: headroom %v, the standard asks for %v", link.Rate, got, least)
		}
		if thumb := 2*frame + 3840 + core.Bytes(130*rate); got < thumb {
			t.Errorf("%v: headroom %v, the rule of thumb asks for %v", link.Rate, got, thumb)
		}
	}
}
