package hpcc

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

var windowFactory = algotest.NewFactory(WindowDefaults, NewWindow)

func TestWindowConformance(t *testing.T) { algotest.Scheme(t, windowFactory) }

func TestWindowScripts(t *testing.T) { algotest.RunScriptsIn(t, "testdata/window", windowFactory) }

// Fair shares at the target utilisation, and almost no queue.
func TestWindowConvergence(t *testing.T) {
	r := algotest.Fair(t, windowFactory, 4*core.Millisecond, nil)
	if q := r.QueueAfter(0.5); q > 20_000 {
		t.Errorf("the queue still reaches %v\n%s", q, r.Plot())
	}
}

func FuzzWindowSender(f *testing.F) { algotest.FuzzSender(f, windowFactory) }

func TestWindowParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, windowFactory, "target=0", "target=NaN", "target=1", "max_stage=-1", "ai=-1", "flows=0", "min_rate=-1Mbps")
}

func BenchmarkWindowStep(b *testing.B) {
	algotest.BenchmarkStep(b, windowFactory, func(_ int, s *algorithms.Signal) { s.Kind = algorithms.Ack })
}

// newWindowSender is the sender of a flow at 100 Gb/s and 13 us with W_AI = 80 B.
func newWindowSender(t *testing.T) (*windowSender, *algorithms.Control) {
	t.Helper()
	p := WindowDefaults()
	p.AI = 80
	scheme := algotest.Make(t, NewWindow, p)
	s, c := scheme.NewSender().(*windowSender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000, INT: core.FullINT(5)}, c)
	return s, c
}

// Check case 8.1: Winit = 162500 B, and U = 1.2 makes it 128725.83 B (Li et al., SIGCOMM 2019, eq. 4).
func TestWindowCheckCase1(t *testing.T) {
	s, c := newWindowSender(t)
	if c.Window != 162_500 || c.Rate != 100*core.Gbps {
		t.Errorf("first answer %+v", c)
	}
	s.u = 1.2
	if w, stage := s.next(); math.Abs(w-128725.83) > 0.005 || stage != 0 {
		t.Errorf("window %v, stage %d; want 128725.83 and 0", w, stage)
	}
}

// Check case 8.2: a full link with 50000 B in its queue for 1 us (eq. 2; algorithm 1, MeasureInflight).
func TestWindowCheckCase2(t *testing.T) {
	s, c := newWindowSender(t)
	hop := func(at core.Duration, tx core.Bytes) []core.Hop {
		return []core.Hop{s.meter.format.Record(core.Time(at), 100*core.Gbps, tx, 50_000)}
	}
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000, Next: 150_000, Hops: hop(0, 0)}, c)
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 2000, Next: 151_000, Hops: hop(core.Microsecond, 12_500)}, c)
	if math.Abs(s.u-1.0236686) > 5e-8 || c.Window != 150_885 {
		t.Errorf("U = %v, window %v; want 1.0236686 and 150885B", s.u, c.Window)
	}
	if s.base != 162_500 {
		t.Errorf("a fast update moves the reference window to %v", s.base)
	}
	c.Do = 0
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 151_000, Next: 300_000, Hops: hop(2*core.Microsecond, 25_000)}, c)
	if s.base == 162_500 || s.last != 300_000 || c.Do != algorithms.Repace {
		t.Errorf("a full update leaves the reference window at %v; orders %b", s.base, c.Do)
	}
}

// Without fast_react an ACK within the round trip changes nothing.
func TestWindowOnceARoundTrip(t *testing.T) {
	for _, fast := range []bool{true, false} {
		p := WindowDefaults()
		p.FastReact = fast
		s, c := algotest.Make(t, NewWindow, p).NewSender(), new(algorithms.Control)
		f := algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000, INT: core.FullINT(5)}
		s.Start(0, &f, c)
		for i, slower := range []bool{false, fast, true} {
			hop := f.INT.Record(core.Time(core.Duration(i)*core.Microsecond), 100*core.Gbps, core.Bytes(i)*12_500, 50_000)
			acked := []int64{1000, 2000, 101_000}[i]
			s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: acked, Next: 100_000, Hops: []core.Hop{hop}}, c)
			if got := c.Window < 162_500; got != slower {
				t.Errorf("fast_react %v, ACK of %d: window %v", fast, acked, c.Window)
			}
		}
	}
}

