package engine

import "github.com/qbb-sim/qbb/core"

// watch looks at the run at equal distances of time. It is no event: nothing waits for it, and
// it has no place in the order.
type watch struct {
	process Process
	at      core.Time // of the next look; core.Never if there is none
	every   core.Duration
}

// Watch makes p run every so often while there are events, before those of the same time. It
// neither counts as an event nor keeps the engine from being idle, and p must change nothing that
// events depend on.
func (e *Engine) Watch(p Process, every core.Duration) {
	e.watch = watch{process: p, at: core.Time(every), every: every}
	e.setDue()
}

// setDue notes when the beat or the watch is next.
func (e *Engine) setDue() { e.due = min(e.beat.at, e.watch.at) }

// catchUp runs what the beat and the watch do before the event (at, key).
func (e *Engine) catchUp(at core.Time, key uint64) {
	e.beat.runTo(e, at, key)
	for at != core.Never && e.watch.at <= at { // never: nothing is left to happen
		e.turn.Now = e.watch.at
		e.watch.process.Run(e.watch.at)
		e.watch.at = e.watch.at.Add(e.watch.every)
	}
	e.setDue()
}
