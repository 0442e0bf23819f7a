package engine

import "github.com/qbb-sim/qbb/core"

// Watcher looks at the run from time to time. It must change nothing that events depend on.
type Watcher interface {
	// Look is called at the time that the last call, or Watch, has named, and names the next
	// one, which is later.
	Look(now core.Time) (next core.Time)
}

// watch is a watcher and the time of its next look; core.Never if there is none.
type watch struct {
	watcher Watcher
	at      core.Time
}

// Watch makes w look first at the given time, then when it asks to, while there are events, before
// those of the same time. A look is no event: it is not counted, has no place in the order, and
// does not keep the engine from being idle.
func (e *Engine) Watch(w Watcher, first core.Time) {
	e.watch = watch{w, first}
	e.setDue()
}

// setDue notes when the beat or the watch is next.
func (e *Engine) setDue() { e.due = min(e.beat.at, e.watch.at) }

// catchUp runs what the beat and the watch do before the event (at, key).
func (e *Engine) catchUp(at core.Time, key uint64) {
	e.beat.runTo(e, at, key)
	for at != core.Never && e.watch.at <= at && !e.halted { // never: nothing is left to happen
		e.turn.Now = e.watch.at
		e.watch.at = e.watch.watcher.Look(e.watch.at)
	}
	e.setDue()
}