// Check case 8.3: below the target the window grows by W_AI, but after five such steps in
// proportion, to at most Winit (algorithm 1, ComputeWind).
func TestWindowCheckCase3(t *testing.T) {
	s, _ := newWindowSender(t)
	s.u, s.base = 0.5, 50_000
	if w, stage := s.next(); w != 50_080 || stage != 1 {
		t.Errorf("window %v, stage %d; want 50080 and 1", w, stage)
	}
	s.u = 0.95
	if w, stage := s.next(); math.Abs(w-50_080) > 1e-6 || stage != 0 {
		t.Errorf("at the target: window %v, stage %d; want 50080 by a multiplicative step", w, stage)
	}
	s.u, s.stage = 0.5, 4
	if w, stage := s.next(); w != 50_080 || stage != 5 {
		t.Errorf("window %v, stage %d; want 50080 and 5", w, stage)
	}
	s.u, s.stage = 0.5, 5
	if w, stage := s.next(); math.Abs(w-95_080) > 1e-6 || stage != 0 {
		t.Errorf("window %v, stage %d; want 95080 and 0", w, stage)
	}
	s.base = 150_000
	if w, _ := s.next(); w != 162_500 {
		t.Errorf("window %v, want 162500", w)
	}
}

// W_AI is Winit (1-eta)/N: 81.25 B for 100 flows at 100 Gb/s and 13 us.
func TestWindowAdditiveIncrease(t *testing.T) {
	scheme := algotest.Make(t, NewWindow, WindowDefaults())
	s := scheme.NewSender().(*windowSender)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000}, new(algorithms.Control))
	if math.Abs(s.ai-81.25) > 1e-9 {
		t.Errorf("W_AI = %v, want 81.25", s.ai)
	}
}

// The window never falls below its share of the lowest rate, a hundredth of 162,500 B, and a host may always send a packet.
func TestWindowFloor(t *testing.T) {
	s, c := newWindowSender(t)
	s.u = 1000
	w, _ := s.next()
	if math.Abs(w-1625) > 1e-9 {
		t.Errorf("window %v at a utilisation of 1000, want 1625", w)
	}
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 4000, INT: core.FullINT(5)}, c)
	if s.answer(c, w); c.Window != 4000 || c.Rate != core.Gbps {
		t.Errorf("%v and %v, want a packet, 4000 B, at the lowest rate, 1 Gb/s", c.Window, c.Rate)
	}
}

// After Path the ACKs of what was sent before are skipped, and the next one only stores its records: counters of different
// ports are never subtracted.
func TestWindowPathForgetsRecords(t *testing.T) {
	s, c := newWindowSender(t)
	ack := func(acked int64, at core.Duration, tx core.Bytes) {
		hop := s.meter.format.Record(core.Time(at), 100*core.Gbps, tx, 50_000)
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: acked, Next: 200_000, Hops: []core.Hop{hop}}, c)
	}
	ack(1000, 0, 1_000_000)
	s.Step(&algorithms.Signal{Kind: algorithms.Path, Next: 150_000}, c)
	old := s.hops[0]
	if ack(150_000, core.Microsecond, 1_012_500); s.hops[0] != old || s.u != 1 {
		t.Errorf("an ACK of the old path was used: U = %v", s.u)
	}
	if ack(150_001, core.Microsecond, 500); s.hops[0].Tx != 500 || s.u != 1 || c.Window != 162_500 {
		t.Errorf("the first ACK of the new path: U = %v, window %v", s.u, c.Window)
	}
	if ack(151_000, 2*core.Microsecond, 13_000); math.Abs(s.u-1.0236686) > 5e-8 {
		t.Errorf("the second one: U = %v, want 1.0236686", s.u)
	}
}

// Only the last measurement counts if it spans more than a round trip, as after a pause (algorithm 1: tau is at most
// T).
func TestSmoothedAfterAPause(t *testing.T) {
	const baseRTT = 13_000
	if u := smoothed(1, 0.5, 10*baseRTT, baseRTT); u != 0.5 {
		t.Errorf("U = %v, want 0.5", u)
	}
}
