package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// addProcesses makes the engine the network's loop and registers what happens at given times. The order is that of the reference's
// set-up: first flow, link failure, samples.
func (n *Network) addProcesses() {
	s := n.Setup
	w := &ownLoop{Engine: n.Engine, n: n}
	n.loop = w
	if len(n.followers) > 0 {
		w.id = n.Engine.AddProcess(w)
	}
	if len(s.Flows) > 0 {
		st := &starter{n: n}
		st.id = n.Engine.AddProcess(st)
		if s.Profile.StartChain {
			st.announce = newChain(n.Engine, st.schedule)
			st.open = newChain(n.Engine, n.openFlow)
		}
		n.Engine.ScheduleProcess(st.id, s.Flows[0].Start)
	}
	if len(s.Links) > 0 {
		ev := &linkEvents{n: n}
		ev.id = n.Engine.AddProcess(ev)
		n.Engine.ScheduleProcess(ev.id, s.Links[0].At)
	}
	if s.Sampling.Interval > 0 && s.Sampling.Events {
		n.Engine.Beat(&sampler{n}, s.Sampling.Start, s.Sampling.Interval, s.Sampling.End)
	}
}

// starter starts the flows: it runs at each distinct start time.
type starter struct {
	n              *Network
	id             engine.ProcessID
	next           int
	announce, open *chain
}

// Run implements engine.Process.
func (st *starter) Run(now core.Time) {
	flows := st.n.Setup.Flows
	for ; st.next < len(flows); st.next++ {
		switch f := &flows[st.next]; {
		case f.After != 0: // the end of another flow starts it
		case f.Start > now:
			st.n.Engine.ScheduleProcess(st.id, f.Start)
			return
		case st.announce != nil:
			st.announce.push(now, st.next)
		default:
			st.n.openFlow(st.next)
		}
	}
}

// schedule is the second event of a start: it schedules the third.
func (st *starter) schedule(flow int) { st.open.push(st.n.Engine.Now(), flow) }

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

// linkEvents takes links down and up.
type linkEvents struct {
	n    *Network
	id   engine.ProcessID
	next int
}

// Run implements engine.Process.
func (ev *linkEvents) Run(now core.Time) {
	links := ev.n.Setup.Links
	first := ev.next
	for ; ev.next < len(links) && links[ev.next].At <= now; ev.next++ {
		ev.n.linkUp[links[ev.next].Link] = links[ev.next].Up
	}
	ev.n.linksChanged(links[first:ev.next])
	if ev.next < len(links) {
		ev.n.Engine.ScheduleProcess(ev.id, links[ev.next].At)
	}
}

// sampler takes the queue samples that are events.
type sampler struct{ n *Network }

// Run implements engine.Process.
func (sm *sampler) Run(now core.Time) { sm.n.sample(now) }

// sample takes a sample of all queues, and dumps the histograms if it is time.
func (n *Network) sample(now core.Time) {
	n.samples++
	if dump := n.Setup.Sampling.Dump; dump > 0 && int64(now)%int64(dump) == 0 {
		n.observer.QueueDump(now, n)
	}
}
