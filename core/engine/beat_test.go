package engine

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A beat has the place of a process that schedules itself again whenever it runs: in scheduling order its place is
// taken when it last ran, otherwise it comes before all events of its time. It keeps the engine from being idle until
// its end, at which there is still a beat.
func TestBeat(t *testing.T) {
	for order, want := range map[Order][]string{
		ByEntity:   {"beat 10", "event 10", "beat 20", "event 20", "beat 30"},
		BySchedule: {"event 10", "beat 10", "beat 20", "event 20", "beat 30"},
	} {
		e := New(order, core.NewPool(0), nil)
		var got []string
		note := func(what string) act {
			return func(now core.Time) {
				got = append(got, what+" "+map[core.Time]string{10: "10", 20: "20", 30: "30"}[now])
			}
		}
		e.ScheduleProcess(e.AddProcess(note("event")), 10)
		e.Beat(note("beat"), 10, 10, 30)
		late := e.AddProcess(note("event"))
		e.ScheduleProcess(e.AddProcess(act(func(core.Time) { e.ScheduleProcess(late, 20) })), 15)
		if e.Run(25, 100); e.Idle() || !slices.Equal(got, want[:4]) {
			t.Errorf("order %d: by 25: idle %v, %q, want %q", order, e.Idle(), got, want[:4])
		}
		if e.Run(100, 100); !e.Idle() || !slices.Equal(got, want) || e.Events() != 6 {
			t.Errorf("order %d: idle %v, %d events, %q, want %q", order, e.Idle(), e.Events(), got, want)
		}
	}
	e := New(ByEntity, core.NewPool(0), nil)
	if e.Beat(act(func(core.Time) { t.Error("a beat after its end") }), 10, 10, 9); !e.Idle() {
		t.Error("not idle")
	}
	e.Run(100, 100)
	once := 0
	e.Beat(act(func(core.Time) { once++ }), 110, 10, 110)
	if e.Run(200, 100); once != 1 {
		t.Errorf("%d beats from 110 to 110", once)
	}
}

// A beat stops when the run is halted, and goes on with the run, up to an event at its very end.
func TestBeatOfAHaltedRun(t *testing.T) {
	e := New(ByEntity, core.NewPool(0), nil)
	beats, last := 0, 0
	e.ScheduleProcess(e.AddProcess(act(func(core.Time) { last++ })), 60)
	e.Beat(act(func(core.Time) { beats++ }), 10, 10, 100)
	e.ScheduleProcess(e.AddProcess(act(func(core.Time) { e.Halt() })), 25)
	if n := e.Run(60, 100); n != 1 || beats != 2 || e.Now() != 25 {
		t.Errorf("halted at 25: %d events, %d beats, now %v", n, beats, e.Now())
	}
	if e.Run(60, 100); beats != 6 || last != 1 || e.Now() != 60 {
		t.Errorf("gone on until 60: %d beats, %d events at 60, now %v", beats, last, e.Now())
	}
	if e.Run(50, 100); beats != 6 || e.Now() != 60 {
		t.Errorf("run to a time that is over: %d beats, now %v", beats, e.Now())
	}
}
