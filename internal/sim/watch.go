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

// lookout is the one watcher of the engine: it calls all others.
type lookout struct {
	n   *Network
	all []watching
}

// Watch makes w look at the run at a time, then when it asks to: see engine.Engine.Watch. If w already
// watches, its next look is moved.
func (n *Network) Watch(w engine.Watcher, first core.Time) {
	l := &n.lookout
	l.n = n
	for i := range l.all {
		if l.all[i].watcher == w {
			l.all[i].next = first
			n.Engine.Watch(l, l.next())
			return
		}
	}
	l.all = append(l.all, watching{w, first})
	n.Engine.Watch(l, l.next())
}

func (l *lookout) next() core.Time {
	next := core.Never
	for _, w := range l.all {
		next = min(next, w.next)
	}
	return next
}

// Look implements engine.Watcher.
func (l *lookout) Look(now core.Time) core.Time {
	l.n.meet(core.Never)
	for i := range l.all {
		if w := &l.all[i]; w.next == now {
			w.next = w.watcher.Look(now)
		}
	}
	return l.next()
}
