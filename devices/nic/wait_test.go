package nic_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A port waits only while nothing but a pause keeps it from sending: lack of a window or of data is
// not waiting.
func TestWaited(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.open(200, nic.Flow{Size: 2000, Prio: 3, Window: 1000})
	waited := func(nanos int64) core.Duration {
		c, g := r.h.Counters(0, core.AtNanos(nanos)), r.h.Gauge(0, core.AtNanos(nanos))
		if g.Waited != c.Waited {
			t.Errorf("the gauge shows %v, the counter %v", g.Waited, c.Waited)
		}
		return c.Waited
	}
	if got := waited(500); got != 300*core.Nanosecond {
		t.Errorf("waited %v while paused, want 300ns", got)
	}
	r.arrive(700, 0, r.Pause(3, 0, false))
	if got := waited(5000); got != 500*core.Nanosecond {
		t.Errorf("waited %v in all, want 500ns", got)
	}
	r.arrive(6000, 0, r.Pause(3, 0, true))  // the window is full: nothing waits for this pause
	r.arrive(7000, 0, r.Pause(5, 0, false)) // a reason to look
	if got := waited(8000); got != 500*core.Nanosecond {
		t.Errorf("waited %v with a full window, want 500ns", got)
	}
	r.arrive(9000, 0, r.ack(0, 1000, core.Ack))
	if got := waited(9400); got != 900*core.Nanosecond {
		t.Errorf("waited %v once the window is open again, want 900ns", got)
	}
	r.arrive(10_000, 0, r.Pause(3, 0, false))
	r.arrive(20_000, 0, r.ack(0, 2000, core.Ack))
	if got := waited(30_000); got != 1500*core.Nanosecond {
		t.Errorf("waited %v in all, want 1.5us", got)
	}
}

// If a pause stops several flows, the wait begins with the one that is due first.
func TestWaitedByTheFirst(t *testing.T) {
	r := newRig(t, config(1))
	for _, rate := range []core.Rate{line / 5, line / 10} { // due at 5 us and, after the first packet of the other, at 11
		r.open(0, nic.Flow{Size: 5000, Prio: 3, Scheme: &scheme{start: algorithms.Control{Rate: rate}}})
	}
	r.arrive(3000, 0, r.Pause(3, 0, true))
	r.arrive(4000, 0, r.Pause(5, 0, false)) // a reason to look
	if got := r.h.Counters(0, core.AtNanos(8000)).Waited; got != 3*core.Microsecond {
		t.Errorf("waited %v, want 3us", got)
	}
}

// A wait ends when a window closes on the flow that waits, as a notification may make it.
func TestWaitedUntilWindow(t *testing.T) {
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 5000, Prio: 3, Scheme: &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify)},
		step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 1000 },
	}})
	r.arrive(500, 0, r.Pause(3, 0, true))
	r.arrive(4000, 0, r.ack(0, 0, core.CNP))
	r.Run(core.AtNanos(9000))
	if got := r.h.Counters(0, core.AtNanos(9000)).Waited; got != 3*core.Microsecond { // from 1000 ns on
		t.Errorf("waited %v, want 3us", got)
	}
}

// While a datagram passes those that a pause stops, the port does not wait.
func TestWaitedButForDatagrams(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(0, 0, r.Pause(3, 0, true))
	r.open(0, nic.Flow{Size: 5000, Prio: 3})
	for i := range uint64(2) { // of 500 ns, at 1000 and 2000
		r.give(int64(1000*(i+1)), i)
	}
	r.Run(core.AtNanos(9000))
	if got := r.h.Counters(0, core.AtNanos(9000)).Waited; got != 8*core.Microsecond {
		t.Errorf("waited %v, want 8us", got)
	}
}

// A failing link ends the wait: the time after that is not due to a pause.
func TestWaitedUntilLinkFails(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.open(200, nic.Flow{Size: 2000, Prio: 3})
	for _, change := range []struct {
		nanos int64
		up    bool
	}{{500, false}, {5000, true}} {
		r.Run(core.AtNanos(change.nanos))
		r.Turn.Now = core.AtNanos(change.nanos)
		r.h.SetLink(&r.Turn, 0, change.up)
		r.CarryOut()
	}
	if got := r.h.Counters(0, core.AtNanos(9000)).Waited; got != 300*core.Nanosecond {
		t.Errorf("waited %v, want 300ns", got)
	}
}

// A notification point that asks for the same instant for ever is a bug of ours: it panics instead
// of hanging the run.
func TestStuckNotificationPoint(t *testing.T) {
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(a *algorithms.Arrival, r *algorithms.Reply) { r.Wake = a.Now }}}
	r := newRig(t, cfg)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	p := r.data(0)
	p.Scheme = 1
	r.arrive(100, 0, p)
}

// A flow that moves to another port no longer waits at the one it has left.
func TestWaitedUntilReroute(t *testing.T) {
	cfg := config(2)
	cfg.Router = fan{0}
	r := newRig(t, cfg)
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.open(200, nic.Flow{Size: 2000, Prio: 3})
	r.At(500)
	r.h.SetRouter(fan{1})
	r.h.Reroute(&r.Turn)
	r.CarryOut()
	r.Run(core.AtNanos(9000))
	if got := r.h.Counters(0, core.AtNanos(9000)).Waited; got != 300*core.Nanosecond || len(r.sent) != 2 {
		t.Errorf("waited %v, sent %d packets; want 300ns, 2", got, len(r.sent))
	}
}

// A flow that has sent everything waits for no pause, and a pause of another class makes no flow wait.
func TestNothingToWaitFor(t *testing.T) {
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 1000, Prio: 3})
	r.open(0, nic.Flow{Size: 2000, Prio: 4, Scheme: &scheme{start: algorithms.Control{Rate: line / 100}}})
	r.arrive(500, 0, r.Pause(3, 0, true))
	r.arrive(5000, 0, r.Pause(5, 0, false)) // a reason to look
	if got := r.h.Counters(0, core.AtNanos(50_000)).Waited; got != 0 {
		t.Errorf("waited %v for a pause of which it has nothing to send", got)
	}
	r.arrive(60_000, 0, r.Pause(4, 0, true)) // the slow flow's next packet is due at 101,000
	r.arrive(65_000, 0, r.Pause(5, 0, false))
	if got := r.h.Counters(0, core.AtNanos(103_000)).Waited; got != 2*core.Microsecond {
		t.Errorf("waited %v, want 2us", got)
	}
}

// A pause that has ended before the next packet is due makes nothing wait, even if a window then does.
func TestPauseThatEndsInTime(t *testing.T) {
	r := newRig(t, config(1))
	cc := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify)}, start: algorithms.Control{Rate: line / 100},
		step: func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 1000 },
	}
	r.open(0, nic.Flow{Size: 2000, Prio: 3, Scheme: cc}) // the second packet is due at 100,000
	r.arrive(10_000, 0, r.Pause(3, 0, true))
	r.arrive(20_000, 0, r.Pause(5, 0, false)) // a reason to look
	r.arrive(30_000, 0, r.Pause(3, 0, false))
	r.arrive(40_000, 0, r.ack(0, 0, core.CNP)) // the window is full
	r.arrive(200_000, 0, r.ack(0, 1000, core.Ack))
	r.Run(core.AtNanos(210_000))
	if got := r.h.Counters(0, core.AtNanos(210_000)).Waited; got != 0 || len(r.sent) != 2 {
		t.Errorf("waited %v and sent %d packets, want 0s and 2", got, len(r.sent))
	}
}
