package switching

import (
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// next chooses among the ready queues: queue 0, unless it has only trimmed packets that yield; else the highest of strict
// priority; else by the classes' shares or, without, the first after the one served last.
func (o *port) next(ready uint8) int {
	if ready&1 != 0 {
		if !o.yields(ready) {
			return 0
		}
		ready &^= 1
	}
	if first := ready & o.strict; first != 0 {
		return bits.Len8(first) - 1
	}
	if o.shares != nil {
		return o.shares.next(o, ready)
	}
	return inTurn(ready, o.last)
}

// served notes that a class has been, if it has turns.
func (o *port) served(class uint8) {
	if o.strict == 0 || o.strict>>(class&7)&1 == 0 {
		o.last = class
	}
}

// inTurn returns the first of the ready queues after the last one served.
func inTurn(ready, last uint8) int {
	if after := ready >> (last + 1) << (last + 1); after != 0 {
		return bits.TrailingZeros8(after)
	}
	return bits.TrailingZeros8(ready)
}

// shares divides a port between the classes that wait in proportion to weights: enhanced transmission selection
// (802.1Q 8.6.8.3), by deficit round robin (Shreedhar and Varghese, SIGCOMM 1995). In a round the
// heaviest class may send an MTU. Deficits count bytes times the greatest weight, which keeps them whole.
type shares struct {
	quantum [numQueues]int64
	deficit [numQueues]int64
	cost    int64 // of a byte
}

// newShares returns nil if no class has a weight; else those without have 1.
func newShares(weights *[numQueues]uint8, mtu core.Bytes) *shares {
	if *weights == [numQueues]uint8{} {
		return nil
	}
	s := &shares{cost: 1}
	for i, w := range weights {
		s.quantum[i] = int64(max(1, w)) * int64(mtu)
		s.cost = max(s.cost, int64(w))
	}
	return s
}

// next chooses a queue and takes its first packet from the queue's deficit, which an empty queue does not keep.
func (s *shares) next(o *port, ready uint8) int {
	i := int(o.last)
	for visits := 0; ready>>i&1 == 0 || s.deficit[i] < s.price(o, i); visits++ {
		if visits == numQueues {
			s.skip(o, ready)
		}
		i = inTurn(ready, uint8(i))
		s.deficit[i] += s.quantum[i]
	}
	if s.deficit[i] -= s.price(o, i); o.queues[i].bytes == core.Bytes(o.queues[i].Front().Size) {
		s.deficit[i] = 0
	}
	return i
}

// skip does at once all rounds that give no queue enough. All ready queues have been found to lack some.
func (s *shares) skip(o *port, ready uint8) {
	rounds := int64(math.MaxInt64)
	for q := ready; q != 0; q &= q - 1 {
		i := bits.TrailingZeros8(q)
		rounds = min(rounds, (s.price(o, i)-s.deficit[i]-1)/s.quantum[i])
	}
	for q := ready; q != 0; q &= q - 1 {
		i := bits.TrailingZeros8(q)
		s.deficit[i] += rounds * s.quantum[i]
	}
}

// price is what the first packet of queue i takes from its deficit.
func (s *shares) price(o *port, i int) int64 { return int64(o.queues[i].Front().Size) * s.cost }
