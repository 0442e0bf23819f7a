package engine

import "github.com/qbb-sim/qbb/core"

// beat is a periodic process. Its place in the order of events is that of a process which schedules
// itself again whenever it runs, but it costs the queue nothing.
type beat struct {
	process Process
	at      core.Time // of the next run; core.Never after the last
	key     uint64
	twin    bool // another part's counts as the event
	every   core.Duration
	end     core.Time
}

// Beat makes p run at start and then periodically until end, inclusive. An engine has only one beat,
// and p must not schedule anything.
func (e *Engine) Beat(p Process, start core.Time, every core.Duration, end core.Time) {
	if start > end {
		return
	}
	e.beat = beat{process: p, at: start, every: every, end: end}
	e.beat.place(e)
	e.setCalm()
}

// place takes the place in the order of events of the run at b.at.
func (b *beat) place(e *Engine) {
	b.key = rankBeat << 60
	if e.order == BySchedule {
		b.key = e.Reserve()
	}
	if e.page != nil {
		e.page.claim(beatSlot)
	}
}

// runTo runs what comes before the event (at, key).
func (b *beat) runTo(e *Engine, at core.Time, key uint64) {
	for b.before(at, key) {
		b.run(e)
		if b.at != core.Never {
			place := b.key
			b.place(e)
			if e.page != nil {
				e.page.close(e.turn.Now, place)
			}
		}
	}
}

// before reports whether the next run comes before the event (at, key).
func (b *beat) before(at core.Time, key uint64) bool {
	return b.at < at || b.at == at && b.at != core.Never && b.key < key
}

// run makes the process run once. The next run has no place yet.
func (b *beat) run(e *Engine) {
	e.turn.Now = b.at
	if !b.twin {
		e.events++
	}
	b.process.Run(b.at)
	if b.at = b.at.Add(b.every); b.at > b.end {
		b.at = core.Never
	}
}
