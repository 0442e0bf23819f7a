package engine

import "github.com/qbb-sim/qbb/core"

// Watcher looks at the run from time to time. It must change nothing that events depend on.
type Watcher interface {
	// Look is called at the time that Watch, or the previous call, named, and returns the next
	// time, which is later.
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
	e.setCalm()
}

// setCalm notes how long events run without the beat, the watch or the end of Run, so that an event needs
// only one comparison for all of them.
func (e *Engine) setCalm() {
	e.calm = min(e.until, e.beat.at-1, e.watch.at-1)
	if e.halted {
		e.calm = -1
	}
}

// catchUp runs what the beat and the watch do before the event (at, key).
func (e *Engine) catchUp(at core.Time, key uint64) {
	e.beat.runTo(e, at, key)
	for at != core.Never && e.watch.at <= at && !e.halted { // never: nothing is left to happen
		e.turn.Now = e.watch.at
		e.watch.at = e.watch.watcher.Look(e.watch.at)
	}
	e.setCalm()
}

// mayRun runs what the beat and the watch do before an event, and reports whether the event is still
// to run.
func (e *Engine) mayRun(ev *entry) bool {
	if e.halted || ev.at > e.until {
		return false
	}
	e.catchUp(ev.at, ev.key)
	return !e.halted
}
