package sim

import (
	"container/heap"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// waitList starts the flows whose predecessors have finished. It is a heap by time, then by
// flow, so that the order does not depend on who finished first.
type waitList struct {
	n     *Network
	id    engine.ProcessID
	items []waitItem
}

type waitItem struct {
	at   core.Time
	flow int
}

// addWaiting registers the flows that wait for others, if there are any.
func (n *Network) addWaiting() {
	for i := range n.Setup.Flows {
		after := int(n.Setup.Flows[i].After)
		if after == 0 {
			continue
		}
		if n.waiting == nil {
			n.waiting = &waitList{n: n}
			n.waiting.id = n.Engine.AddProcess(n.waiting)
			n.followers = make(map[int][]int)
		}
		n.followers[after-1] = append(n.followers[after-1], i)
	}
}

// followersOf starts the flows that waited for flow i, or gives them up if it did not finish.
func (n *Network) followersOf(i int, state flowProgress) {
	list, ok := n.followers[i]
	if !ok {
		return
	}
	for _, f := range list {
		if state == finished {
			heap.Push(n.waiting, waitItem{n.Engine.Now().Add(core.Duration(n.Setup.Flows[f].Start)), f})
			continue
		}
		n.flows[f].state = abandoned
		n.ended++
		n.followersOf(f, abandoned)
	}
	if n.waiting.Len() > 0 {
		n.Engine.ScheduleProcess(n.waiting.id, n.waiting.items[0].at)
	}
}

// Run implements engine.Process.
func (w *waitList) Run(now core.Time) {
	for w.Len() > 0 && w.items[0].at <= now {
		w.n.openFlow(heap.Pop(w).(waitItem).flow)
	}
	if w.Len() > 0 {
		w.n.Engine.ScheduleProcess(w.id, w.items[0].at)
	}
}

// Len implements heap.Interface.
func (w *waitList) Len() int { return len(w.items) }

// Less implements heap.Interface.
func (w *waitList) Less(i, j int) bool {
	a, b := w.items[i], w.items[j]
	return a.at < b.at || a.at == b.at && a.flow < b.flow
}

// Swap implements heap.Interface.
func (w *waitList) Swap(i, j int) { w.items[i], w.items[j] = w.items[j], w.items[i] }

// Push implements heap.Interface.
func (w *waitList) Push(x any) { w.items = append(w.items, x.(waitItem)) }

// Pop implements heap.Interface.
func (w *waitList) Pop() any {
	last := len(w.items) - 1
	x := w.items[last]
	w.items = w.items[:last]
	return x
}
