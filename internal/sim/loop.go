package sim

import (
	"container/heap"

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

// ownLoop is our engine as the loop of a network. It starts the flows whose predecessors have
// finished: a heap by time, then by flow, so that the order does not depend on who finished first.
type ownLoop struct {
	*engine.Engine
	n     *Network
	id    engine.ProcessID
	items []waitItem
}

type waitItem struct {
	at   core.Time
	flow int
}

// later implements loop.
func (w *ownLoop) later(flow int, at core.Time) {
	heap.Push(w, waitItem{at, flow})
	w.ScheduleProcess(w.id, w.items[0].at)
}

// done implements loop.
func (w *ownLoop) done() {
	if w.n.Setup.Stop == core.Never {
		w.Halt()
	}
}

// expects implements loop.
func (w *ownLoop) expects() bool { return w.Len() > 0 }

// Run implements engine.Process.
func (w *ownLoop) Run(now core.Time) {
	for w.Len() > 0 && w.items[0].at <= now {
		w.n.openFlow(heap.Pop(w).(waitItem).flow)
	}
	if w.Len() > 0 {
		w.ScheduleProcess(w.id, w.items[0].at)
	}
}

// Len implements heap.Interface.
func (w *ownLoop) Len() int { return len(w.items) }

// Less implements heap.Interface.
func (w *ownLoop) Less(i, j int) bool {
	a, b := w.items[i], w.items[j]
	return a.at < b.at || a.at == b.at && a.flow < b.flow
}

// Swap implements heap.Interface.
func (w *ownLoop) Swap(i, j int) { w.items[i], w.items[j] = w.items[j], w.items[i] }

// Push implements heap.Interface.
func (w *ownLoop) Push(x any) { w.items = append(w.items, x.(waitItem)) }

// Pop implements heap.Interface.
func (w *ownLoop) Pop() any {
	last := len(w.items) - 1
	x := w.items[last]
	w.items = w.items[:last]
	return x
}
