package engine

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Group runs a network that is cut into parts, each of which has an engine, on several threads. What happens is the
// same as with one part.
//
// Parts run in parallel through a window of time that is no longer than the shortest delay of a
// link between two of them: what they send to one another in a window arrives after it. In the order of scheduling
// it is no longer than the shortest delay of any link, and processes run while all parts have met.
type Group struct {
	// Over, if set, reports whether the run has come to its end, after which no event may
	// happen; Lasts returns a time until which it cannot end, and how many things it looked at to find that.
	// With one part, Engine.Halt ends the run instead.
	Over  func() bool
	Lasts func() (until core.Time, looks int)
	// Solo, if set, returns the next time whose events must run one by one; in the order of scheduling, besides those
	// at which a process runs. Then a process of the first part may act on all nodes ([Group.Join]).
	Solo func() core.Time

	parts     []*Engine
	part      []uint8 // by node
	lookahead core.Duration
	watch     watch
	now       core.Time
	crew      *crew
	merger    *merger   // nil: there is one part, or the order is not that of scheduling
	lasting   core.Time // what Lasts has said last
	looks     int       // of Lasts, for which no events have run yet
}

// NewGroup returns a group with the given number of threads, for nodes with the given numbers of ports.
// It has one part for each pool; part says in which one a node is; nil: all in the first.
func NewGroup(order Order, threads int, pools []*core.Pool, portsOfNode []int, part []uint8) *Group {
	if part == nil {
		part = make([]uint8, len(portsOfNode))
	}
	g := &Group{part: part, lookahead: math.MaxInt64, watch: watch{at: core.Never}, lasting: -1}
	whole := New(order, pools[0], portsOfNode)
	for i, pool := range pools {
		e := whole
		if i > 0 {
			e = new(Engine)
			*e = *whole
			e.Pool, e.queue, e.turn.Ended = pool, newQueue(len(e.ports)*slotsPerPort), e.ended
			if order == ByEntity {
				e.seq = new(uint64)
			}
		}
		if len(pools) > 1 {
			e.border = newBorder(pool, len(pools))
		}
		g.parts = append(g.parts, e)
	}
	if len(pools) > 1 && order == BySchedule {
		g.merger = newMerger(g.parts, threads)
		g.lookahead = longestWindow
	}
	g.crew = newCrew(g.parts, threads, g.merger)
	return g
}

// InOrder says what several parts need in the order of scheduling. With draw, a sequence that the whole run shares,
// decisions by chance wait until the parts meet, and are then made in their order; nil: nodes decide at once, each with
// a sequence of its own. told is called after a window in which a part has called Engine.Tell; its argument returns the
// final place for one that Engine.Place has returned in a part during the window.
func (g *Group) InOrder(draw core.Random, told func(final func(part int, place uint64) uint64)) {
	if g.merger == nil {
		return
	}
	g.merger.draw, g.merger.told = draw, told
	for _, e := range g.parts {
		e.defers = draw != nil
	}
}

// Part returns the engine of a part, Of that of a node.
func (g *Group) Part(i int) *Engine { return g.parts[i] }

// Of returns the engine of a node's part.
func (g *Group) Of(node core.NodeID) *Engine { return g.parts[g.part[node]] }

// Join returns the engine of a node's part with the time and the place of the event that runs in the first part. No part
// may be in a window meanwhile.
func (g *Group) Join(node core.NodeID) *Engine {
	e := g.Of(node)
	e.join(g.parts[0])
	return e
}

// SetLink is Engine.SetLink for the whole group, in an event of the first part that runs one by one. How long the run is
// sure to last may change.
func (g *Group) SetLink(a PortID, up bool) {
	g.parts[0].setLink(a, up, g.Join)
	g.lasting = -1
}

// Connect joins two ports by a link with the given propagation delay, which must not be 0 between
// parts.
func (g *Group) Connect(a, b PortID, delay core.Duration) {
	e := g.parts[0] // all share their ports
	e.Connect(a, b, delay)
	pa, pb := g.part[e.links[a].id], g.part[e.links[b].id]
	if pa == pb && g.merger == nil {
		return
	}
	if delay <= 0 {
		panic("engine: a link between parts, or in the order of scheduling any link, without delay")
	}
	g.lookahead = min(g.lookahead, delay)
	if pa != pb {
		e.ports[a].abroad, e.ports[b].abroad = 1+pb, 1+pa
	}
}

// Beat is Engine.Beat for the whole group, with a process for each part: several need the order of scheduling.
func (g *Group) Beat(of func(part int) Process, start core.Time, every core.Duration, end core.Time) {
	first := g.parts[0]
	first.Beat(of(0), start, every, end)
	for i, e := range g.parts[1:] {
		e.beat = first.beat
		e.beat.process, e.beat.twin = of(1+i), true
	}
}

// runBeats runs what the beats of all parts do before the event (at, key).
func (g *Group) runBeats(at core.Time, key uint64) {
	first := &g.parts[0].beat
	for first.before(at, key) {
		g.now = first.at
		for _, e := range g.parts {
			e.beat.run(e)
		}
		if first.at != core.Never {
			first.place(g.parts[0])
		}
		for _, e := range g.parts {
			e.beat.key = first.key
		}
	}
}

