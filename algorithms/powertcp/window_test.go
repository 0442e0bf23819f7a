package powertcp

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

func flow() *algorithms.Flow {
	return &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 20 * us, MTU: 1000, INT: core.FullINT(5)}
}

// newWindow is the window of a new flow at 100 Gb/s and 20 us: BDP 250000 B, beta 2500 B.
func newWindow() *window {
	p, w := Defaults(), new(window)
	w.start(&p, flow(), new(algorithms.Control))
	return w
}

// Check case 14.1: a queue of half a BDP that neither grows nor shrinks has a power of
// 1.5, and unsmoothed a window of 177250 B (Addanki et al., NSDI 2022, algorithm 1).
func TestCheckCase1Power(t *testing.T) {
	power := normPower(12.5e9, 125_000, 12.5e9, 20e-6, 0)
	if !near(power, 1.5) {
		t.Errorf("power %v, want 1.5", power)
	}
	w := newWindow()
	w.measure(power, 20e-6)
	if w.update(w.cwnd); !near(w.cwnd, 177_250) || w.smooth != power {
		t.Errorf("smoothed %v, window %v; want 1.5 and 177250", w.smooth, w.cwnd)
	}
}

// Check case 14.2: over a fifth of the round trip the power is smoothed to 1.1 (algorithm 1).
func TestCheckCase2Smoothing(t *testing.T) {
	w := newWindow()
	w.measure(1.5, 4e-6)
	if w.update(w.cwnd); !near(w.smooth, 1.1) || math.Abs(w.cwnd-231795.45) > 0.005 {
		t.Errorf("smoothed %v, window %v; want 1.1 and 231795.45", w.smooth, w.cwnd)
	}
}

// Check case 14.3: an RTT that grows from 30 to 40 us in 20 us means a power of 3 (algorithm 2).
func TestCheckCase3Theta(t *testing.T) {
	power := thetaPower(40e-6, (40-30)/20., 20e-6, 0)
	w := newWindow()
	w.measure(power, 20e-6)
	if w.update(w.cwnd); !near(power, 3) || !near(w.cwnd, 102_500-250) {
		t.Errorf("power %v, window %v; want 3 and 102250", power, w.cwnd)
	}
}

// In equilibrium, power S = cwnd/(cwnd - beta), the window stays.
func TestEquilibrium(t *testing.T) {
	w := newWindow()
	w.cwnd = 50_000
	w.smooth = 50_000 / (50_000 - w.beta)
	if w.update(w.cwnd); !near(w.cwnd, 50_000) {
		t.Errorf("window %v, want 50000", w.cwnd)
	}
}

// No power at all, as without min_arrival at a queue that drains, asks for a whole BDP.
func TestNoPower(t *testing.T) {
	w := newWindow()
	w.cwnd = 50_000
	w.measure(normPower(-1e9, 1000, 12.5e9, 20e-6, 0), 20e-6)
	if w.update(50_000); w.cwnd != w.bdp {
		t.Errorf("window %v, want %v", w.cwnd, w.bdp)
	}
	if p := normPower(-1e9, 0, 12.5e9, 20e-6, 0.5); !near(p, 0.5) {
		t.Errorf("power with a floor of a half: %v", p)
	}
}

// The sender uses the hop with the largest power, and its time.
func TestLargestPower(t *testing.T) {
	s, c := start(t, New).(*sender), new(algorithms.Control)
	s.Start(0, flow(), c)
	hop := func(at core.Duration, tx, queue core.Bytes) core.Hop {
		return s.format.Record(core.Time(at), 100*core.Gbps, tx, queue)
	}
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000, Next: 250_000, Hops: []core.Hop{hop(0, 0, 0), hop(us, 0, 125_000)}}, c)
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 2000, Next: 251_000, Hops: []core.Hop{hop(2*us, 25_000, 0), hop(5*us, 50_000, 125_000)}}, c)
	if !near(s.window.smooth, 1.1) || math.Abs(s.window.cwnd-231795.45) > 0.005 || c.Window != 231_795 || c.Rate != core.RateOf(s.window.cwnd*8/20e-6) {
		t.Errorf("smoothed %v, %+v", s.window.smooth, c)
	}
	if c.Do&algorithms.Repace == 0 {
		t.Error("the running gap is not moved to the new rate")
	}
}

// Of hops with the same power the first one counts, and its time (p' > p in algorithm 1).
func TestFirstOfLargestPowers(t *testing.T) {
	s, c := start(t, New).(*sender), new(algorithms.Control)
	s.Start(0, flow(), c)
	hop := func(at core.Duration, tx core.Bytes) core.Hop {
		return s.format.Record(core.Time(at), 100*core.Gbps, tx, 125_000)
	}
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000, Next: 250_000, Hops: []core.Hop{hop(0, 0), hop(0, 0)}}, c)
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 2000, Next: 251_000, Hops: []core.Hop{hop(4*us, 50_000), hop(8*us, 100_000)}}, c)
	if !near(s.window.smooth, 1.1) {
		t.Errorf("smoothed %v, want 1.1: a power of 1.5 for a fifth of a round trip", s.window.smooth)
	}
}

