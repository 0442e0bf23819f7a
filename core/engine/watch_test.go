package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// looker notes the times of its looks and how many events it has seen, and may halt the run.
type looker struct {
	every core.Time
	last  core.Time // time of the look that halts the run; 0: none
	e     *Engine
	seen  *int
	looks []core.Time
	saw   []int
}

func (l *looker) Look(now core.Time) core.Time {
	if l.e.Now() != now {
		panic("a look at another time")
	}
	l.looks, l.saw = append(l.looks, now), append(l.saw, *l.seen)
	if l.last != 0 && now >= l.last {
		l.e.Halt()
	}
	return now + l.every
}

// A watcher sees the state before the events of its time, up to the last event. It changes neither
// the count of events, nor when the engine is idle, nor the current time.
func TestWatch(t *testing.T) {
	for _, order := range []Order{ByEntity, BySchedule} {
		e := New(order, core.NewPool(0), nil)
		seen := 0
		times := []core.Time{5, 10, 10, 32}
		for _, at := range times {
			e.ScheduleProcess(e.AddProcess(act(func(core.Time) { seen++ })), at)
		}
		l := &looker{every: 10, e: e, seen: &seen}
		e.Watch(l, 10)
		if n := e.Run(core.Never, 100); n != 4 || e.Now() != 32 || !e.Idle() || e.Events() != 4 {
			t.Errorf("%d events run, %d counted, now %d, idle %v", n, e.Events(), e.Now(), e.Idle())
		}
		if !slices.Equal(l.looks, []core.Time{10, 20, 30}) || !slices.Equal(l.saw, []int{1, 3, 3}) {
			t.Errorf("looks at %d after %d events", l.looks, l.saw)
		}
		e.Watch(l, 33)
		if e.Run(60, 100); e.Now() != 60 || !slices.Equal(l.looks[3:], []core.Time{33, 43, 53}) {
			t.Errorf("without events until 60: now %d, looks at %d", e.Now(), l.looks[3:])
		}
	}
}

// A beat and a watch that begin during a run come before the events that follow.
func TestBeginDuringARun(t *testing.T) {
	for begin, want := range map[string]string{"beat": "[beat 30ps event 40ps beat 60ps]", "watch": "[look 30ps event 40ps look 60ps]"} {
		e := New(ByEntity, core.NewPool(0), nil)
		var got []string
		note := func(what string, now core.Time) { got = append(got, fmt.Sprint(what, " ", now)) }
		e.ScheduleProcess(e.AddProcess(act(func(core.Time) {
			if begin == "beat" {
				e.Beat(act(func(now core.Time) { note("beat", now) }), 30, 30, 90)
			} else {
				e.Watch(lookout(func(now core.Time) core.Time { note("look", now); return now + 30 }), 30)
			}
		})), 10)
		e.ScheduleProcess(e.AddProcess(act(func(now core.Time) { note("event", now) })), 40)
		if e.Run(80, 100); fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", begin, got, want)
		}
	}
}

// A look that halts the run is the last one: nothing more is seen or happens until Run goes on, with one part or
// several.
func TestHaltInALook(t *testing.T) {
	for _, event := range []core.Time{55, core.Never} {
		e := New(ByEntity, core.NewPool(0), nil)
		seen := 0
		if event != core.Never {
			e.ScheduleProcess(e.AddProcess(act(func(core.Time) { seen++ })), event)
		}
		l := &looker{every: 10, e: e, seen: &seen, last: 20}
		e.Watch(l, 10)
		if e.Run(100, 100); e.Now() != 20 || seen != 0 || !slices.Equal(l.looks, []core.Time{10, 20}) {
			t.Errorf("event at %v: now %v, %d events, looks at %v", event, e.Now(), seen, l.looks)
		}
		l.last = core.Never
		if e.Run(50, 100); e.Now() != 50 || !slices.Equal(l.looks[2:], []core.Time{30, 40, 50}) {
			t.Errorf("event at %v, gone on: now %v, looks at %v", event, e.Now(), l.looks)
		}
	}
}

// A run that ends since it has run as many events as it may ends with the last of them: what comes later, be it events,
// beats or looks, is left to the next run.
func TestRunOfFewEvents(t *testing.T) {
	for _, order := range []Order{ByEntity, BySchedule} {
		e := New(order, core.NewPool(0), nil)
		seen, beats := 0, 0
		for _, at := range []core.Time{10, 20, 30} {
			e.ScheduleProcess(e.AddProcess(act(func(core.Time) { seen++ })), at)
		}
		e.Beat(act(func(core.Time) { beats++ }), 5, 10, 100)
		l := &looker{every: 10, e: e, seen: &seen}
		e.Watch(l, 7)
		if n := e.Run(60, 2); n != 2 || e.Now() != 20 || seen != 2 || beats != 2 || !slices.Equal(l.looks, []core.Time{7, 17}) {
			t.Errorf("order %d: %d events, now %v, %d beats, looks at %v", order, n, e.Now(), beats, l.looks)
		}
		if n := e.Run(60, 2); n != 1 || e.Now() != 60 || seen != 3 || beats != 6 || !slices.Equal(l.looks[2:], []core.Time{27, 37, 47, 57}) {
			t.Errorf("order %d, gone on: %d events, now %v, %d beats, looks at %v", order, n, e.Now(), beats, l.looks)
		}
	}
}

// A watcher of several parts looks, like one of a single part, until the time to which they run, also when no events are left,
// and not beyond the last event if there is no such time.
func TestWatchOfParts(t *testing.T) {
	for _, cut := range [][]uint8{{0, 0}, {0, 1}} {
		for until, want := range map[core.Time]string{300: "[20ps 90ps 160ps 230ps 300ps]", 299: "[20ps 90ps 160ps 230ps]", core.Never: "[20ps 90ps]"} {
			pools := []*core.Pool{core.NewPool(0), core.NewPool(0)}[:1+cut[1]]
			g := NewGroup(ByEntity, 1, pools, []int{1, 1}, cut)
			g.Connect(0, 1, 100)
			var looks []core.Time
			g.Watch(lookout(func(now core.Time) core.Time {
				if g.Now() != now {
					t.Errorf("parts %v: a look at %v, and it is %v", cut, now, g.Now())
				}
				looks = append(looks, now)
				return now + 70
			}), 20)
			g.Of(0).Attach(0, idler{})
			g.Of(1).Attach(1, idler{})
			for id, at := range []core.Time{89, 100} { // the first is just before a look
				g.Of(core.NodeID(id)).Turn().SetWake(0, at)
				g.Of(core.NodeID(id)).CarryOut(core.NodeID(id))
			}
			if g.Run(until, 100); fmt.Sprint(looks) != want {
				t.Errorf("parts %v, until %v: looks at %v, want %s", cut, until, looks, want)
			}
		}
	}
}

// lookout is a watcher.
type lookout func(now core.Time) (next core.Time)

// Look implements Watcher.
func (l lookout) Look(now core.Time) core.Time { return l(now) }
