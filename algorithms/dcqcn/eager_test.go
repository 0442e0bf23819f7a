package dcqcn

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// eager is the rule as one event per tick, with nothing skipped: the slow twin of sender.
type eager struct {
	p                       *Params
	rate, target, line      core.Rate
	floor, ai, hai          core.Rate
	alpha                   float64
	stage                   int
	first, alphaBit, cutBit bool
	timers                  timers
}

const (
	alphaTimer = iota
	cutTimer
	riseTimer
	nTimers
)

func newEager(f *flow) *eager {
	e := &eager{p: f.p, rate: f.line, target: f.line, line: f.line, floor: f.floor, ai: f.ai, hai: f.hai, first: true}
	e.timers.reset()
	return e
}

func (e *eager) notify(now core.Time) {
	e.alphaBit, e.cutBit = true, true
	if !e.first {
		return
	}
	e.first, e.alphaBit, e.alpha = false, false, 1
	if e.p.Alpha == "fixed10" {
		e.alpha = 1023.0 / 1024
	}
	e.timers.arm(alphaTimer, now, now.Add(e.p.AlphaTimer))
	e.timers.arm(cutTimer, now, now.Add(e.p.DecreaseTimer+core.Nanosecond))
}

func (e *eager) until(now core.Time) {
	for {
		i, at, ok := e.timers.pop(core.Instant{Now: now, Born: core.Never})
		if !ok {
			return
		}
		switch i {
		case alphaTimer:
			e.timers.arm(alphaTimer, at, at.Add(e.p.AlphaTimer))
			e.tick()
		case cutTimer:
			e.timers.arm(cutTimer, at, at.Add(e.p.DecreaseTimer))
			e.cut(at)
		case riseTimer:
			e.timers.arm(riseTimer, at, at.Add(e.p.IncreaseTimer))
			e.rise()
		}
	}
}

func (e *eager) tick() {
	e.alpha = float64((1 - e.p.G) * e.alpha)
	if e.alphaBit {
		e.alpha += e.p.G
	}
	if e.p.Alpha == "fixed10" {
		e.alpha = math.Floor(e.alpha*1024) / 1024
	}
	e.alphaBit = false
}

func (e *eager) cut(at core.Time) {
	if !e.cutBit {
		return
	}
	if e.p.ClampTarget || e.stage != 0 {
		e.target = e.rate
	}
	e.rate = max(e.floor, core.Rate(float64(e.rate)*(1-e.alpha/2)))
	e.stage, e.cutBit = 0, false
	e.timers.arm(riseTimer, at, at.Add(e.p.IncreaseTimer))
}

func (e *eager) rise() {
	switch {
	case e.stage == e.p.FastRecovery:
		e.target = min(e.line, e.target+e.ai)
	case e.stage > e.p.FastRecovery:
		e.target = min(e.line, e.target+e.hai)
	}
	e.rate = e.rate/2 + e.target/2
	e.stage++
}

// timers are the timers of a machine, one event each.
type timers struct{ due, armed [nTimers]core.Time }

func (t *timers) reset() {
	for i := range t.due {
		t.due[i], t.armed[i] = core.Never, core.Never
	}
}

// arm sets timer i to fire at due; now is when that was decided.
func (t *timers) arm(i int, now, due core.Time) { t.due[i], t.armed[i] = due, now }

// pop returns the next timer that fires before the instant, and when it was due, and disarms it. Timers
// due together fire in the order in which they were armed, then by index.
func (t *timers) pop(now core.Instant) (i int, at core.Time, ok bool) {
	for k := range t.due {
		if t.due[k] < t.due[i] || t.due[k] == t.due[i] && t.armed[k] < t.armed[i] {
			i = k
		}
	}
	at = t.due[i]
	if at == core.Never || !now.Fired(at, t.armed[i]) {
		return i, at, false
	}
	t.due[i] = core.Never
	return i, at, true
}
