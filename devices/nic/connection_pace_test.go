package nic_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A message waits for the pace of its connection as the scheme has last set it, also if the message that has sent the latest
// packet, or the one that had its turn last, has ended before the rate changed.
func TestPaceOfConnection(t *testing.T) {
	for _, c := range []struct {
		name string
		end  []int32 // messages in the order in which they end
		tell int32   // message that hears of the new rate
	}{
		{"the latest one has ended", []int32{0}, 1},
		{"the last one has ended", []int32{1}, 0},
		{"both have ended, the latest one first", []int32{0, 1}, 1},
		{"both have ended, the last one first", []int32{1, 0}, 0},
		{"none has", nil, 0},
	} {
		sc := &scheme{start: algorithms.Control{Rate: line / 100}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify)}}
		sc.step = func(_ *algorithms.Signal, c *algorithms.Control) { c.Rate, c.Do = line, c.Do|algorithms.Repace }
		r := newRig(t, config(1))
		for i := range int32(2) {
			r.open(0, nic.Flow{ID: i, Size: 1000, Scheme: sc, Connection: 1})
		}
		r.arrive(150_000, 0, r.ack(0, 0, core.Nack)) // so that message 0 sends the latest packet, at 200 us
		for i, qp := range c.end {
			r.arrive(201_000+1000*int64(i), 0, r.ack(qp, 1000, core.Ack))
		}
		r.arrive(210_000, 0, r.ack(c.tell, 0, core.CNP))
		r.open(220_000, nic.Flow{ID: 2, Size: 1000, Scheme: sc, Connection: 1})
		r.Run(core.AtNanos(400_000))
		want := []leaving{{0, 0, 0}, {100_000, 1, 0}, {200_000, 0, 0}, {220_000, 2, 0}}
		if got := r.left(); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

// A timer that fires while nothing is under way moves the gap after the last packet, too.
func TestTimerRepacesIdleConnection(t *testing.T) {
	sc := &scheme{start: algorithms.Control{Rate: line / 100, Wake: core.AtNanos(50_000)}}
	sc.step = func(s *algorithms.Signal, c *algorithms.Control) {
		if s.Kind == algorithms.Timer {
			c.Rate, c.Wake, c.Do = line/50, core.Never, c.Do|algorithms.Repace
		}
	}
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	r.arrive(2000, 0, r.ack(0, 1000, core.Ack))
	r.open(70_000, nic.Flow{Size: 2000, Scheme: sc, Connection: 1})
	r.Run(core.AtNanos(400_000))
	if got, want := r.left(), []leaving{{0, 0, 0}, {70_000, 1, 0}, {120_000, 1, 1000}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A message that has ended goes on showing the rate that it had then, whatever its connection hears in its name.
func TestRateOfEndedMessage(t *testing.T) {
	sc := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify)},
		step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Rate = line / 10 },
	}
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	r.arrive(3000, 0, r.ack(0, 1000, core.Ack))
	r.arrive(4000, 0, r.ack(0, 0, core.CNP))
	r.open(5000, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	for qp, want := range []core.Rate{line, line / 10} {
		if got := r.h.FlowGauge(int32(qp)).Rate; got != want {
			t.Errorf("message %d: rate %v, want %v", qp, got, want)
		}
	}
}
