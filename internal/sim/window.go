package sim

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// Parts meet after every window of time. Where links are so short that little happens in one, to meet costs more than parts
// save: how many full packets the links of a network must be able to carry in a window. With links of 10 ns fat-tree:k=16
// took, on one thread, 0.56 of the time whole that it took in eight parts. Two threads were 1.23 times as fast as one with
// fat-tree:k=8 whole and links of 100 ns, which carry 916 packets in a window, 1.08 times with 50 ns, and slower with 25 ns
// (WebSearch at 60 %, medians of five).
const (
	packetsOfThreads = 512  // in all, with several threads
	packetsInOrder   = 1024 // the same in the order of scheduling, where parts also merge their pages
	packetsPerPart   = 1024 // for each part, with one thread
)

// UsefulThreads returns a number of threads, or 1 if several would be slower because their parts have to meet too often.
func (s *Setup) UsefulThreads(most int) int {
	least := float64(packetsOfThreads)
	if s.Profile.InOrder() {
		least = packetsInOrder
	}
	part, parts := cutNetwork(s.Topology, s.Topology.Ports(), s.Delay, most, most*partsPerThread)
	if parts > 1 && s.carries(s.window(part)) < least {
		return 1
	}
	return most
}

// usefulParts reports whether one thread is faster with a number of parts than with one.
func (s *Setup) usefulParts(part []uint8, parts int) bool {
	return s.carries(s.window(part)) >= float64(parts)*packetsPerPart
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
