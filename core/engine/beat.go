package engine

import "github.com/qbb-sim/qbb/core"

// beat is a periodic process. Its place in the order of events is that of a process which schedules
// itself again whenever it runs, but it costs the queue nothing.
type beat struct {
	process Process
	at      core.Time // of the next run; core.Never after the last
	key     uint64
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
}

// runTo runs what comes before the event (at, key).
func (b *beat) runTo(e *Engine, at core.Time, key uint64) {
	for b.at < at || b.at == at && b.at != core.Never && b.key < key {
		e.turn.Now = b.at
		e.events++
		b.process.Run(b.at)
		b.at = b.at.Add(b.every)
		if b.at > b.end {
			b.at = core.Never
			return
		}
		b.place(e)
	}
}
