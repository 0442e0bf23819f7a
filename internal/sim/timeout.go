package sim

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Timeout is the time without progress until a flow sends again; 0: never.
type Timeout core.Duration

// FitTimeout stands for a time-out that fits the path. It begins with a round trip, with the delay of the
// receiving host, that finds the longest queue that a switch may have for the class, which is all of its memory
// unless the class is lossy, and waits until the slowest link of the path has sent it: so IRN chooses its time-out
// (Mittal et al., SIGCOMM 2018). Then it depends on the class and the recovery:
//
//	lossless, selective  that time
//	lossless, otherwise  the same with the memories of all switches of the path, which pauses may fill, and at
//	                     least LeastTimeout: go-back-N sends a window again for each queue taken for a loss
//	lossy, selective     that time, at most LeastTimeout
//	lossy, otherwise     LeastTimeout: a long time-out costs more than a short one
//
// In a lossy class it is at least two round trips of the empty path.
const FitTimeout Timeout = -1

// LeastTimeout is the least that FitTimeout stands for without selective recovery: about the
// 4.096 us * 2^10 of InfiniBand's local ACK time-out.
const LeastTimeout = 4 * core.Millisecond

// mostDrain is the longest that FitTimeout waits for queues besides the round trip, so that multiples of it
// fit a clock. Only links of some kb/s take as long for a switch's memory.
const mostDrain = 24 * 3600 * core.Second

// String implements fmt.Stringer.
func (t Timeout) String() string {
	if t == FitTimeout {
		return "auto"
	}
	return core.Duration(t).String()
}

// ParseTimeout is the inverse of String.
func ParseTimeout(text string) (Timeout, error) {
	if text == "auto" {
		return FitTimeout, nil
	}
	d, err := core.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w, or auto", err)
	case d < 0:
		return 0, fmt.Errorf("%q is negative", text)
	}
	return Timeout(d), nil
}

// timeout is the time-out of a flow of a class and a path.
func (n *Network) timeout(p topo.Path, class uint8) core.Duration {
	t := n.Setup.Profile.RTO
	if t != FitTimeout {
		return core.Duration(t)
	}
	if p.Hops < 2 { // no switch, or no path
		return max(LeastTimeout, 2*p.RTT)
	}
	drain := drainTime(n.longestQueue(class), p)
	lossy := n.drops(class)
	switch selective := n.Setup.Recovery[class&7] == nic.Selective; {
	case lossy && selective:
		return max(2*p.RTT, min(LeastTimeout, p.RTT+drain))
	case lossy:
		return max(2*p.RTT, LeastTimeout)
	case selective:
		return p.RTT + drain
	}
	return max(LeastTimeout, n.fullTrip(p))
}

// fullTrip is a round trip on a path that finds the memories of all switches full.
func (n *Network) fullTrip(p topo.Path) core.Duration {
	if p.Hops < 2 {
		return p.RTT
	}
	return p.RTT + core.Duration(p.Hops-1)*drainTime(n.memory(), p)
}

// firstTimeout is for a flow of a class and a path whose scheme has time-outs of its own, before it has measured
// a round trip: with FitTimeout, the time of a round trip that finds the longest queue. A time-out that is set applies
// from the start.
func (n *Network) firstTimeout(p topo.Path, class uint8) core.Duration {
	if n.Setup.Profile.RTO != FitTimeout || p.Hops < 2 {
		return 0
	}
	return p.RTT + drainTime(n.longestQueue(class), p)
}

// drops reports whether packets of a class may be dropped for lack of buffer.
func (n *Network) drops(class uint8) bool { return n.Setup.NoPFC || n.Setup.Lossy>>(class&7)&1 != 0 }

// drainTime is what a queue takes at the slowest link of a path.
func drainTime(queue core.Bytes, p topo.Path) core.Duration {
	return min(core.Exact.TxTime(queue, p.Bottleneck), mostDrain/core.Duration(p.Hops))
}

// LongestTimeout is the longest time-out of all flows, for those that run as their schemes have it now.
func (n *Network) LongestTimeout() (most core.Duration) {
	if n.Setup.Profile.RTO == 0 {
		return 0 // no timer runs
	}
	for i := range n.Setup.Flows {
		most = max(most, n.Timeout(i))
		if n.flows[i].state == running {
			most = max(most, n.control(i).Timeout)
		}
	}
	return most
}

// LongestTrip is no less than the longest round trip of all flows on the paths of the start: through empty switches, and
// through full ones. Round trips of profile ns3 leave out headers and acknowledgements, which count here.
func (n *Network) LongestTrip() (empty, full core.Duration) {
	s := n.Setup
	packets := s.MTU + s.Header + max(s.AckHeader, s.MinPacket)
	for i := range s.Flows {
		p := n.first.Pair(s.Flows[i].Src, s.Flows[i].Dst)
		if p.Hops == 0 {
			continue
		}
		send := core.Duration(p.Hops) * core.Exact.TxTime(packets, p.Bottleneck)
		empty, full = max(empty, p.RTT+send), max(full, n.fullTrip(p)+send)
	}
	return empty, full
}

// Timeout is the time-out of flow number i of the set-up.
func (n *Network) Timeout(i int) core.Duration {
	f := &n.Setup.Flows[i]
	return n.timeout(n.first.Pair(f.Src, f.Dst), f.Prio)
}

// FirstTimeout is the time-out of flow number i of the set-up before its scheme has measured a round trip, if that
// has time-outs of its own.
func (n *Network) FirstTimeout(i int) core.Duration {
	f := &n.Setup.Flows[i]
	return n.firstTimeout(n.first.Pair(f.Src, f.Dst), f.Prio)
}

// longestQueue is the most that a switch holds of one class, or at one of its ports if the class is lossy.
func (n *Network) longestQueue(class uint8) core.Bytes {
	s := n.Setup
	switch {
	case n.credits != nil || !n.drops(class) || s.Sharing == switching.Complete:
		return n.memory()
	case s.Sharing == switching.ABM: // first round trips, whose alpha is the largest
		return s.Reserve + s.Buffer/(1+core.Bytes(s.FirstAlpha))*core.Bytes(s.FirstAlpha)
	}
	return s.Reserve + s.Buffer/(1+1<<s.LossyShift)
}

// memory is the most that a switch holds of one class.
func (n *Network) memory() core.Bytes {
	if n.credits == nil {
		return n.Setup.Buffer
	}
	return n.room
}
