package algotest

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Scheme runs the conformance suite: what the contract asks of every scheme.
func Scheme(t *testing.T, factory Factory) {
	s := factory.Plain(t)
	t.Run("traits", func(t *testing.T) { testTraits(t, s) })
	t.Run("range", func(t *testing.T) { testRange(t, s) })
	t.Run("paths", func(t *testing.T) { testPaths(t, s) })
	t.Run("floor", func(t *testing.T) { testFloor(t, s) })
	t.Run("determinism", func(t *testing.T) { testDeterminism(t, s) })
	t.Run("extra timers", func(t *testing.T) { testExtraTimers(t, s) })
	t.Run("lazy timers", func(t *testing.T) { testLazyTimers(t, s) })
	t.Run("restart", func(t *testing.T) { testRestart(t, s) })
	t.Run("silence", func(t *testing.T) { testSilence(t, s) })
	t.Run("allocations", func(t *testing.T) { testAllocations(t, s) })
	t.Run("lone flow", func(t *testing.T) { testLoneFlow(t, s) })
	testMarker(t, s)
	testReceiver(t, s)
}

const (
	runs          = 8   // random histories per property
	signalsPerRun = 500 // signals in each
)

// start is when the flows of the tests begin: not 0, so that a forgotten start shows.
const start = core.Time(3 * core.Millisecond)

func testTraits(t *testing.T, s algorithms.Scheme) {
	tr := s.Traits()
	if tr.Name == "" {
		t.Error("the scheme has no name")
	}
	if tr.HeaderBytes < 0 || tr.HopBytes < 0 {
		t.Errorf("negative header: %+v", tr)
	}
	if tr.LazyTimers && !tr.Hears.Has(algorithms.Timer) {
		t.Error("lazy timers without hearing Timer")
	}
	if tr.Hears.Has(algorithms.Switch) && s.NewMarker() == nil {
		t.Error("hears Switch but has no marker to send it")
	}
	if tr.Hears.Has(algorithms.Grant) && s.NewReceiver() == nil {
		t.Error("hears Grant but has no receiver to send it")
	}
}

// each feeds several random histories to visit, once per history.
func each(t *testing.T, visit func(t *testing.T, tape []byte, seed uint64)) {
	for seed := range uint64(runs) {
		visit(t, randomTape(seed, signalsPerRun), seed)
		if t.Failed() {
			t.Logf("history of seed %d", seed)
			return
		}
	}
}

func testRange(t *testing.T, s algorithms.Scheme) {
	each(t, func(t *testing.T, tape []byte, seed uint64) {
		if err := checkTape(s, tape); err != nil {
			t.Error(err)
		}
	})
}

// testPaths tries the slowest and the fastest lines, short and long ways, and packets of one byte of payload and of
// many.
func testPaths(t *testing.T, s algorithms.Scheme) {
	tape := randomTape(1, signalsPerRun)
	for _, line := range []core.Rate{10 * core.Mbps, 1600 * core.Gbps} {
		for _, rtt := range []core.Duration{core.Nanosecond, 10 * core.Millisecond} {
			for _, mtu := range []core.Bytes{1, 65536} {
				f := NewFlow(1)
				f.Line, f.BaseRTT, f.MTU, f.Packet = line, rtt, mtu, mtu+48
				f.Window = core.Bytes(float64(line) / 8 * rtt.Seconds())
				if err := checkFlow(s, f, tape); err != nil {
					t.Errorf("%v, %v, packets of %v: %v", line, rtt, mtu, err)
				}
			}
		}
	}
}

// testFloor demands that a host's floor is kept, and one above the line taken for the line.
func testFloor(t *testing.T, s algorithms.Scheme) {
	tape := randomTape(2, signalsPerRun)
	for _, part := range []core.Rate{1, 10, 200} {
		f := NewFlow(1)
		f.MinRate = f.Line * part / 100
		if err := checkFlow(s, f, tape); err != nil {
			t.Errorf("floor of %v: %v", f.MinRate, err)
		}
	}
}

// checkTape feeds a history to a fresh sender and returns the first broken rule.
func checkTape(s algorithms.Scheme, tape []byte) error { return checkFlow(s, NewFlow(1), tape) }

