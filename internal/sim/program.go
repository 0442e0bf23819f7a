package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// Program is the application of a host, a state machine: it decides when the flows from the host start that are Held. It hears of
// the ends of all flows to and from its host, as a flow does that waits for others (Flow.After): of those that the host
// receives, with the last byte, and of its own, with the last acknowledgement. A flow that has failed is not heard of.
type Program interface {
	// Run tells the program the time, and the number of a flow that has ended; -1: none, it is the time that Run has
	// returned, or time 0, at the beginning. It appends the flows that start now, and returns the time at which it is to run
	// again, core.Never if an end must come first.
	Run(now core.Time, ended int, start []int) (_ []int, next core.Time)
	// Done reports whether nothing is left to do, and the time at which the program did the last thing.
	Done() (at core.Time, done bool)
}

// programs runs those of all hosts, in a network of one part.
type programs struct {
	n     *Network
	id    engine.ProcessID
	due   []core.Time // by node: when its program is to run
	items core.Agenda // nodes; some times no longer hold
	start []int       // room for Program.Run
}

// addPrograms makes all programs begin at time 0.
func (n *Network) addPrograms() {
	if n.Setup.Programs == nil {
		return
	}
	ps := &programs{n: n, due: make([]core.Time, len(n.Setup.Programs))}
	ps.id = n.parts[0].engine.AddProcess(ps)
	n.programs = ps
	for node, p := range n.Setup.Programs {
		if ps.due[node] = core.Never; p != nil {
			ps.set(core.NodeID(node), 0)
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
		ps.n.parts[0].engine.ScheduleProcess(ps.id, ps.items.First().At)
	}
}

// tell runs the program of a node, which has learned that a flow has ended; -1: none.
func (ps *programs) tell(node core.NodeID, flow int) {
	if ps == nil || ps.n.Setup.Programs[node] == nil {
		return
	}
	now := ps.n.Now()
	var next core.Time
	ps.start, next = ps.n.Setup.Programs[node].Run(now, flow, ps.start[:0])
	for _, f := range ps.start {
		ps.n.loop.later(f, now)
	}
	ps.set(node, next)
}

// Run implements engine.Process: in the order of scheduling once at each distinct time, otherwise for each program.
func (ps *programs) Run(now core.Time) {
	for again := true; again && ps.pending() && ps.items.First().At <= now; {
		node := core.NodeID(ps.items.Pop().Of)
		ps.due[node] = core.Never
		ps.tell(node, -1)
		again = ps.n.Setup.Profile.InOrder()
	}
	switch {
	case ps.pending():
		ps.n.parts[0].engine.ScheduleProcess(ps.id, ps.items.First().At)
	case ps.n.allEnded():
		ps.n.loop.done()
	}
}

// pending reports whether a program is to run at a time, and forgets times that no longer hold.
func (ps *programs) pending() bool {
	if ps == nil {
		return false
	}
	for ps.items.Len() > 0 && ps.due[ps.items.First().Of] != ps.items.First().At {
		ps.items.Pop()
	}
	return ps.items.Len() > 0
}
