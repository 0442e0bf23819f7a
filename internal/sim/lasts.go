package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Parts run in parallel only as long as the run is sure not to end, which is known when they meet. A run without a set end
// cannot end before all flows have started, and hosts have sent and received everything. Some of that takes a known time at
// least: the run lasts as long as the longest of these times.

// lasting is what lasts needs, if there are several parts.
type lasting struct {
	missing []load          // by node, of flows that run there: room for minRunTime
	sequels []core.Duration // by flow: see chooseSequels; nil: no flow waits for another
}

// lasts returns a time until which the run cannot end, and how many hosts, queue pairs and flows it has looked at.
func (n *Network) lasts() (until core.Time, looks int) {
	if n.Setup.Stop != core.Never {
		return core.Never, 0
	}
	if n.last >= 0 && n.flows[n.last].state == waiting {
		return n.Setup.Flows[n.last].Start - 1, 0
	}
	now := n.Engine.Bound() // parts may have reached different times: Now is that of the foremost
	send, hosts := n.minSendTime()
	run, flows := n.minRunTime()
	longest := max(send, run, n.minLoadTime(n.missing, 2), n.minLoadTime(n.unopened, 0), n.nextStart().Sub(now))
	return now.Add(longest) - 1, hosts + flows
}

// minSendTime is that of what hosts have to send of flows that have started.
func (n *Network) minSendTime() (longest core.Duration, looks int) {
	for _, h := range n.hosts {
		if h != nil {
			lasts, pairs := h.MinDrainTimeOfAll()
			longest, looks = max(longest, lasts), looks+1+pairs
		}
	}
	return longest, looks
}

// minRunTime is that of the flows that run, each with those that wait for it. It notes what is missing of them at hosts.
func (n *Network) minRunTime() (longest core.Duration, looks int) {
	clear(n.missing)
	for _, p := range n.parts {
		p.running = slices.DeleteFunc(p.running, func(i int32) bool { return n.flows[i].state != running })
		looks += len(p.running)
		for _, i := range p.running {
			f, st := &n.Setup.Flows[i], &n.flows[i]
			if st.received {
				continue // nothing is unsent or missing, and those that wait for it at its destination may be over
			}
			unsent, patience := n.hosts[f.Src].MinDrainTime(st.qp)
			longest = max(longest, min(patience, unsent+n.sequel(int(i))))
			if left := f.Bytes - n.hosts[f.Dst].ReceivedLimit(st.dstQP); left > 0 && patience > 0 {
				n.missing[f.Dst].add(left, patience)
			}
		}
	}
	return longest, looks
}

// nextStart returns a time before which the run cannot end: then a flow that has waited starts, or a program runs; 0: none.
func (n *Network) nextStart() (at core.Time) {
	for _, p := range n.parts {
		if p.line.items.Len() > 0 {
			at = max(at, p.line.items.First().At)
		}
		if p.programs.pending() {
			at = max(at, p.programs.items.First().At)
		}
	}
	return at
}

// load is what the links of a host have to carry in one direction, unless a flow of it is given up.
type load struct {
	bytes    int64
	patience core.Duration // no flow is given up sooner
}

// add adds what is left of a flow.
func (l *load) add(bytes int64, patience core.Duration) {
	if l.bytes > 0 {
		patience = min(patience, l.patience)
	}
	l.bytes, l.patience = l.bytes+bytes, patience
}

// minLoadTime is that of the loads of nodes, except for so many packets of each link: of what is missing, one has partly
// arrived, and another has partly left.
func (n *Network) minLoadTime(loads []load, except int) (longest core.Duration) {
	for node, l := range loads {
		if l.bytes == 0 {
			continue
		}
		rate := core.Rate(0)
		for _, p := range n.ports[node] {
			rate += n.Setup.Topology.Links[p.Link].Rate
		}
		bytes := core.Bytes(l.bytes) - n.Setup.MTU*core.Bytes(except*len(n.ports[node]))
		longest = max(longest, min(l.patience, n.Setup.Profile.Timing.TxTime(max(0, bytes), rate)))
	}
	return longest
}

// unopened is, by node, what hosts have to send of flows that their programs have not started; nil: there are no programs, or
// one part.
type unopened []load

// opened notes that a flow has started.
func (u unopened) opened(f *Flow) {
	if f.Held && u != nil {
		u[f.Src].bytes -= f.Bytes
	}
}

// chooseLasting notes what is known before the run.
func (n *Network) chooseLasting() {
	if len(n.parts) == 1 {
		return
	}
	n.missing = make([]load, len(n.hosts))
	if n.Setup.chained() {
		n.chooseSequels()
	}
	if n.Setup.Programs == nil {
		return
	}
	n.unopened = make(unopened, len(n.hosts))
	for i := range n.Setup.Flows {
		if f := &n.Setup.Flows[i]; f.Held {
			n.unopened[f.Src].add(f.Bytes, n.patience(i))
		}
	}
}

// chooseSequels computes, for every flow, a time for which those that wait for it, and for these, are sure to last once it has
// finished: from the last flow to the first, since none waits for a later one. Nothing is sure about a flow that waits for
// several: another of them may fail.
func (n *Network) chooseSequels() {
	flows := n.Setup.Flows
	n.sequels = make([]core.Duration, len(flows))
	for i := len(flows) - 1; i >= 0; i-- {
		f := &flows[i]
		if len(f.After) != 1 {
			continue
		}
		fastest := core.Rate(0) // port, of which its source may choose
		for _, p := range n.ports[f.Src] {
			fastest = max(fastest, n.Setup.Topology.Links[p.Link].Rate)
		}
		own := n.Setup.Profile.Timing.TxTime(core.Bytes(f.Bytes), fastest)
		lasts := min(n.patience(i), own+n.sequels[i])
		before := &n.sequels[f.After[0]]
		*before = max(*before, min(core.Duration(f.Start)+lasts, core.Duration(MostTime)))
	}
}

// sequel is that of a flow.
func (n *Network) sequel(i int) core.Duration {
	if n.sequels == nil {
		return 0
	}
	return n.sequels[i]
}

// patience is a time within which a flow is not given up after its start.
func (n *Network) patience(i int) core.Duration {
	return nic.Patience(n.Timeout(i), n.Setup.RTOLow, n.Setup.Profile.Retries)
}
