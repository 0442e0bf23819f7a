package stall

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// vain notices that packets move, but that none of them brings a flow any further: as when a flow that never gives up
// sends for ever what its receiver has, but does not acknowledge a second time.
type vain struct {
	ends  int64   // flows that have started, and flows that have ended
	acked []int64 // by flow: the most bytes acknowledged at a look
	// Of the last look that found more of these, or that something was still to come:
	since core.Time
	hops  int64
	// Since then:
	wait core.Duration // the longest time-out, or gap between two packets, of all looks
	// The next look comes at a time, or after a number of hops and losses.
	nextTime core.Time
	nextHops int64
}

// Bounds of what packets may do in vain. It is enough that one time-out in a thousand helps; those in a row are 16 times
// the first. A sender that has gone back may have to wait until full switches have sent what came too early, and some
// such round trips may be in vain: a single queue takes only a part of a memory.
const (
	leastInVain = core.Second
	tripsInVain = 3
	waitsInVain = 16 * 1000
	longestWait = core.Duration(sim.MostTime / waitsInVain)
	longestTrip = core.Duration(sim.MostTime / tripsIdle)
	hopsInVain  = 1 << 28 // about a minute of computing
	looksInVain = 8
)

// look reports whether packets have moved in vain for too long, and for how long. It looks at every flow, but seldom.
func (v *vain) look(n *sim.Network, now core.Time) (lasts core.Duration, over bool) {
	hops := n.Moved()
	if now < v.nextTime && hops < v.nextHops {
		return 0, false
	}
	patience := leastInVain + watchdogs(n)
	if v.further(n) || n.Scheduled(now) {
		v.since, v.hops, v.wait = now, hops, 0
	} else {
		v.wait = max(v.wait, n.LongestTimeout(), n.LongestGap(now))
		_, trip := n.LongestTrip()
		patience = max(patience+waitsInVain*min(v.wait, longestWait), tripsInVain*min(trip, longestTrip))
	}
	v.nextTime, v.nextHops = now.Add(patience/looksInVain), hops+hopsInVain/looksInVain
	lasts = now.Sub(v.since)
	return lasts, lasts > patience || hops-v.hops > hopsInVain
}

// further reports whether a flow has started, ended or more of its bytes acknowledged than at any look before.
func (v *vain) further(n *sim.Network) (more bool) {
	if ends := int64(n.Started()) + int64(n.Ended()); ends != v.ends {
		v.ends = ends
		return true
	}
	for i := range n.Setup.Flows {
		acked, _, running := n.Running(i)
		if i == len(v.acked) {
			v.acked = append(v.acked, 0)
		}
		if running && acked > v.acked[i] {
			v.acked[i], more = acked, true
		}
	}
	return more
}
