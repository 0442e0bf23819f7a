package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// Program is the application of a host, a state machine: it decides when the flows from the host start that are Held. It hears of
// the ends of all flows to and from its host, as a flow does that waits for others (Flow.After): of those that the host
// receives, with the last byte, and of its own, with the last acknowledgement. A flow that has failed is not heard of.
type Program interface {
	// Run tells the program the time, and the number of a flow that has ended; -1: none, it is the time that Run has
	// returned, or time 0, at the beginning. It appends the flows that start now, and returns the time at which it is to run
	// again, core.Never if an end must come first. It runs at that time, unless an earlier one is returned meanwhile.
	Run(now core.Time, ended int, start []int) (_ []int, next core.Time)
	// Done reports whether nothing is left to do, and the time at which the program did the last thing.
	Done() (at core.Time, done bool)
	// Spent returns for how long, up to a time that Run has reached, the host has computed, and for how long it has not: since
	// the program began, until it was done.
	Spent(until core.Time) (computing, waiting core.Duration)
}

// programs runs those of a part's hosts.
type programs struct {
	part  *part
	id    engine.ProcessID
	due   []core.Time // by node: when its program is to run
	items core.Agenda // nodes; some times no longer hold, but the first does
	start []int       // room for Program.Run
}

// addPrograms makes all programs begin at time 0.
func (n *Network) addPrograms() {
	if n.Setup.Programs == nil {
		return
	}
	due := make([]core.Time, len(n.Setup.Programs))
	for _, p := range n.parts {
		p.programs = &programs{part: p, due: due}
		p.programs.id = p.engine.AddProcess(p.programs)
	}
	for node, p := range n.Setup.Programs {
		if due[node] = core.Never; p != nil {
			n.partOf(core.NodeID(node)).programs.set(core.NodeID(node), 0)
		}
	}
}

// set makes a program run at a time, instead of at the one before.
func (ps *programs) set(node core.NodeID, at core.Time) {
	if ps.due[node] == at {
		return
	}
	if ps.due[node] = at; at != core.Never {
		ps.items.Add(at, int(node))
	}
	ps.schedule()
}

// schedule makes the process run at the first time that holds, so that it runs once for each time of a program, whatever
// other programs are in its part.
func (ps *programs) schedule() {
	for ps.items.Len() > 0 && ps.due[ps.items.First().Of] != ps.items.First().At {
		ps.items.Pop()
	}
	if ps.pending() {
		ps.part.engine.ScheduleProcess(ps.id, ps.items.First().At)
	}
}

// tell runs the program of a node, which has learned that a flow has ended; -1: none.
func (ps *programs) tell(node core.NodeID, flow int) {
	if ps == nil || ps.part.n.Setup.Programs[node] == nil {
		return
	}
	n, now := ps.part.n, ps.part.now()
	var next core.Time
	ps.start, next = n.Setup.Programs[node].Run(now, flow, ps.start[:0])
	for _, f := range ps.start {
		n.loop.later(f, now)
	}
	ps.set(node, next)
}

// Run implements engine.Process: in the order of scheduling once at each distinct time, otherwise for each program.
func (ps *programs) Run(now core.Time) {
	n := ps.part.n
	for again := true; again && ps.pending() && ps.items.First().At <= now; ps.schedule() {
		node := core.NodeID(ps.items.Pop().Of)
		ps.due[node] = core.Never
		ps.tell(node, -1)
		again = n.Setup.Profile.InOrder()
	}
	if len(n.parts) == 1 && n.allEnded() {
		n.loop.done()
	}
}

// pending reports whether a program is to run at a time.
func (ps *programs) pending() bool { return ps != nil && ps.items.Len() > 0 }

// programsPending reports whether the program of any host is to run at a time.
func (n *Network) programsPending() bool {
	return slices.ContainsFunc(n.parts, func(p *part) bool { return p.programs.pending() })
}