// Watch is Engine.Watch for the whole group: all parts have run what is earlier than the look.
func (g *Group) Watch(w Watcher, first core.Time) {
	if len(g.parts) == 1 {
		g.parts[0].Watch(w, first)
		return
	}
	g.watch = watch{w, first}
}

// Now returns the time of the last event.
func (g *Group) Now() core.Time {
	if len(g.parts) == 1 {
		return g.parts[0].Now()
	}
	return g.now
}

// Hops returns the number of packets other than link-level frames that have crossed a link.
func (g *Group) Hops() (n int64) {
	for _, e := range g.parts {
		n += e.hops
	}
	return n
}

// Events returns the number of events that have run.
func (g *Group) Events() (n int64) {
	for _, e := range g.parts {
		n += e.events
	}
	return n
}

// LastSent returns the end of the transmission that ends last of all so far; 0 if there was none.
func (g *Group) LastSent() (last core.Time) {
	ports := g.parts[0].ports // all parts share them
	for i := range ports {
		last = max(last, ports[i].free)
	}
	return last
}

// Idle reports whether nothing is left to happen.
func (g *Group) Idle() bool {
	return !slices.ContainsFunc(g.parts, func(e *Engine) bool { return !e.Idle() })
}

// Still reports whether nothing is left to happen but the beat.
func (g *Group) Still() bool {
	return !slices.ContainsFunc(g.parts, func(e *Engine) bool { return !e.Still() })
}

// Run is Engine.Run, but with several parts it may run more than n events.
func (g *Group) Run(until core.Time, n int) int {
	if len(g.parts) == 1 {
		return g.parts[0].Run(until, n)
	}
	defer g.crew.dismiss()
	ran := 0
	for ran < n && !g.over() {
		next := g.Bound()
		if due := g.watch.at; due <= min(next, until) && min(next, until) != core.Never {
			g.now = due
			g.watch.at = g.watch.watcher.Look(due)
			continue
		}
		if next > until || next == core.Never {
			g.runBeats(until, math.MaxUint64)
			if until != core.Never {
				g.now = max(g.now, until)
			}
			break
		}
		ran += g.runTo(min(until, g.watch.at-1), n-ran)
	}
	return ran
}

func (g *Group) over() bool { return g.Over != nil && g.Over() }

// Bound returns a time before which no event is left.
func (g *Group) Bound() core.Time {
	next := core.Never
	for _, e := range g.parts {
		next = min(next, e.queue.bound())
	}
	return next
}

// runTo runs events up to a time: in parallel as long as the run is sure to last, otherwise one by one. For every look
// of Lasts it runs an event before it asks again.
func (g *Group) runTo(limit core.Time, n int) (ran int) {
	safe := limit
	if g.Lasts != nil {
		if g.looks <= 0 && g.Bound() > g.lasting {
			g.lasting, g.looks = g.Lasts()
		}
		safe = min(safe, g.lasting)
	}
	switch solo := g.solo(); {
	case solo == 0:
		safe = -1
	case g.Bound() > solo: // only the beat is left there
		g.runBeats(solo, math.MaxUint64)
		return 0
	default:
		safe, limit = min(safe, solo-1), min(limit, solo)
	}
	if g.Bound() <= safe {
		ran = g.crew.do(job{limit: safe, events: n, window: g.lookahead})
	} else {
		ran = g.oneByOne(limit, min(n, fewEvents))
	}
	g.looks -= ran
	for _, e := range g.parts {
		g.now = max(g.now, e.turn.Now)
	}
	return ran
}

// solo returns the next time whose events must run one by one; 0: all of them.
func (g *Group) solo() core.Time {
	solo := core.Never
	if g.Solo != nil {
		solo = g.Solo()
	}
	if g.merger == nil {
		return solo
	}
	for _, e := range g.parts {
		if e.alone {
			return 0
		}
		solo = min(solo, e.nextProcess())
	}
	return solo
}

// nextProcess returns the time of the first process that is to run.
func (e *Engine) nextProcess() core.Time {
	next, first := core.Never, len(e.ports)*slotsPerPort
	for i := range e.processes {
		if s := int32(first + i); e.queue.pending(s) {
			next = min(next, e.queue.slots[s].at)
		}
	}
	return next
}

// fewEvents are run one by one before Lasts is asked again, at least.
const fewEvents = 512

// oneByOne runs events in their order.
func (g *Group) oneByOne(limit core.Time, n int) int {
	for i := range n {
		first, of := entry{}, -1
		for k, e := range g.parts {
			if !e.queue.ready(limit) {
				continue
			}
			if f := e.queue.front(); f.at <= limit && (of < 0 || f.before(&first)) {
				first, of = *f, k
			}
		}
		if of < 0 || g.over() {
			return i
		}
		e := g.parts[of]
		g.runBeats(first.at, first.key)
		e.advance(limit, 1)
		g.exchange()
	}
	return n
}

// exchange hands over what the event that has just run, alone, has sent from any part to another.
func (g *Group) exchange() {
	for from, e := range g.parts {
		if e.border.first == core.Never {
			continue
		}
		for k, other := range g.parts {
			other.takeIn(e.border, 0, k, from)
		}
		e.border.fill(0)
	}
}
