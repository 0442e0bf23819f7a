package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// loop is what moves a network on.
type loop interface {
	Now() core.Time
	// later starts a flow that has waited for another one.
	later(flow int, at core.Time)
	// done says that all flows have ended.
	done()
	// expects reports whether flows that have waited for others will start.
	expects() bool
}

// ownLoop is our engines as the loop of a network.
type ownLoop struct{ n *Network }

// Now implements loop.
func (w ownLoop) Now() core.Time { return w.n.Engine.Now() }

// later implements loop.
func (w ownLoop) later(flow int, at core.Time) {
	w.n.partOf(w.n.Setup.Flows[flow].Src).line.add(flow, at)
}

// done implements loop.
func (w ownLoop) done() {
	if w.n.Setup.Stop == core.Never && !w.n.mayGrow {
		w.n.parts[0].engine.Halt()
	}
}

// expects implements loop.
func (w ownLoop) expects() bool {
	for _, p := range w.n.parts {
		if p.line.items.Len() > 0 {
			return true
		}
	}
	return w.n.added != nil && w.n.added.items.Len() > 0 || w.n.programsPending()
}

// waitLine starts the flows of a part whose predecessors have ended, or that have been added: by time, then by number, so
// that the order does not depend on which of the predecessors ended first. In the order of scheduling it runs once at
// each distinct time, otherwise for each flow, so that the number of events does not depend on the cut.
type waitLine struct {
	items core.Agenda // flows
	part  *part
	id    engine.ProcessID
}

// addLine gives the part its waitLine.
func (p *part) addLine() {
	p.line = &waitLine{part: p}
	if p.n.followers.first != nil {
		p.line.id = p.engine.AddProcess(p.line)
	}
}

func (w *waitLine) add(flow int, at core.Time) {
	w.items.Add(at, flow)
	w.part.engine.ScheduleProcess(w.id, w.items.First().At)
}

// Run implements engine.Process.
func (w *waitLine) Run(now core.Time) {
	n := w.part.n
	for again := true; again && w.items.Len() > 0 && w.items.First().At <= now; {
		n.openFlow(w.items.Pop().Of)
		again = n.Setup.Profile.InOrder()
	}
	if w.items.Len() > 0 {
		w.part.engine.ScheduleProcess(w.id, w.items.First().At)
	}
}
