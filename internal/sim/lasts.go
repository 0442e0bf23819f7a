package sim

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Parts run side by side only as long as the run is sure not to be over, which is known when they meet. A run without a
// set end is not, before all flows have started, hosts have sent all that they have to send, and have received all.

// lasts returns a time up to which the run cannot be over, and at how many hosts and flows it has looked.
func (n *Network) lasts() (until core.Time, looks int) {
	if n.Setup.Stop != core.Never {
		return core.Never, 0
	}
	if n.last >= 0 && n.flows[n.last].state == waiting {
		return n.Setup.Flows[n.last].Start - 1, 0
	}
	longest := core.Duration(0)
	for _, h := range n.hosts {
		if h != nil {
			lasts, pairs := h.LastsInAll()
			longest, looks = max(longest, lasts), looks+1+pairs
		}
	}
	bound := n.Engine.Bound() // parts may stand apart: Now is that of the foremost
	for _, p := range n.parts {
		p.running = slices.DeleteFunc(p.running, func(i int32) bool { return n.flows[i].state != running })
		for _, i := range p.running {
			longest = max(longest, n.lastsFor(int(i)))
		}
		if looks += len(p.running); p.line.Len() > 0 {
			longest = max(longest, p.line.items[0].at.Sub(bound))
		}
	}
	return bound.Add(max(longest, n.receiving())) - 1, looks
}

// lastsFor returns a time for which a flow that runs, and those that wait for it, are sure to last.
func (n *Network) lastsFor(i int) core.Duration {
	unsent, patience := n.hosts[n.Setup.Flows[i].Src].Lasts(n.flows[i].qp)
	return min(patience, unsent+n.followers.after(i))
}

// arrears is what a host is to receive of flows that are not given up within a time.
type arrears struct {
	bytes    int64
	patience core.Duration
}

// receiving returns a time within which no host can have received all that it is to receive: the longest of all hosts.
func (n *Network) receiving() (longest core.Duration) {
	if n.arrears == nil {
		n.arrears = make([]arrears, len(n.hosts))
	}
	for i := range n.arrears {
		n.arrears[i] = arrears{0, math.MaxInt64}
	}
	for _, p := range n.parts {
		for _, i := range p.running {
			f := &n.Setup.Flows[i]
			left := f.Bytes - n.hosts[f.Dst].MayHave(n.flows[i].dstQP)
			_, patience := n.hosts[f.Src].Lasts(n.flows[i].qp)
			if a := &n.arrears[f.Dst]; left > 0 && patience > 0 {
				a.bytes, a.patience = a.bytes+left, min(a.patience, patience)
			}
		}
	}
	for node, a := range n.arrears {
		if a.bytes > 0 {
			longest = max(longest, min(a.patience, n.linksTake(core.NodeID(node), a.bytes)))
		}
	}
	return longest
}

// linksTake is the time that the links to a host take for so many bytes of messages, but for two packets each: one has
// arrived in part, and of another a part has left.
func (n *Network) linksTake(host core.NodeID, bytes int64) core.Duration {
	var rate core.Rate
	for _, p := range n.ports[host] {
		rate += n.Setup.Topology.Links[p.Link].Rate
		bytes -= 2 * int64(n.Setup.MTU)
	}
	return n.Setup.Profile.Timing.TxTime(core.Bytes(max(0, bytes)), rate)
}
