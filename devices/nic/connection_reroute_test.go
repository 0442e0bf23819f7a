package nic_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A message that gets its turn while routes change, since the one before it sends its last packet at once by the other port,
// is bound to that port alone, and once: it takes turns with a flow of its own.
func TestTurnWhileRoutesChange(t *testing.T) {
	cfg := config(2)
	cfg.Router = fan{0}
	r := newRig(t, cfg)
	r.h.SetLink(&r.Turn, 0, false)
	for i, f := range []nic.Flow{{Size: 1000, Connection: 1}, {Size: 3000, Connection: 1}, {Size: 3000}} {
		f.ID = int32(i)
		r.open(0, f)
	}
	r.h.SetRouter(fan{1})
	r.Turn.Now = core.AtNanos(5000)
	r.h.Reroute(&r.Turn)
	r.h.SetLink(&r.Turn, 0, true)
	r.CarryOut()
	r.Run(core.AtNanos(50_000))
	for _, p := range r.sent {
		if p.port != 1 {
			t.Errorf("byte %d of message %d leaves by port %d", p.Seq, p.SrcQP, p.port)
		}
	}
	want := []leaving{{5000, 0, 0}, {6000, 1, 0}, {7000, 2, 0}, {8000, 1, 1000}, {9000, 2, 1000}, {10_000, 1, 2000}, {11_000, 2, 2000}}
	if got := r.left(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A connection that has its first message after routes have changed is on no other path than before.
func TestFirstMessageAfterReroute(t *testing.T) {
	paths := 0
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Path)}}
	sc.step = func(s *algorithms.Signal, _ *algorithms.Control) { paths++ }
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 1000, Scheme: sc, Connection: 2})
	r.At(10_000)
	r.h.Reroute(&r.Turn)
	for range 2 {
		r.open(20_000, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	}
	if paths != 0 {
		t.Errorf("%d signals of a path, want none", paths)
	}
}

// What a connection hears in the name of a message that has ended lets it send at once, by the port that its packets take now.
func TestNoticeForEndedMessageAfterReroute(t *testing.T) {
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Notify)}}
	sc.step = func(s *algorithms.Signal, c *algorithms.Control) {
		if c.Window = 1000; s.Kind == algorithms.Notify {
			c.Window = core.Unlimited
		}
	}
	cfg := config(2)
	cfg.Router, cfg.RTO = fan{0}, 10*core.Microsecond
	r := newRig(t, cfg)
	for i, size := range []int64{2000, 1000} {
		r.open(0, nic.Flow{ID: int32(i), Size: size, Scheme: sc, Connection: 1})
	}
	r.arrive(4000, 0, r.ack(1, 1000, core.Ack))
	r.At(5000)
	r.h.SetRouter(fan{1})
	r.h.Reroute(&r.Turn)
	r.CarryOut()
	r.arrive(15_000, 1, r.ack(1, 0, core.CNP))
	r.Run(core.AtNanos(17_000))
	if got, want := r.left(), []leaving{{0, 0, 0}, {1000, 0, 1000}, {2000, 1, 0}, {10_000, 0, 0}, {15_000, 0, 1000}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
