package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// addProcesses makes the engine the network's loop and registers what happens at given times. The
// order is that of the reference's set-up: first flow, link failure, samples, end of the run.
func (n *Network) addProcesses() {
	s, e := n.Setup, n.parts[0].engine
	n.loop = ownLoop{n}
	links := n.addLinkEvents()
	for _, p := range n.parts {
		p.addLine()
	}
	n.addStarters()
	if s.ClosedLoop {
		n.added = &waitLine{part: n.parts[0]}
		n.added.id = e.AddProcess(n.added)
	}
	n.addPrograms()
	if links != nil {
		links.schedule()
	}
	if s.Sampling.Interval > 0 && s.Sampling.Events {
		n.Engine.Beat(func(i int) engine.Process { return &sampler{n.parts[i]} }, s.Sampling.Start, s.Sampling.Interval, s.Sampling.End)
		n.Engine.Solo = n.nextDump
	}
	if s.Profile.InOrder() && s.Stop != core.Never {
		e.ScheduleProcess(e.AddProcess(stopper{n}), s.Stop)
	}
}

// addStarters makes flows start: in the order of scheduling all of them by one process.
func (n *Network) addStarters() {
	if n.Setup.Profile.InOrder() {
		n.addStarter(n.parts[0], func(core.NodeID) bool { return true })
		return
	}
	for _, p := range n.parts {
		n.addStarter(p, func(src core.NodeID) bool { return n.partOf(src) == p })
	}
}

// addStarter gives a part the process that starts flows from certain hosts.
func (n *Network) addStarter(p *part, from func(core.NodeID) bool) {
	st := &starter{part: p, from: from, flows: n.Setup.Flows}
	if st.skip(); st.next == len(st.flows) {
		return
	}
	st.id = p.engine.AddProcess(st)
	if n.Setup.Profile.StartChain {
		st.announce = newChain(p.engine, st.schedule)
		st.open = newChain(p.engine, n.openFlow)
	}
	p.engine.ScheduleProcess(st.id, st.flows[st.next].Start)
}

// starter starts the flows of a part. In the order of scheduling it runs at each distinct start time,
// otherwise for each flow, so that the number of events does not depend on the cut.
type starter struct {
	part           *part
	from           func(src core.NodeID) bool
	flows          []Flow // of the set-up, without those added later
	id             engine.ProcessID
	next           int
	announce, open *chain
}

// Run implements engine.Process.
func (st *starter) Run(now core.Time) {
	n, flows := st.part.n, st.flows
	for again := true; again && st.next < len(flows) && flows[st.next].Start <= now; st.skip() {
		if st.announce != nil {
			st.announce.push(now, st.next)
		} else {
			n.openFlow(st.next)
		}
		st.next++
		again = n.Setup.Profile.InOrder()
	}
	if st.next < len(flows) {
		st.part.engine.ScheduleProcess(st.id, flows[st.next].Start)
	}
}

// skip passes over flows from other hosts, and those that the end of another flow or a program starts.
func (st *starter) skip() {
	for st.next < len(st.flows) && (st.flows[st.next].waits() || !st.from(st.flows[st.next].Src)) {
		st.next++
	}
}

// schedule is the second event of a start: it schedules the third.
func (st *starter) schedule(flow int) { st.open.push(st.part.now(), flow) }

// chain is a process that hands over items one event each, in the order in which they were
// pushed: every item takes a place in the order of scheduling when it is pushed.
type chain struct {
	e     *engine.Engine
	id    engine.ProcessID
	items core.Ring[chainItem]
	do    func(flow int)
}

type chainItem struct {
	at    core.Time
	place uint64
	flow  int
}

func newChain(e *engine.Engine, do func(int)) *chain {
	c := &chain{e: e, do: do}
	c.id = e.AddProcess(c)
	return c
}

func (c *chain) push(at core.Time, flow int) {
	c.items.Push(chainItem{at, c.e.Reserve(), flow})
	if c.items.Len() == 1 {
		c.schedule()
	}
}

func (c *chain) schedule() {
	f := c.items.Front()
	c.e.ScheduleReserved(c.id, f.at, f.place, c.e.Now())
}

// Run implements engine.Process.
func (c *chain) Run(core.Time) {
	flow := c.items.Pop().flow
	if c.items.Len() > 0 {
		c.schedule()
	}
	c.do(flow)
}

// linkEvents takes links down and up. In the order of entities it comes before other processes.
type linkEvents struct {
	n    *Network
	id   engine.ProcessID
	next int
}

// addLinkEvents adds the process, if links change. Several parts meet for it.
func (n *Network) addLinkEvents() *linkEvents {
	if len(n.Setup.Links) == 0 {
		return nil
	}
	ev := &linkEvents{n: n}
	ev.id = n.parts[0].engine.AddProcess(ev)
	n.Engine.Solo = ev.due
	return ev
}

// due is when a link changes next; core.Never if none does.
func (ev *linkEvents) due() core.Time {
	if ev.next == len(ev.n.Setup.Links) {
		return core.Never
	}
	return ev.n.Setup.Links[ev.next].At
}

// schedule makes the process run when a link changes next.
func (ev *linkEvents) schedule() {
	if due := ev.due(); due != core.Never {
		ev.n.parts[0].engine.ScheduleProcess(ev.id, due)
	}
}

// Run implements engine.Process.
func (ev *linkEvents) Run(now core.Time) {
	links := ev.n.Setup.Links
	first := ev.next
	for ; ev.next < len(links) && links[ev.next].At <= now; ev.next++ {
		ev.n.linkUp[links[ev.next].Link] = links[ev.next].Up
	}
	ev.n.linksChanged(links[first:ev.next])
	ev.schedule()
}

// stopper ends the run before what the run itself has scheduled for the same time.
type stopper struct{ n *Network }

// Run implements engine.Process.
func (st stopper) Run(core.Time) { st.n.Halt() }

// sampler takes the samples of a part's queues that are events.
type sampler struct{ part *part }

// Run implements engine.Process.
func (sm *sampler) Run(now core.Time) {
	sm.part.samples++
	n := sm.part.n
	dump := int64(n.Setup.Sampling.Dump)
	if last := n.parts[len(n.parts)-1]; sm.part == last && dump > 0 && int64(now)%dump == 0 {
		n.observer.QueueDump(now, n)
	}
}

// nextDump returns a time before which no histograms are dumped.
func (n *Network) nextDump() core.Time {
	s := &n.Setup.Sampling
	sample := s.Start.Add(core.Duration(n.parts[0].samples) * s.Interval)
	if s.Dump == 0 || sample > s.End {
		return core.Never
	}
	late := core.Duration(sample) % s.Dump
	if late == 0 {
		return sample
	}
	return sample.Add(s.Dump - late)
}
