package nic_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// counting is a scheme of which each sender counts its own signals, and answers with as many microseconds.
type counting struct{ *scheme }

func (s counting) NewSender() algorithms.Sender {
	n := core.Duration(0)
	return sender{&scheme{step: func(_ *algorithms.Signal, c *algorithms.Control) { n++; c.Gap = n * core.Microsecond }}}
}

// Flows of one port and class share the sender of a scheme that asks for it: what it hears about one
// flow holds for all, also for a flow that begins later, but not for another class or scheme.
func TestSharedSender(t *testing.T) {
	for _, shared := range []bool{true, false} {
		sc := counting{&scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify), PerClass: shared}}}
		r := newRig(t, config(1))
		for i, prio := range []uint8{3, 3, 4} {
			r.open(int64(i), nic.Flow{ID: int32(i), Size: 1 << 40, Prio: prio, Scheme: sc})
		}
		notify := func(at int64, qp int32) { r.arrive(at, 0, r.ack(qp, 0, core.CNP)) }
		notify(10_000, 0)
		r.open(10_001, nic.Flow{ID: 3, Size: 1 << 40, Prio: 3, Scheme: sc})
		r.open(10_001, nic.Flow{ID: 4, Size: 1 << 40, Prio: 3, Scheme: &scheme{traits: sc.traits}})
		notify(11_000, 0)
		notify(12_000, 3)
		want := [5]core.Duration{2 * core.Microsecond, 0, 0, core.Microsecond}
		if shared {
			want = [5]core.Duration{3 * core.Microsecond, 3 * core.Microsecond, 0, 3 * core.Microsecond}
		}
		for qp, gap := range want {
			if _, _, c, _ := r.h.Flow(int32(qp)); c.Gap != gap {
				t.Errorf("shared %v: flow %d has a gap of %v, want %v", shared, qp, c.Gap, gap)
			}
		}
	}
}

// The timer of a shared sender runs on when the flow that set it has ended.
func TestSharedTimer(t *testing.T) {
	var ticks []int64
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify), PerClass: true}}
	sc.step = func(s *algorithms.Signal, c *algorithms.Control) {
		c.Wake = s.Now.Add(5 * core.Microsecond)
		if s.Kind == algorithms.Timer {
			ticks = append(ticks, s.Now.Nanos())
		}
	}
	r := newRig(t, config(1))
	for i := range int32(2) {
		r.open(0, nic.Flow{ID: i, Size: 1000, Prio: 3, Scheme: sc})
	}
	r.arrive(3000, 0, r.ack(0, 0, core.CNP))
	r.arrive(4000, 0, r.ack(0, 1000, core.Ack))
	r.open(20_000, nic.Flow{ID: 2, Size: 1000, Prio: 3, Scheme: sc}) // takes the timer over
	r.arrive(21_000, 0, r.ack(1, 1000, core.Ack))
	r.Run(core.AtNanos(30_000))
	if want := []int64{8000, 13_000, 18_000, 23_000, 28_000}; !reflect.DeepEqual(ticks, want) {
		t.Errorf("ticks at %v, want %v", ticks, want)
	}
}

// When a shared sender moves the running gap to a new rate, the gaps of all its flows move, otherwise none.
func TestSharedRepace(t *testing.T) {
	for order, want := range map[algorithms.Orders][][2]int64{
		algorithms.Repace: {{0, 0}, {1000, 0}, {2500, 1000}, {3500, 1000}},
		0:                 {{0, 0}, {1000, 0}, {4000, 1000}, {5000, 1000}},
	} {
		sc := &scheme{
			traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify), PerClass: true},
			start:  algorithms.Control{Rate: line / 4},
			step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Rate, c.Do = line/2, order },
		}
		r := newRig(t, config(1))
		for range 2 {
			r.open(0, nic.Flow{Size: 2000, Prio: 3, Scheme: sc})
		}
		r.arrive(2500, 0, r.ack(0, 0, core.CNP))
		r.Run(core.AtNanos(20_000))
		if got := r.took(); !reflect.DeepEqual(got, want) {
			t.Errorf("order %v: got %v, want %v", order, got, want)
		}
	}
}

// A shared sender keeps no ended flows, however many come and go beside one that stays.
func TestSharedSenderForgetsEndedFlows(t *testing.T) {
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack), PerClass: true}}
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 1 << 40, Prio: 3, Scheme: sc})
	for i := range int64(100) {
		qp := r.open(i*10_000+1, nic.Flow{Size: 1000, Prio: 3, Scheme: sc})
		r.arrive(i*10_000+5000, 0, r.ack(qp, 1000, core.Ack))
	}
	if n := r.h.LargestClass(); n > 2 {
		t.Errorf("the sender keeps %d flows", n)
	}
}

// A packet that a shared sender has asked for is sent although it hears about another flow meanwhile.
func TestSharedSenderKeepsProbe(t *testing.T) {
	sc := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify, algorithms.Ack), PerClass: true},
		start:  algorithms.Control{Window: 1000},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			if s.Kind == algorithms.Notify {
				c.Do = algorithms.Probe
			}
		},
	}
	r := newRig(t, config(1))
	for range 2 {
		r.open(0, nic.Flow{Size: 9000, Prio: 3, Scheme: sc})
	}
	r.arrive(5000, 0, r.Pause(3, 0, true))
	r.arrive(6000, 0, r.ack(0, 0, core.CNP))
	r.arrive(7000, 0, r.ack(1, 0, core.Ack))
	r.arrive(8000, 0, r.Pause(3, 0, false))
	r.Run(core.AtNanos(20_000))
	if got, want := r.left(), []leaving{{0, 0, 0}, {1000, 1, 0}, {8000, 0, 1000}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// An order of a shared sender applies to the flow that the signal was about.
func TestSharedProbe(t *testing.T) {
	sc := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify), PerClass: true},
		start:  algorithms.Control{Window: 1000},
		step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Do = algorithms.Probe },
	}
	r := newRig(t, config(1))
	for range 2 {
		r.open(0, nic.Flow{Size: 9000, Prio: 3, Scheme: sc})
	}
	r.arrive(5000, 0, r.ack(1, 0, core.CNP))
	r.open(5000, nic.Flow{Size: 9000, Prio: 3, Scheme: sc})
	r.Run(core.AtNanos(20_000))
	var flows []int32
	for i := range r.sent {
		flows = append(flows, r.sent[i].SrcQP)
	}
	if want := []int32{0, 1, 1, 2}; !reflect.DeepEqual(flows, want) {
		t.Errorf("packets of flows %v, want %v", flows, want)
	}
}
