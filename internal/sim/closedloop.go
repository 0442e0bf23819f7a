package sim

// In a closed loop (Setup.ClosedLoop) the program that moves a run on adds flows while it is under way: those of a model of
// an application, which sends what follows from what has arrived.

// Add adds a flow to a closed loop, between two Steps, and returns its number. It counts as one of the set-up, waits for no
// other one, and does not start before Now.
func (n *Network) Add(f Flow) int {
	if f.Start < n.Now() || len(f.After) > 0 || !n.Setup.ClosedLoop {
		panic("sim: a flow that cannot be added")
	}
	i := n.enlist(f)
	n.added.add(i, f.Start)
	return i
}

// enlist gives a flow the next number.
func (n *Network) enlist(f Flow) int {
	n.Setup.Flows = append(n.Setup.Flows, f)
	n.flows = append(n.flows, flowState{})
	i := len(n.flows) - 1
	n.number(i)
	n.joinConnection(i)
	return i
}

// TakeEnd returns the flow of a closed loop that has ended next, finished or given up, after those that it has returned before;
// false if there is none yet.
func (n *Network) TakeEnd() (flow int, ok bool) {
	if len(n.ends) == 0 {
		return 0, false
	}
	flow = n.ends[0]
	n.ends = n.ends[1:]
	return flow, true
}

// keepEnd keeps the end of a flow for TakeEnd, and ends the present Step if that is wanted.
func (n *Network) keepEnd(flow int) {
	n.ends = append(n.ends, flow)
	if n.BreakAtEnds {
		n.parts[0].engine.Halt()
	}
}

// Halted reports whether the run has ended for good, at its Stop or before: no flow that is added would start.
func (n *Network) Halted() bool { return n.halted || n.Now() >= n.Setup.Stop }

// AwaitsFlows reports whether all flows of a closed loop have ended: others may follow.
func (n *Network) AwaitsFlows() bool { return n.Setup.ClosedLoop && n.Ended() == len(n.flows) }
