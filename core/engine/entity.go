package engine

import "github.com/qbb-sim/qbb/core"

// Ranks of events at equal times in the order ByEntity.
const (
	rankBeat uint64 = iota
	rankProcess
	rankTxDone
	rankWake
	rankArrive
)

// entityKey is a key of the order ByEntity. The lowest bits are for packets that leave a port at one time.
func entityKey(rank uint64, p PortID) uint64 { return rank<<60 | uint64(p)<<28 }

// inRow returns the place of a transmission that took no time: behind those of the port that ended at the same time.
func (l *link) inRow(end core.Time) uint64 {
	if l.last != end {
		l.last, l.row = end, 0
	}
	l.row++
	return l.row
}
