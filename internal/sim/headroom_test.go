package sim

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Check case 17.3: three times what the link holds, the reference's rule, is 37,500 B for 100 Gb/s and 1 us. There the
// product of rate and delay has 64 unsigned bits, and the headroom 32.
func TestReferenceHeadroom(t *testing.T) {
	s := &Setup{Profile: NS3()}
	for _, c := range []struct {
		rate  core.Rate
		delay core.Duration
		want  core.Bytes
	}{
		{100, core.Microsecond, 37_500},
		{400, 25 * core.Millisecond, 3_750_000_000},
		{400, 40 * core.Millisecond, 6_000_000_000 - 1<<32},
		{100, 200 * core.Millisecond, 194_156_990 * 3}, // of 2e19 - 2^64
	} {
		if got := s.Headroom(&topo.Link{Rate: c.rate * core.Gbps, Delay: c.delay}); got != c.want {
			t.Errorf("%d Gb/s, %v: got %v, want %v", c.rate, c.delay, got, c.want)
		}
	}
}

// Elsewhere nothing wraps.
func TestHeadroomOfLongLinks(t *testing.T) {
	s := &Setup{}
	for delay, want := range map[core.Duration]core.Bytes{
		core.Microsecond: 37_500, core.Microsecond + core.Nanosecond - 1: 37_500, 200 * core.Millisecond: 7_500_000_000,
	} {
		if got := s.Headroom(&topo.Link{Rate: 100 * core.Gbps, Delay: delay}); got != want {
			t.Errorf("%v: got %v, want %v", delay, got, want)
		}
	}
}

// Check cases 17.3 and 17.4: the exact headroom holds the frame that crosses the threshold, both ends' frames, the PFC
// frame, the bytes of the way there and back, and at least the response time that IEEE 802.1Qbb allows each rate, in quanta of 512 bit times, 25,216 B at 100
// Gb/s; at 10 Gb/s exactly that. It also exceeds the rule of thumb of a maker: both frames, 3840 B, and 130 B for 100 m
// and Gb/s (500 ns of cable), 35,272 B at 100 Gb/s.
func TestExactHeadroom(t *testing.T) {
	s := &Setup{ExactHeadroom: true, MTU: 9000, Header: 88} // and 128 B that a scheme may add
	const frame = 9216
	for _, c := range []struct {
		rate                    core.Rate
		quanta, response, thumb core.Bytes
	}{{10, 60, 3840, 23_572}, {25, 80, 5120, 25_522}, {40, 118, 7552, 27_472}, {100, 394, 25_216, 35_272}, {400, 905, 57_920, 74_272}} {
		link := &topo.Link{Rate: c.rate * core.Gbps, Delay: 500 * core.Nanosecond}
		flight := core.Bytes(2 * float64(link.Rate) * link.Delay.Seconds() / 8)
		if c.quanta*512/8 != c.response {
			t.Errorf("%v: %d quanta are not %v", link.Rate, c.quanta, c.response)
		}
		least := 3*frame + 84 + flight + c.response
		got := s.Headroom(link)
		if got < least || c.rate == 10 && got != least {
			t.Errorf("%v: headroom %v, the standard asks for %v", link.Rate, got, least)
		}
		if got < c.thumb {
			t.Errorf("%v: headroom %v, the rule of thumb asks for %v", link.Rate, got, c.thumb)
		}
	}
}

// Three link delays, 3 B/ns, hold what arrives after a pause, 2 B/ns, three frames and the PFC frame, if one delay holds
// the frames.
func TestShortHeadroom(t *testing.T) {
	const frames = 3*(1000+48) + 84
	links := []topo.Link{{Rate: 8 * core.Gbps, Delay: frames * core.Nanosecond}, {Rate: 8 * core.Gbps, Delay: (frames - 1) * core.Nanosecond}}
	n := &Network{Setup: &Setup{MTU: 1000, Header: 48, Topology: &topo.Topology{Links: links}}}
	if got := n.ShortHeadroom(); !slices.Equal(got, []int{1}) {
		t.Errorf("links %v, want the second", got)
	}
	n.credits = &core.CreditConfig{}
	if got := n.ShortHeadroom(); got != nil {
		t.Errorf("under credits: %v", got)
	}
	n.credits, n.Setup.NoPFC = nil, true
	if got := n.ShortHeadroom(); got != nil {
		t.Errorf("without PFC: %v", got)
	}
}
