package topo

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// IdealFCT returns the completion time of a flow that is alone in the network and sends at
// line rate without a window: from its first bit to the arrival of the acknowledgement of
// its last packet. there has the links that packets take, from the source on, and back those that
// acknowledgements take, from the destination on. size is the length of the message, of which
// every packet carries s.Payload bytes and the last one the rest. Every packet, or every s.AckEvery-th and the
// last one, is acknowledged at once: s.Host does not count. Switches store and forward.
//
// The data and acknowledgements pass a line of stages, first in, first out. Equal packets
// leave each stage at equal distances, the longest service so far; so it is enough to follow
// the first packet, that distance, and the last packet, which may be smaller and so catch up
// with its predecessor: O(stages), exact for any number of packets and any timing. A time that does not fit,
// or barely fits, a Duration is the longest one.
func IdealFCT(there, back []Link, tm core.Timing, size core.Bytes, s Sizes) core.Duration {
	packets := 1 + max(0, size-1)/s.Payload
	w := wave{before: int64(packets - 1)}
	rest := s.Packet - (packets*s.Payload - size)
	for i := range there {
		l := &there[i]
		w.stage(tm.TxTime(s.Packet, l.Rate), tm.TxTime(rest, l.Rate), l.Delay)
	}
	w.thin(int64(max(1, s.AckEvery)))
	for i := range back {
		l := &back[i]
		d := tm.TxTime(s.Ack, l.Rate)
		w.stage(d, d, l.Delay)
	}
	if float64(w.before)*float64(w.gap) > math.MaxInt64/2 {
		return math.MaxInt64
	}
	return w.last
}

// wave is a train of equal packets and a last one, as it arrives at a stage.
type wave struct {
	before int64
	first  core.Duration // arrival of the first packet, if it is not the last
	gap    core.Duration // distance between the equal packets
	last   core.Duration // arrival of the last packet
}

// stage passes the train through a link: full and rest are the transmission times of an
// equal packet and of the last one.
func (w *wave) stage(full, rest, delay core.Duration) {
	w.first += full
	w.gap = max(w.gap, full)
	if w.before > 0 {
		w.last = max(w.last, w.first+core.Duration(w.before-1)*w.gap)
	}
	w.last += rest + delay
	w.first += delay
}

// thin leaves every k-th of the equal packets, and the last one.
func (w *wave) thin(k int64) {
	w.before /= k
	w.first += core.Duration(k-1) * w.gap
	w.gap *= core.Duration(k)
}

// StandaloneFCT returns the completion time against which the ns3 profile measures a flow:
// the base RTT, and the time of all its bytes with 48-byte headers at the bottleneck, in
// whole nanoseconds. The bits in it, times 10^9, wrap beyond 64 bits, as those of 2.3 GB do. The time is the longest
// one where it does not fit a Duration, below 2 kb/s, and without a bottleneck: there is no path.
func StandaloneFCT(rtt core.Duration, bottleneck core.Rate, size, payload core.Bytes) core.Duration {
	const header = 48
	if bottleneck == 0 {
		return math.MaxInt64
	}
	total := uint64(size + header*((size-1)/payload+1))
	nanos := total * 8e9 / uint64(bottleneck)
	if nanos > uint64((math.MaxInt64-rtt)/core.Nanosecond) {
		return math.MaxInt64
	}
	return rtt + core.Duration(nanos)*core.Nanosecond
}
