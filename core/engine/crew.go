package engine

import (
	"sync"
	"sync/atomic"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine/barrier"
)

// crew is the threads that run the parts of a group in parallel, window by window. Every thread
// begins a window with its own parts and then runs those that the others have not begun.
type crew struct {
	parts   []*Engine
	merger  *merger // nil: the order is not that of scheduling
	desks   []desk  // by part
	turns   [][]int // by thread: all parts, in the order in which it looks for one to run
	others  sync.WaitGroup
	hired   bool
	job     job
	meeting barrier.Barrier
	least   int  // events of a window for which threads meet
	few     bool // the windows of the last job had fewer
	choice  barrier.Choice
	alone   bool // only the first thread runs the windows of the present job
}

// eventsToMeet is the number of events per thread that is worth a meeting: a few microseconds.
const eventsToMeet = 32

// job is what all threads work on: windows until there is no event up to a limit, or enough have run.
type job struct {
	limit  core.Time
	events int
	window core.Duration
	none   bool // there will be no other job
}

// desk shows the threads whether the window of a part is taken, and the part's notices.
type desk struct {
	taken  atomic.Uint32 // windows of the job
	notice [2]notice     // by window, modulo 2
	_      [8]byte       // a cache line each
}

// notice is what a part reports before a window.
type notice struct {
	next core.Time // there is no earlier event
	ran  int       // events, so far
	last bool      // it must not run apart any more
	tell bool      // the merger has to decide or tell something
	bug  *Bug      // for which it has stopped
}

func newCrew(parts []*Engine, threads int, m *merger) *crew {
	c := &crew{parts: parts, merger: m, desks: make([]desk, len(parts)), turns: make([][]int, min(threads, len(parts)))}
	for thread := range c.turns {
		c.turns[thread] = turns(thread, len(c.turns), len(parts))
	}
	c.meeting.Init(len(c.turns))
	c.least = eventsToMeet * len(c.turns)
	return c
}

// turns returns the parts in the order in which a thread tries them: its own, and then those of the
// others, from their end.
func turns(thread, threads, parts int) (order []int) {
	for d := range threads {
		of := (thread + d) % threads
		first, end := of*parts/threads, (of+1)*parts/threads
		for i := range end - first {
			if d == 0 {
				order = append(order, first+i)
			} else {
				order = append(order, end-1-i)
			}
		}
	}
	return order
}

// do runs events in all parts in parallel and returns how many: at least as many as the job says, if
// there are that many. It panics with a *Bug if one of them panics.
func (c *crew) do(j job) (ran int) {
	for i, e := range c.parts {
		c.desks[i].taken.Store(0)
		c.desks[i].notice[0] = notice{next: e.queue.bound()}
		e.pages[1].clear()
	}
	if c.merger != nil {
		c.merger.bases[0] = *c.merger.seq
	}
	ran, windows := c.share(j)
	if c.merger != nil {
		*c.merger.seq = c.merger.bases[windows&1]
	}
	if bug := c.bug(); bug != nil {
		panic(bug)
	}
	for _, e := range c.parts {
		e.border.fill(1)
		e.border.fill(0)
	}
	return ran
}

// share runs a job, with the other threads unless there is too little for them or one alone is faster, and returns the
// number of events and of windows.
func (c *crew) share(j job) (ran, windows int) {
	switch {
	case len(c.turns) == 1:
		return c.windowsOf(j, true)
	case c.few:
		ran, windows = c.windowsOf(j, true)
	default:
		c.choice.Begin()
		ran, windows = c.windowsOf(j, c.choice.Alone())
		c.choice.End(ran)
	}
	if windows > 0 {
		c.few = ran < c.least*windows
	}
	return ran, windows
}

// windowsOf runs the windows of a job, alone or with the other threads.
func (c *crew) windowsOf(j job, alone bool) (ran, windows int) {
	if c.alone = alone; alone {
		c.job = j
		return c.windows(0)
	}
	c.hire()
	c.job = j
	c.meeting.Attend()
	defer c.meeting.Attend()
	return c.windows(0)
}

