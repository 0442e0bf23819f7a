package nic_test

import (
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Repace moves the running gap: a rate of a quarter of the line is raised to half of it 500 ns
// after a packet, so the next is due 2000, not 4000, ns after that packet. If that time has passed,
// the next leaves at once.
func TestRepace(t *testing.T) {
	for _, c := range []struct {
		at, want int64
		forAll   bool // nothing else moves a pending wake-up
	}{{500, 2000, false}, {1500, 2000, false}, {3000, 3000, false}, {500, 2000, true}, {1500, 2000, true}, {3000, 3000, true}} {
		cfg := config(1)
		cfg.WakeForAll = c.forAll
		r := newRig(t, cfg)
		s := &scheme{start: algorithms.Control{Rate: line / 4}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
		s.step = func(_ *algorithms.Signal, ctl *algorithms.Control) {
			ctl.Rate, ctl.Do = line/2, algorithms.Repace
		}
		qp := r.open(0, nic.Flow{Size: 3000, Scheme: s})
		r.arrive(c.at, 0, r.ack(qp, 0, core.Ack))
		r.Run(core.AtNanos(100_000))
		if second := r.sent[1].at; second != core.AtNanos(c.want) {
			t.Errorf("raised at %d: the second packet left at %v", c.at, second)
		}
		if got, want := r.took(), [][2]int64{{0, 0}, {c.want, 1000}, {c.want + 2000, 2000}}; !reflect.DeepEqual(got, want) {
			t.Errorf("raised at %d: got %v, want %v", c.at, got, want)
		}
	}
}

// An order is for one answer: a rate that is set without it later moves nothing, here from 4000 to 2000 ns and no farther.
func TestRepaceOnce(t *testing.T) {
	r := newRig(t, config(1))
	s := &scheme{start: algorithms.Control{Rate: line / 4}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(_ *algorithms.Signal, c *algorithms.Control) {
		if c.Rate == line/2 {
			c.Rate = line / 8
			return
		}
		c.Rate, c.Do = line/2, algorithms.Repace
	}
	qp := r.open(0, nic.Flow{Size: 2000, Scheme: s})
	r.arrive(500, 0, r.ack(qp, 0, core.Ack))
	r.arrive(600, 0, r.ack(qp, 0, core.Ack))
	r.Run(core.AtNanos(100_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {2000, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Repace moves the fixed delay as well: 5000 ns after a packet of 1000 ns become 700, or rise to 7000. The next packet
// is due at 1700 or 8000, but without the order at 6000.
func TestRepaceOfTheDelay(t *testing.T) {
	for _, c := range []struct {
		delay  core.Duration
		orders algorithms.Orders
		want   int64
	}{{700, algorithms.Repace, 1700}, {0, algorithms.Repace, 1300}, {7000, algorithms.Repace, 8000}, {700, 0, 6000}} {
		r := newRig(t, config(1))
		s := &scheme{start: algorithms.Control{Gap: 5 * core.Microsecond}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
		s.step = func(_ *algorithms.Signal, ctl *algorithms.Control) {
			ctl.Gap, ctl.Do = c.delay*core.Nanosecond, c.orders
		}
		qp := r.open(0, nic.Flow{Size: 3000, Scheme: s})
		r.arrive(1300, 0, r.ack(qp, 0, core.Ack))
		r.arrive(1500, 0, r.ack(qp, 0, core.Ack)) // the delay is the same: nothing moves
		r.Run(core.AtNanos(100_000))
		third := c.want + 1000 + int64(c.delay)
		if got, want := r.took(), [][2]int64{{0, 0}, {c.want, 1000}, {third, 2000}}; !reflect.DeepEqual(got, want) {
			t.Errorf("delay %d, orders %b: got %v, want %v", c.delay, c.orders, got, want)
		}
	}
}

// Where rates pace nothing, Repace moves nothing: packets leave at line rate, whatever rates and delays do meanwhile.
// The reference moves the gap there too, by the 5000 ns that lie between its rates, in arithmetic that loses 1 ns.
func TestRepaceWithoutPacing(t *testing.T) {
	for timing, want := range map[core.Timing][][2]int64{
		core.Exact: {{0, 0}, {1000, 1000}, {2000, 2000}}, core.FixedPointNanos: {{0, 0}, {5999, 1000}, {6998, 2000}},
	} {
		cfg := config(1)
		cfg.Unpaced, cfg.Timing = true, timing
		r := newRig(t, cfg)
		s := &scheme{start: algorithms.Control{Rate: line / 5}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
		s.step = func(_ *algorithms.Signal, ctl *algorithms.Control) {
			ctl.Rate, ctl.Gap, ctl.Do = line/10, 2*core.Microsecond, algorithms.Repace
		}
		qp := r.open(0, nic.Flow{Size: 3000, Scheme: s})
		r.arrive(300, 0, r.ack(qp, 0, core.Ack))
		r.Run(core.AtNanos(100_000))
		if got := r.took(); !reflect.DeepEqual(got, want) {
			t.Errorf("timing %v: got %v, want %v", timing, got, want)
		}
	}
}

// A wake-up of this very time, which is to come after the ACK, is put behind what is to come by then.
func TestRepaceOfAWakeThatIsDue(t *testing.T) {
	r := newRig(t, config(1))
	s := &scheme{start: algorithms.Control{Rate: line / 4}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(_ *algorithms.Signal, ctl *algorithms.Control) {
		ctl.Rate, ctl.Do = line/2, algorithms.Repace
	}
	qp := r.open(0, nic.Flow{Size: 3000, Scheme: s})
	r.Run(core.AtNanos(3999))
	r.Turn.Now = core.AtNanos(4000)
	r.h.Receive(&r.Turn, 0, r.ack(qp, 0, core.Ack))
	if a := r.Turn.Actions; len(a) != 2 || a[0].Kind != core.SetWake || a[0].At != core.AtNanos(4000) || a[1].Kind != core.Transmit {
		t.Errorf("actions %+v", a)
	}
}
