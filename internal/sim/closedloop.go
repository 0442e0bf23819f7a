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
	n.followers.addQP(i, f.Dst)
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

// Await is what the program that moves on a closed loop waits for.
type Await uint8

// Ends are those of flows, finished or given up: their senders have the last acknowledgement. Arrivals are those of the last
// bytes of flows at their destinations.
const (
	Nothing Await = iota
	Ends
	Arrivals
)

// told are flows of which something is told in its order, once for each.
type told struct {
	flows []int // that have not been taken
	count int   // of all
}

func (t *told) take() (flow int, ok bool) {
	if len(t.flows) == 0 {
		return 0, false
	}
	flow = t.flows[0]
	t.flows = t.flows[1:]
	return flow, true
}

// TakeEnd returns the flow of a closed loop that has ended next, finished or given up, after those that it has returned before;
// false if there is none yet.
func (n *Network) TakeEnd() (flow int, ok bool) { return n.ends.take() }

// TakeArrival returns in the same way the flow whose last byte has arrived next.
func (n *Network) TakeArrival() (flow int, ok bool) { return n.arrived.take() }

// Came counts what BreakAt says.
func (n *Network) Came() int {
	switch n.BreakAt {
	case Ends:
		return n.ends.count
	case Arrivals:
		return n.arrived.count
	}
	return 0
}

// keep keeps a flow to be taken, and ends the present Step if that is wanted.
func (n *Network) keep(t *told, what Await, flow int) {
	t.flows = append(t.flows, flow)
	t.count++
	if n.BreakAt == what {
		n.parts[0].engine.Halt()
	}
}

// Halted reports whether the run has ended for good, at its Stop or before: no flow that is added would start.
func (n *Network) Halted() bool { return n.halted || n.Now() >= n.Setup.Stop }

// AwaitsFlows reports whether all flows of a closed loop have ended: others may follow.
func (n *Network) AwaitsFlows() bool { return n.Setup.ClosedLoop && n.Ended() == len(n.flows) }
