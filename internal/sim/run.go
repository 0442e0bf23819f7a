package sim

import "github.com/qbb-sim/qbb/core"

// Step runs up to the given number of events, none later than until, and reports whether the run
// continues.
func (n *Network) Step(until core.Time, events int) bool {
	limit := min(until, n.Setup.Stop)
	n.mayGrow = n.Setup.ClosedLoop && until != core.Never
	came := n.Came()
	ran := n.Engine.Run(limit, events)
	over := n.over()
	if over {
		n.Settle()
	} else {
		n.meet(n.Engine.Bound()) // parts that have run enough events may stop apart
	}
	n.takeRecords()
	switch {
	case over:
		return false
	case ran >= events, n.Came() > came:
		return true
	}
	// A run with a set end goes on until then even if nothing happens: so do its clock and samples.
	return limit < n.Setup.Stop && (n.Setup.Stop != core.Never || n.mayGrow || !n.Engine.Idle())
}

// Settle tells the observer of all that has happened. Before the end of a run that is cut into parts, Step holds
// back what some of them have not reached.
func (n *Network) Settle() { n.meet(core.Never) }

// action carries out an action of a node that the engine leaves to the network.
func (p *part) action(node core.NodeID, a *core.Action) {
	switch a.Kind {
	case core.FlowDone:
		p.flowEnded(int(a.Flow), finished)
	case core.FlowFailed:
		p.flowEnded(int(a.Flow), failed)
	case core.FlowReceived:
		p.received(node, a.Flow)
	case core.Dropped:
		p.dropped++
		if p.n.Setup.Profile.ForgetReceiver && len(p.n.parts) > 1 {
			p.engine.RunAlone() // packets will be sent again, and meet a receiver that has been forgotten or not
		}
	case core.Paused, core.Resumed:
		p.tell(&news{at: p.now(), kind: pauseReceived, pause: PauseRecord{
			At: p.now(), Node: node, Switch: p.n.switches[node] != nil,
			Port: int(a.Port), Classes: a.Class, Pause: a.Kind == core.Paused,
		}})
	}
}