// hire starts the other threads, dismiss ends them.
func (c *crew) hire() {
	if c.hired {
		return
	}
	c.hired = true
	for thread := 1; thread < len(c.turns); thread++ {
		c.others.Go(func() { c.work(thread) })
	}
}

func (c *crew) dismiss() {
	if !c.hired {
		return
	}
	c.hired = false
	c.job = job{none: true}
	c.meeting.Attend()
	c.others.Wait()
}

// work is what every thread except the first does: a job from one meeting to the next.
func (c *crew) work(thread int) {
	for c.meeting.Attend(); !c.job.none; c.meeting.Attend() {
		c.windows(thread)
		c.meeting.Attend()
	}
}

// windows takes part, as one of the threads, in every window of the job, and returns the number of
// events that all parts have run, and of windows.
func (c *crew) windows(thread int) (ran, windows int) {
	for window := uint32(0); ; window++ {
		lot := int(window & 1)
		next, ran, last := c.read(lot)
		over := last || next > c.job.limit || ran >= c.job.events
		end := c.job.limit
		if end.Sub(next) >= c.job.window {
			end = next.Add(c.job.window) - 1
		}
		for _, part := range c.turns[thread] {
			if !c.desks[part].taken.CompareAndSwap(window, window+1) {
				continue
			}
			c.serve(part, lot, next, end, over)
		}
		if over {
			return ran, int(window)
		}
		c.meet()
		if c.merger != nil {
			c.merge(thread, lot)
		}
	}
}

// meet waits for the other threads, if they take part.
func (c *crew) meet() {
	if !c.alone {
		c.meeting.Attend()
	}
}

// read sums up the notices of a window, and reports whether it is the last one of the job.
func (c *crew) read(lot int) (next core.Time, ran int, last bool) {
	next, last = core.Never, c.merger.bug() != nil
	for i := range c.desks {
		n := &c.desks[i].notice[lot]
		next, ran, last = min(next, n.next), ran+n.ran, last || n.last || n.bug != nil
	}
	return next, ran, last
}

// merge merges, with the other threads, what all parts have noted of a window, unless one has failed.
func (c *crew) merge(thread, lot int) {
	tell := false
	for i := range c.desks {
		n := &c.desks[i].notice[lot^1]
		if tell = tell || n.tell; n.bug != nil {
			return
		}
	}
	of := len(c.turns)
	if c.alone {
		of = 1
	}
	c.merger.merge(lot, thread, of)
	c.meet()
	if !tell || c.merger.bug() != nil {
		return
	}
	if thread == 0 {
		c.decide(lot)
	}
	c.meet()
}

func (c *crew) decide(lot int) {
	defer catch(&c.desks[0].notice[lot^1].bug)
	c.merger.decide(lot)
}

// takeIn gives a part what the others have sent to it in a lot.
func (c *crew) takeIn(part, lot int) {
	for other, from := range c.parts {
		if other != part {
			if c.merger != nil {
				from.resolve(lot, part)
			}
			c.parts[part].takeIn(from.border, lot, part, other)
		}
	}
}

// serve does a part's work in a window; over: it is the window that ends the job.
func (c *crew) serve(part, lot int, begin, end core.Time, over bool) {
	defer catch(&c.desks[part].notice[lot^1].bug)
	if c.merger != nil {
		if over && c.bug() != nil {
			return // nothing has been merged
		}
		c.parts[part].settle(lot ^ 1)
	}
	c.takeIn(part, lot^1)
	if !over {
		c.run(part, lot, begin, end)
	}
}

// run runs a part through a window; what it sends to others goes into a lot.
func (c *crew) run(part, lot int, begin, end core.Time) {
	e, d := c.parts[part], &c.desks[part]
	e.border.fill(lot)
	ran := 0
	if c.merger == nil {
		ran = e.advance(end, c.job.events)
	} else {
		ran = e.advanceApart(begin, end, lot)
	}
	d.notice[lot^1] = notice{next: min(e.queue.bound(), e.border.first), ran: d.notice[lot].ran + ran, last: e.alone, tell: e.tells || len(e.pages[lot].draws) > 0}
}
