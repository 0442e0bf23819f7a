package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// MostTime is the latest end of a run: half of what the clock holds, 53 days, so that what is added to a
// time fits it.
const MostTime = core.Never / 2

// closing ends a run at MostTime.
type closing struct{ n *Network }

// Look implements engine.Watcher.
func (c closing) Look(core.Time) core.Time {
	c.n.Halt()
	return core.Never
}

// watching is somebody who looks at the run, and when.
type watching struct {
	watcher engine.Watcher
	next    core.Time
}

// lookout is the one watcher of the engine: it calls all others.
type lookout struct {
	n   *Network
	all []watching
}

// Watch makes w look at the run at a time, then when it asks to: see engine.Engine.Watch. Of one that
// watches already the next look is moved.
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
