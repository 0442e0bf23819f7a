package sim

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// Parts meet after every window of time, which costs them as much as some dozens of packets each. Where links are so short
// that little happens in a window, one part is faster: with links of 10 ns, fat-tree:k=16 took half of the time that
// eight parts took on one thread, and fat-tree:k=8 half of that of two threads; with 100 ns they took about the same, and with
// 1 us parts were faster.
const packetsPerWindow = 1024

// UsefulThreads returns a number of threads, or 1 if parts would have to meet so often that several threads are slower than
// one.
func (s *Setup) UsefulThreads(most int) int {
	part, parts := cutNetwork(s.Topology, s.Topology.Ports(), s.Delay, most, most*partsPerThread)
	if parts > 1 && s.carries(s.window(part)) < packetsPerWindow {
		return 1
	}
	return most
}

// window returns the delay of the shortest link between two parts; in the order of scheduling that of the shortest link.
func (s *Setup) window(part []uint8) core.Duration {
	shortest := core.Duration(math.MaxInt64)
	for i := range s.Topology.Links {
		if l := &s.Topology.Links[i]; s.Profile.InOrder() || part[l.A] != part[l.B] {
			shortest = min(shortest, s.Delay(l))
		}
	}
	return shortest
}

// carries returns how many full packets all links together can carry within a time, in both directions.
func (s *Setup) carries(d core.Duration) float64 {
	rate := 0.0
	for i := range s.Topology.Links {
		rate += float64(s.Topology.Links[i].Rate)
	}
	return 2 * rate * d.Seconds() / float64(8*(s.MTU+s.Header))
}