// A link on which nothing arrives has no power; that counts for as long as any other value.
func TestPowerOfNothing(t *testing.T) {
	p := Defaults()
	p.MinArrival = 0
	s, c := algotest.Make(t, New, p).NewSender().(*sender), new(algorithms.Control)
	s.Start(0, flow(), c)
	for i, queue := range []core.Bytes{50_000, 0} { // 4 us apart, all the bytes sent come from the queue
		hop := s.format.Record(core.Time(core.Duration(i)*4*us), 100*core.Gbps, core.Bytes(i)*50_000, queue)
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: int64(i+1) * 1000, Next: 250_000, Hops: []core.Hop{hop}}, c)
	}
	if !near(s.window.smooth, 0.8) {
		t.Errorf("smoothed %v, want 0.8, after a fifth of a round trip without power", s.window.smooth)
	}
}

// Power is related to the window under which the acknowledged packet was sent (GETCWND of algorithm 1), which its stamp
// holds. A stamp that no sender of ours has written counts as none.
func TestWindowOfThePacket(t *testing.T) {
	hop := func(at core.Duration, tx core.Bytes) []core.Hop {
		f := core.FullINT(5)
		return []core.Hop{f.Record(core.Time(at), 100*core.Gbps, tx, 125_000)}
	}
	for _, c := range []struct{ stamp, old float64 }{
		{200_000, 200_000}, {250_000, 250_000}, {0, 250_000}, {-1, 250_000}, {250_001, 250_000}, {math.NaN(), 250_000}, {math.Inf(1), 250_000},
	} {
		s, answer := start(t, New).(*sender), new(algorithms.Control)
		s.Start(0, flow(), answer)
		if got := math.Float64frombits(answer.Stamp); !near(got, 250_000) {
			t.Fatalf("the first packets are stamped %v, want 250000", got)
		}
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000, Next: 250_000, Hops: hop(0, 0)}, answer)
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 2000, Next: 251_000, Hops: hop(20*us, 250_000), Aux: math.Float64bits(c.stamp)}, answer)
		if want := 0.9*(c.old/1.5+2500) + 25_000; !near(s.window.cwnd, want) || math.Float64frombits(answer.Stamp) != s.window.cwnd {
			t.Errorf("stamp %v: window %v, want %v", c.stamp, s.window.cwnd, want)
		}
	}
}

// theta-PowerTCP updates its window once a round trip and smooths at every ACK.
func TestThetaOnceARoundTrip(t *testing.T) {
	s, c := start(t, NewTheta).(*thetaSender), new(algorithms.Control)
	s.Start(0, flow(), c)
	ack := func(at core.Duration, acked, next int64, rtt core.Duration) {
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(at)}, Kind: algorithms.Ack, Acked: acked, Next: next, RTT: rtt}, c)
	}
	ack(20*us, 1000, 250_000, 30*us)
	if s.window.smooth != 1 {
		t.Errorf("after the first ACK, which only begins a measurement: smoothed %v, want 1", s.window.smooth)
	}
	ack(40*us, 2000, 251_000, 40*us)
	if s.window.smooth != 3 || c.Window != 250_000 {
		t.Errorf("within the round trip: smoothed %v, window %v; want 3 and 250KB", s.window.smooth, c.Window)
	}
	ack(60*us, 251_000, 500_000, 50*us)
	if want := 0.5; !near(s.window.smooth, (1+want)*2.5) {
		t.Errorf("smoothed %v, want 3.75", s.window.smooth)
	}
	if want := 0.9*(250_000/3.75+2500) + 25_000; !near(s.window.cwnd, want) {
		t.Errorf("window %v, want %v", s.window.cwnd, want)
	}
}

func start(t *testing.T, build func(Params) (algorithms.Scheme, error)) algorithms.Sender {
	t.Helper()
	s, err := build(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	return s.NewSender()
}

// The window never falls below its share of the lowest rate: a hundredth of 250,000 B.
func TestFloor(t *testing.T) {
	w := newWindow()
	w.cwnd, w.beta = 0, 0
	if w.update(0); !near(w.cwnd, 2500) {
		t.Errorf("window %v, want 2500", w.cwnd)
	}
}

// However short the path, the window lets a packet go; below it the rate makes the difference.
func TestWindowOfAPacket(t *testing.T) {
	f, p, w, c := flow(), Defaults(), new(window), new(algorithms.Control)
	f.MTU = 9000
	w.start(&p, f, c)
	if c.Window != 250_000 {
		t.Errorf("begins with %v, want 250KB", c.Window)
	}
	w.cwnd, w.beta = 0, 0
	w.update(0)
	if w.answer(c); c.Window != 9000 || c.Rate != core.RateOf(w.floor*8/w.tau) {
		t.Errorf("at the lowest rate: %v and %v, want 9KB and a hundredth of the line", c.Window, c.Rate)
	}
	f.BaseRTT = 80 * core.Nanosecond // a product of 1000 bytes
	if w.start(&p, f, c); w.cwnd != 9000 || w.beta != 90 || c.Window != 9000 {
		t.Errorf("on a path shorter than a packet: window %v, beta %v, %v; want 9000, 90, 9KB", w.cwnd, w.beta, c.Window)
	}
}

// An ACK without records, as of a packet that was made before its switches wrote any, says nothing.
func TestNoRecords(t *testing.T) {
	s, c := start(t, New).(*sender), new(algorithms.Control)
	s.Start(0, flow(), c)
	s.window.smooth = 2
	for i := range int64(2) {
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000 * (i + 1), Next: 250_000}, c)
	}
	if s.known || s.window.cwnd != s.window.bdp {
		t.Errorf("records known: %v; window %v, want %v", s.known, s.window.cwnd, s.window.bdp)
	}
}

