package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// MostTime is the latest end of a run: half of the clock's range, 53 days, so that sums of a time and a
// duration fit it.
const MostTime = core.Never / 2

// closing ends a run at MostTime.
type closing struct{ n *Network }

// Look implements engine.Watcher.
func (c closing) Look(core.Time) core.Time {
	c.n.Halt()
	return core.Never
}

// watching is a watcher and when it looks next.
type watching struct {
	watcher engine.Watcher
	next    core.Time
}

// watchers is the one watcher that the engine has: it calls all of them.
type watchers struct {
	n   *Network
	all []watching
}

// Watch makes w look at the run at a time, then when it asks to: see engine.Engine.Watch. If w already
// watches, its next look is moved.
func (n *Network) Watch(w engine.Watcher, first core.Time) {
	ws := &n.watchers
	ws.n = n
	for i := range ws.all {
		if ws.all[i].watcher == w {
			ws.all[i].next = first
			n.Engine.Watch(ws, ws.next())
			return
		}
	}
	ws.all = append(ws.all, watching{w, first})
	n.Engine.Watch(ws, ws.next())
}

func (ws *watchers) next() core.Time {
	next := core.Never
	for _, w := range ws.all {
		next = min(next, w.next)
	}
	return next
}

// Look implements engine.Watcher.
func (ws *watchers) Look(now core.Time) core.Time {
	ws.n.meet(core.Never)
	for i := range ws.all {
		if w := &ws.all[i]; w.next == now {
			w.next = w.watcher.Look(now)
		}
	}
	return ws.next()
}
