package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Parts run in parallel only as long as the run is sure not to end, which is known when they meet. A run without a
// set end cannot end before all flows have started, and hosts have sent and received everything.

// lasts returns a time until which the run cannot end, and how many hosts and flows it has looked at.
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
			lasts, pairs := h.MinDrainTimeOfAll()
			longest, looks = max(longest, lasts), looks+1+pairs
		}
	}
	bound := n.Engine.Bound() // parts may have reached different times: Now is that of the foremost
	n.arrears = slices.Grow(n.arrears[:0], len(n.hosts))[:len(n.hosts)]
	clear(n.arrears)
	for _, p := range n.parts {
		p.running = slices.DeleteFunc(p.running, func(i int32) bool { return n.flows[i].state != running })
		for _, i := range p.running {
			longest = max(longest, n.lastsFor(int(i)))
		}
		if looks += len(p.running); p.line.items.Len() > 0 {
			longest = max(longest, p.line.items.First().At.Sub(bound))
		}
		if p.programs.pending() {
			longest = max(longest, p.programs.items.First().At.Sub(bound))
		}
	}
	longest = max(longest, n.unopenedLast())
	for host, a := range n.arrears {
		if a.bytes > 0 {
			longest = max(longest, min(a.patience, n.linksTake(core.NodeID(host), a.bytes)))
		}
	}
	return bound.Add(longest) - 1, looks
}

// arrears is what a host still has to receive.
type arrears struct {
	bytes    int64
	patience core.Duration // none of their flows is given up sooner
}

// lastsFor returns a time for which a flow that runs, and those that wait for it, are sure to last, and adds what is left of
// it to the arrears of its destination.
func (n *Network) lastsFor(i int) core.Duration {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	unsent, patience := n.hosts[f.Src].MinDrainTime(st.qp)
	if left := f.Bytes - n.hosts[f.Dst].ReceivedLimit(st.dstQP); left > 0 && patience > 0 {
		a := &n.arrears[f.Dst]
		if a.bytes == 0 {
			a.patience = patience
		}
		a.bytes, a.patience = a.bytes+left, min(a.patience, patience)
	}
	if st.received {
		return 0 // those that wait for it at its destination need not any longer, and nothing of it is unsent
	}
	return min(patience, unsent+n.followers.after(i))
}

// linksTake is the time that the links to a host take for a number of message bytes, except for two packets each: one has
// partly arrived, and another has partly left.
func (n *Network) linksTake(host core.NodeID, bytes int64) core.Duration {
	bytes -= 2 * int64(n.Setup.MTU) * int64(len(n.ports[host]))
	return n.Setup.Profile.Timing.TxTime(core.Bytes(max(0, bytes)), n.rateOf(host))
}

// rateOf is that of all links to a host together.
func (n *Network) rateOf(host core.NodeID) (rate core.Rate) {
	for _, p := range n.ports[host] {
		rate += n.Setup.Topology.Links[p.Link].Rate
	}
	return rate
}