// checkFlow is checkTape for a given flow, in both INT formats.
func checkFlow(s algorithms.Scheme, f *algorithms.Flow, tape []byte) error {
	for _, format := range []core.INTFormat{core.FullINT(5), core.QuantisedINT(4)} {
		f.INT = format
		r := newRig(s, f, start)
		h := newHistory(tape, s.Traits(), f)
		for sig := new(algorithms.Signal); h.read(sig) && r.err == nil; {
			r.feed(sig)
		}
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// twins feeds one history to two rigs, by feed functions that may differ, and demands the
// same answers, because of a rule.
func twins(t *testing.T, rule string, s algorithms.Scheme, tape []byte, a, b *rig, feedB func(*algorithms.Signal)) {
	t.Helper()
	h := newHistory(tape, s.Traits(), a.flow)
	for sig := new(algorithms.Signal); h.read(sig); {
		a.feed(sig)
		feedB(sig)
		switch {
		case a.err != nil:
			t.Fatal(a.err)
		case b.err != nil:
			t.Fatal(b.err)
		case a.answer != b.answer || a.orders != b.orders:
			a.answer.Do, b.answer.Do = a.orders, b.orders
			t.Fatalf("%s\n got %s\nwant %s\nafter %s at %v: %+v", rule,
				formatControl(&b.answer), formatControl(&a.answer), signalNames[sig.Kind], sig.Now, *sig)
		}
	}
}

func testDeterminism(t *testing.T, s algorithms.Scheme) {
	each(t, func(t *testing.T, tape []byte, seed uint64) {
		a, b := newRig(s, NewFlow(1), start), newRig(s, NewFlow(1), start)
		twins(t, "the same signals must have the same answers", s, tape, a, b, b.feed)
	})
}

// testExtraTimers sends early and repeated Timers to one of two twins.
func testExtraTimers(t *testing.T, s algorithms.Scheme) {
	each(t, func(t *testing.T, tape []byte, seed uint64) {
		a, b := newRig(s, NewFlow(1), start), newRig(s, NewFlow(1), start)
		r := rand.New(rand.NewPCG(seed, 2))
		now := start
		twins(t, "Timers that come early or again must change nothing", s, tape, a, b, func(sig *algorithms.Signal) {
			until := min(sig.Now, b.answer.Wake)
			if early := now.Add(core.Duration(r.Int64N(int64(until-now) + 1))); early < until {
				b.tick(early)
			}
			b.timers(sig.Now)
			for range r.IntN(3) {
				b.tick(sig.Now)
			}
			b.step(sig)
			now = sig.Now
		})
	})
}

// testLazyTimers gives one of two twins its Timers only when it is asked something, where
// the scheme says that this is enough.
func testLazyTimers(t *testing.T, s algorithms.Scheme) {
	if !s.Traits().LazyTimers {
		t.Skip("the scheme wants its timers on time")
	}
	each(t, func(t *testing.T, tape []byte, seed uint64) {
		a, b := newRig(s, NewFlow(1), start), newRig(s, NewFlow(1), start)
		twins(t, "with Traits.LazyTimers, Timers that come late must change nothing", s, tape, a, b, b.step)
	})
}

// testRestart compares a sender that has lived before with a fresh one.
func testRestart(t *testing.T, s algorithms.Scheme) {
	const restarted = "a sender that is started again must be as a fresh one: Start resets everything"
	each(t, func(t *testing.T, tape []byte, seed uint64) {
		used := newRig(s, NewFlow(2), start)
		h := newHistory(randomTape(seed+1000, signalsPerRun), s.Traits(), used.flow)
		for sig := new(algorithms.Signal); h.read(sig); {
			used.feed(sig)
		}
		fresh := newRig(s, NewFlow(1), start)
		used.start(NewFlow(1), start)
		if used.answer != fresh.answer {
			t.Fatalf("%s\n got %s\nwant %s\nafter Start", restarted, formatControl(&used.answer), formatControl(&fresh.answer))
		}
		twins(t, restarted, s, tape, fresh, used, used.feed)
	})
}

// testSilence hears nothing for a while after a busy time: the flow must be able to go on.
func testSilence(t *testing.T, s algorithms.Scheme) {
	each(t, func(t *testing.T, tape []byte, seed uint64) {
		r := newRig(s, NewFlow(1), start)
		h := newHistory(tape, s.Traits(), r.flow)
		for sig := new(algorithms.Signal); h.read(sig); {
			r.feed(sig)
		}
		before := r.answer.Rate
		r.timers(h.now.Add(20 * core.Millisecond))
		if r.err != nil {
			t.Fatal(r.err)
		}
		if r.answer.Rate < before {
			t.Errorf("silence lowered the rate from %v to %v", before, r.answer.Rate)
		}
	})
}

func testAllocations(t *testing.T, s algorithms.Scheme) {
	r := newRig(s, NewFlow(1), start)
	h := newHistory(randomTape(1, 20*signalsPerRun), s.Traits(), r.flow)
	sig := new(algorithms.Signal)
	if n := testing.AllocsPerRun(10*signalsPerRun, func() { h.read(sig); r.feed(sig) }); n != 0 {
		t.Errorf("%v allocations per signal, want none", n)
	}
	if n := testing.AllocsPerRun(100, func() { r.sender.Start(start, r.flow, &r.answer) }); n != 0 {
		t.Errorf("%v allocations per restart, want none", n)
	}
}

// testLoneFlow demands that one flow on an idle path uses half of it and makes no queue
// beyond a bandwidth-delay product.
func testLoneFlow(t *testing.T, s algorithms.Scheme) {
	b := NewBottleneck(1, 2*core.Millisecond)
	res := b.Run(s)
	if u := res.Utilisation(); u < 0.5 {
		t.Errorf("a flow on its own uses %.0f%% of the link\n%s", 100*u, res.Plot())
	}
	if res.MaxQueue > b.bdp() {
		t.Errorf("a flow on its own queues %v, more than the path's %v\n%s", res.MaxQueue, b.bdp(), res.Plot())
	}
}