// Counters of different ports are never subtracted: after Path the ACKs of what was sent before are not used, and the
// first one after them is only recorded.
func TestPathForgetsRecords(t *testing.T) {
	scheme := algotest.Make(t, New, Defaults())
	s, c := scheme.NewSender(), new(algorithms.Control)
	s.Start(0, flow(), c)
	format := core.FullINT(5)
	ack := func(acked, next int64, at core.Duration, tx core.Bytes) float64 {
		hop := format.Record(core.Time(at), 100*core.Gbps, tx, 125_000)
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: acked, Next: next, Hops: []core.Hop{hop}}, c)
		return s.(*sender).window.cwnd
	}
	ack(1000, 100_000, 1*us, 0)
	before := ack(2000, 101_000, 2*us, 12_500)
	s.Step(&algorithms.Signal{Kind: algorithms.Path, Next: 101_000}, c)
	if got := ack(101_000, 200_000, 3*us, 25_000); got != before {
		t.Errorf("an ACK of the former path moves the window from %v to %v", before, got)
	}
	if got := ack(102_000, 201_000, 4*us, 1e9); got != before {
		t.Errorf("the first record of a path moves the window from %v to %v", before, got)
	}
	if got := ack(103_000, 202_000, 5*us, 1e9+12_500); got == before {
		t.Errorf("the second record of a path leaves the window at %v", got)
	}
}

// Only the last measurement counts if it spans more than a round trip, as after a pause (algorithm 1).
func TestAfterAPause(t *testing.T) {
	w := newWindow()
	if w.measure(1.5, 10*w.tau); !near(w.smooth, 1.5) {
		t.Errorf("smoothed %v, want 1.5", w.smooth)
	}
}

// Of ACKs that arrive at the same time the first counts: no time passes in which an RTT could grow.
func TestThetaAtOneTime(t *testing.T) {
	s, c := start(t, NewTheta).(*thetaSender), new(algorithms.Control)
	s.Start(0, flow(), c)
	for _, ack := range []struct{ at, rtt core.Duration }{{20 * us, 30 * us}, {40 * us, 40 * us}, {40 * us, 90 * us}} {
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(ack.at)}, Kind: algorithms.Ack, Acked: 1000, Next: 250_000, RTT: ack.rtt}, c)
	}
	if !near(s.window.smooth, 3) || !near(s.rtt, 40e-6) {
		t.Errorf("smoothed %v after an RTT of %v s; want 3 and 40 us", s.window.smooth, s.rtt)
	}
}

// A round trip without queueing, of a packet with its stamp, has the power of a full link, 1.
func TestThetaCountsItsStamp(t *testing.T) {
	s, c := start(t, NewTheta).(*thetaSender), new(algorithms.Control)
	f := flow()
	f.Line, f.Hops = core.Gbps, 5
	s.Start(0, f, c)
	rtt := f.BaseRTT + 2*5*64*core.Nanosecond // 8 bytes on five links, there and back
	for i := range core.Duration(3) {
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(i * 20 * us)}, Kind: algorithms.Ack, Acked: 1000, Next: 2000, RTT: rtt}, c)
	}
	if !near(s.window.smooth, 1) {
		t.Errorf("smoothed power %v, want 1", s.window.smooth)
	}
}

// An ACK that was overtaken by a later one, on another way back, has no effect: power stays, and so does the newer
// record. Nor has one with the same record: no time has passed in it.
func TestOvertakenAck(t *testing.T) {
	s, c := start(t, New).(*sender), new(algorithms.Control)
	s.Start(0, flow(), c)
	f := core.FullINT(5)
	for i, ack := range []struct {
		at core.Duration
		tx core.Bytes
	}{{0, 0}, {20 * us, 250_000}, {10 * us, 50_000}, {20 * us, 250_000}, {40 * us, 500_000}} {
		hop := f.Record(core.Time(ack.at), 100*core.Gbps, ack.tx, 125_000)
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: int64(i+1) * 1000, Next: 250_000, Hops: []core.Hop{hop}}, c)
		if i > 0 && !near(s.window.smooth, 1.5) {
			t.Errorf("smoothed %v after the record of %v, want 1.5", s.window.smooth, ack.at)
		}
	}
}
