package nic_test

import (
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Flows of one port and class share the sender of a scheme that wants it: what one hears holds for
// all, for one that begins later too, and not for another class or scheme.
func TestSharedSender(t *testing.T) {
	for _, shared := range []bool{true, false} {
		sc := &scheme{
			traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify), PerClass: shared},
			step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Gap += core.Microsecond },
		}
		r := newRig(t, config(1))
		for i, prio := range []uint8{3, 3, 4} {
			r.open(int64(i), nic.Flow{ID: int32(i), Size: 1 << 40, Prio: prio, Scheme: sc})
		}
		p := r.Pool.New()
		p.Kind, p.DstQP, p.Dst = core.CNP, 0, 1
		r.arrive(10_000, 0, p)
		r.open(10_001, nic.Flow{ID: 3, Size: 1 << 40, Prio: 3, Scheme: sc})
		r.open(10_001, nic.Flow{ID: 4, Size: 1 << 40, Prio: 3, Scheme: &scheme{traits: sc.traits}})
		want := [5]core.Duration{core.Microsecond}
		if shared {
			want[1], want[3] = core.Microsecond, core.Microsecond
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
	p := r.Pool.New()
	p.Kind, p.DstQP, p.Dst = core.CNP, 0, 1
	r.arrive(3000, 0, p)
	r.arrive(4000, 0, r.ack(0, 1000, core.Ack))
	r.open(20_000, nic.Flow{ID: 2, Size: 1000, Prio: 3, Scheme: sc}) // takes the timer over
	r.arrive(21_000, 0, r.ack(1, 1000, core.Ack))
	r.Run(core.AtNanos(30_000))
	if want := []int64{8000, 13_000, 18_000, 23_000, 28_000}; !reflect.DeepEqual(ticks, want) {
		t.Errorf("ticks at %v, want %v", ticks, want)
	}
}

// A shared sender that moves the running gap to a new rate moves those of all its flows.
func TestSharedRepace(t *testing.T) {
	sc := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify), PerClass: true},
		start:  algorithms.Control{Rate: line / 4},
		step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Rate, c.Do = line/2, algorithms.Repace },
	}
	r := newRig(t, config(1))
	for range 2 {
		r.open(0, nic.Flow{Size: 2000, Prio: 3, Scheme: sc})
	}
	p := r.Pool.New()
	p.Kind, p.DstQP, p.Dst = core.CNP, 0, 1
	r.arrive(2500, 0, p)
	r.Run(core.AtNanos(20_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 0}, {2500, 1000}, {3500, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// An order of a shared sender is for the flow of which it has heard.
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
	p := r.Pool.New()
	p.Kind, p.DstQP, p.Dst = core.CNP, 1, 1
	r.arrive(5000, 0, p)
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
