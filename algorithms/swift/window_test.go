package swift

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// Check case 13.1: the target over four hops with flow scaling of up to 100 us (Kumar et al., SIGCOMM
// 2020, its topology-based and flow-based scaling).
func TestCheckCase1Target(t *testing.T) {
	p := Defaults()
	target := newTarget(&p, &algorithms.Flow{Hops: 4})
	ns := func(ps float64) float64 { return ps / 1e6 }
	if !near(ns(target.a), 32.655432, 1e-6) || !near(ns(target.b), -3.265543, 1e-6) {
		t.Errorf("a = %v, b = %v us", ns(target.a), ns(target.b))
	}
	for cwnd, want := range map[float64]float64{0.1: 100, 1: 29.389889, 10: 7.061011, 100: 0, 0.01: 100, 1000: 0} {
		if got := ns(target.scaling(cwnd)); !near(got, want, 1e-6) {
			t.Errorf("flow scaling at %v packets: %v us, want %v", cwnd, got, want)
		}
	}
	for cwnd, want := range map[float64]float64{10: 39.274752, 1: 61.603629} {
		if got := ns(float64(target.at(cwnd))); !near(got, want, 2e-6) {
			t.Errorf("target at %v packets: %v us, want %v", cwnd, got, want)
		}
	}
}

// Check cases 13.2 and 13.3: decreases from 10 packets at delays of 30 and 100 us against 25,
// and the increases above and below one packet (Kumar et al., SIGCOMM 2020, algorithm 1).
func TestCheckCases2And3Window(t *testing.T) {
	p := Defaults()
	for _, c := range []struct {
		cwnd   float64
		delay  core.Duration
		want   float64
		falls  bool
		reason string
	}{
		{10, 30 * us, 10 * (1 - .8*5/30), true, "in proportion"},
		{10, 100 * us, 5, true, "at most max_mdf"},
		{10, 10 * us, 10.1, false, "additive"},
		{.5, 10 * us, 1.5, false, "a packet per packet"},
	} {
		w := window{p: &p, cwnd: c.cwnd, most: 1000}
		w.delayed(core.Time(50*us), 1, c.delay, 25*us, 40*us)
		if !near(w.cwnd, c.want, 1e-9) || (w.reduced != 0) != c.falls {
			t.Errorf("%s: %v packets, reduced at %v; want %v", c.reason, w.cwnd, w.reduced, c.want)
		}
	}
}

func TestOneDecreasePerRoundTrip(t *testing.T) {
	p := Defaults()
	w := window{p: &p, cwnd: 10, most: 1000}
	for _, c := range []struct {
		at   core.Duration
		want float64
	}{{39 * us, 10}, {40 * us, 5}, {79 * us, 5}, {80 * us, 2.5}} {
		w.delayed(core.Time(c.at), 1, 100*us, 25*us, 40*us)
		if w.cwnd != c.want {
			t.Errorf("at %v: %v packets, want %v", c.at, w.cwnd, c.want)
		}
	}
	if w.lost(core.Time(100*us), 40*us); w.cwnd != 2.5 {
		t.Errorf("a loss 20 us after a decrease: %v packets, want 2.5", w.cwnd)
	}
	if w.lost(core.Time(120*us), 40*us); w.cwnd != 1.25 {
		t.Errorf("a loss 40 us after a decrease: %v packets, want 1.25", w.cwnd)
	}
}

func newSender(t *testing.T, p Params) (*sender, *algorithms.Control) {
	t.Helper()
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender().(*sender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, MTU: 1000, Packet: 1250, BaseRTT: 40 * us, Hops: 4}, c)
	return s, c
}

// The target's part per hop is the given one, otherwise the base target divided by 6.55, as in htsim.
func TestTargetPerHop(t *testing.T) {
	for given, want := range map[core.Duration]float64{0: float64(100*us) * (1 + 4/6.55), 3 * us: float64(112 * us)} {
		p := Defaults()
		p.BaseTarget, p.PerHop = 100*us, given
		if s, _ := newSender(t, p); math.Abs(s.target.base-want) > 1 {
			t.Errorf("%v per hop: target %v ps over 4 hops, want %v", given, s.target.base, want)
		}
	}
}

// The increase is ai for a window's worth of ACKs, below one packet ai for each (algorithm 1).
func TestIncrease(t *testing.T) {
	p := Defaults()
	p.AI = 3
	for _, c := range []struct{ cwnd, packets, want float64 }{{8, 1, 8.375}, {8, 2, 8.75}, {1, 1, 4}, {.5, 1, 3.5}, {.5, .25, 1.25}} {
		w := window{p: &p, cwnd: c.cwnd, most: 1000}
		if w.delayed(0, c.packets, 10*us, 25*us, 40*us); w.cwnd != c.want {
			t.Errorf("%+v: %v packets", c, w.cwnd)
		}
	}
}

// A window stays within its bounds, from the first one on.
func TestBounds(t *testing.T) {
	p := Defaults()
	p.MinCwnd, p.MaxCwnd = 0.4, 20
	for first, want := range map[float64]float64{0.1: 0.4, 1: 1, 30: 20} {
		p.FirstCwnd = first
		if s, _ := newSender(t, p); s.fabric.cwnd != want || s.endpoint.cwnd != want {
			t.Errorf("first_cwnd=%v: %v and %v packets, want %v", first, s.fabric.cwnd, s.endpoint.cwnd, want)
		}
	}
	w := window{p: &p, cwnd: 1, most: 20}
	for i := range core.Duration(5) {
		w.delayed(core.Time((i+1)*core.Millisecond), 1, core.Millisecond, 25*us, 40*us)
	}
	if w.cwnd != 0.4 {
		t.Errorf("after five decreases from 1: %v packets, want 0.4", w.cwnd)
	}
	if w.delayed(core.Time(core.Second), 1000, us, 25*us, 40*us); w.cwnd != 20 {
		t.Errorf("after 1000 ACKs: %v packets, want 20", w.cwnd)
	}
}

// Check case 13.4: half a packet at an RTT of 40 us is a packet every 80 us, including its transmission.
func TestCheckCase4Gap(t *testing.T) {
	p := Defaults()
	p.FirstCwnd = 0.5
	_, c := newSender(t, p)
	if c.Gap != 79*us || c.Window != 1000 {
		t.Errorf("gap %v and window %v, want 79us and 1000B", c.Gap, c.Window)
	}
	scheme := algotest.Make(t, New, p)
	slow := scheme.NewSender()
	if slow.Start(0, &algorithms.Flow{Line: 10 * core.Mbps, MTU: 1000, Packet: 1250, BaseRTT: 400 * us}, c); c.Gap != 0 {
		t.Errorf("a packet takes longer than 800us: gap %v, want none", c.Gap)
	}
	for _, p.FirstCwnd = range []float64{1, 2.5} { // only windows below one packet are paced (algorithm 1)
		if _, c = newSender(t, p); c.Gap != 0 || c.Window != core.Bytes(1000*p.FirstCwnd) {
			t.Errorf("%v packets: gap %v and window %v, want none and as much", p.FirstCwnd, c.Gap, c.Window)
		}
	}
}

// The RTT used for decreases and gaps is the first one, smoothed by an eighth (RFC 6298, eqs. 2.2 and 2.3).
func TestSmoothedRTT(t *testing.T) {
	s, c := newSender(t, Defaults())
	for _, x := range []struct {
		rtt  core.Duration
		want float64 // us
	}{{80 * us, 80}, {80 * us, 80}, {40 * us, 75}} {
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(100 * us)}, Kind: algorithms.Ack, Bytes: 1000, RTT: x.rtt}, c)
		if !near(s.rtt, x.want*float64(us), 1) {
			t.Errorf("after an ACK at %v: %v ps, want %v us", x.rtt, s.rtt, x.want)
		}
	}
}

// Defaults fit the path: no target below the round trip without queueing, which would bring every window down to the
// minimum, and no bound below the window that fills the line.
func TestDefaultsFitThePath(t *testing.T) {
	for _, c := range []struct {
		line   core.Rate
		rtt    core.Duration
		target core.Duration // without hops and flow scaling
		most   float64
	}{
		{100 * core.Gbps, 12 * us, 20 * us, 1000},
		{1600 * core.Gbps, 12 * us, 20 * us, 2400},
		{100 * core.Gbps, 200 * us, 200 * us, 2500},
		{10 * core.Mbps, 3000 * us, 3000 * us, 1000},
	} {
		s := algotest.Make(t, New, Defaults()).NewSender().(*sender)
		s.Start(0, &algorithms.Flow{Line: c.line, MTU: 1000, BaseRTT: c.rtt}, new(algorithms.Control))
		for i := range 3000 {
			s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(i)}, Kind: algorithms.Ack, Bytes: 1_000_000, RTT: 2 * us}, new(algorithms.Control))
		}
		if got := s.target.at(1000); got != c.target || s.fabric.cwnd != c.most {
			t.Errorf("%v and %v: target %v, largest window %v; want %v and %v", c.line, c.rtt, got, s.fabric.cwnd, c.target, c.most)
		}
	}
}

// The fifth time-out in a row sets the smallest window; an ACK ends the series.
func TestTimeouts(t *testing.T) {
	p := Defaults()
	p.FirstCwnd = 16
	s, c := newSender(t, p)
	now := core.Time(0)
	timeout := func() {
		now += core.Time(core.Millisecond)
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: now}, Kind: algorithms.Loss, Flags: algorithms.Timeout}, c)
	}
	for range 4 {
		timeout()
	}
	if s.fabric.cwnd != 1 {
		t.Fatalf("after four time-outs: %v packets, want 1", s.fabric.cwnd)
	}
	s.Step(&algorithms.Signal{Instant: core.Instant{Now: now}, Kind: algorithms.Ack, Bytes: 1000, RTT: 10 * us}, c)
	if timeout(); s.fabric.cwnd != 1 {
		t.Errorf("a time-out after an ACK: %v packets, want 1", s.fabric.cwnd)
	}
	s.Step(&algorithms.Signal{Instant: core.Instant{Now: now}, Kind: algorithms.Ack, Flags: algorithms.IsNack, RTT: 10 * us}, c)
	for range 4 {
		timeout()
	}
	if s.fabric.cwnd == p.MinCwnd {
		t.Errorf("after a NACK four time-outs set the least window, want five")
	}
	timeout()
	if s.fabric.cwnd != p.MinCwnd || s.endpoint.cwnd != p.MinCwnd {
		t.Errorf("after five time-outs: %v and %v packets, want %v", s.fabric.cwnd, s.endpoint.cwnd, p.MinCwnd)
	}
}

// A slow receiving host reduces the endpoint's window but not the fabric's.
func TestEndpointDelay(t *testing.T) {
	p := Defaults()
	p.FirstCwnd = 10
	s, c := newSender(t, p)
	s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(core.Millisecond)}, Kind: algorithms.Ack, Bytes: 1000, RTT: 230 * us, HostTime: 200 * us}, c)
	if s.endpoint.cwnd != 6 || s.fabric.cwnd != 10.1 || c.Window != 6000 {
		t.Errorf("endpoint %v, fabric %v packets, window %v; want 6, 10.1, 6000B", s.endpoint.cwnd, s.fabric.cwnd, c.Window)
	}
}

// The endpoint's delay is smoothed, the fabric's is not (Kumar et al., SIGCOMM 2020, section 3.3): after one ACK of a host
// that took 200 us, five of one that takes none find 175, 153, 134, 117 and 103 us, above the target of 100 us, the
// sixth finds 90.
func TestEndpointDelayIsSmoothed(t *testing.T) {
	p := Defaults()
	p.FirstCwnd = 100
	s, c := newSender(t, p)
	host := 200 * us
	for k := range 7 {
		before := s.endpoint.cwnd
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.Time(core.Duration(k+1) * core.Millisecond)}, Kind: algorithms.Ack, Bytes: 1000, RTT: 300 * us, HostTime: host}, c)
		delay := 200 * math.Pow(7./8, float64(k))
		want := before * max(0.5, 1-0.8*(delay-100)/delay)
		if k == 6 {
			want = before + 1/before
		}
		if !near(s.endpoint.cwnd, want, 1e-6) {
			t.Errorf("ACK %d, after a delay of %.0f us: the endpoint's window goes from %v to %v, want %v", k, delay, before, s.endpoint.cwnd, want)
		}
		host = 0
	}
}

// After retx_reset time-outs in a row the window is the smallest; an ACK ends the series.
func TestTimeoutsInARow(t *testing.T) {
	p := Defaults()
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender().(*sender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 20 * us, MTU: 1000, Hops: 2}, c)
	for range 2 {
		for range p.RetxReset - 1 {
			s.Step(&algorithms.Signal{Kind: algorithms.Loss, Flags: algorithms.Timeout}, c)
		}
		if s.fabric.cwnd == p.MinCwnd {
			t.Fatalf("least window after %d time-outs in a row, want %d", s.timeouts, p.RetxReset)
		}
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Bytes: 1000, RTT: 20 * us}, c)
	}
	for range p.RetxReset {
		s.Step(&algorithms.Signal{Kind: algorithms.Loss, Flags: algorithms.Timeout}, c)
	}
	if s.fabric.cwnd != p.MinCwnd || s.endpoint.cwnd != p.MinCwnd {
		t.Errorf("windows %v and %v after %d time-outs in a row", s.fabric.cwnd, s.endpoint.cwnd, p.RetxReset)
	}
}

// A loss reduces both windows; an ACK whose delay equals the target, too little for an increase, reduces neither.
func TestLossAndTarget(t *testing.T) {
	p := Defaults()
	p.FirstCwnd = 16
	s, c := newSender(t, p)
	at := core.Instant{Now: core.Time(core.Millisecond)}
	s.Step(&algorithms.Signal{Instant: at, Kind: algorithms.Ack, Bytes: 1000, RTT: s.target.at(16) + 100*us, HostTime: 100 * us}, c)
	if s.fabric.cwnd != 16 || s.endpoint.cwnd != 16 {
		t.Errorf("delays of both targets: %v and %v packets, want 16", s.fabric.cwnd, s.endpoint.cwnd)
	}
	s.Step(&algorithms.Signal{Instant: at, Kind: algorithms.Ack, Flags: algorithms.IsNack}, c)
	if s.fabric.cwnd != 8 || s.endpoint.cwnd != 8 {
		t.Errorf("after a loss: %v and %v packets, want 8", s.fabric.cwnd, s.endpoint.cwnd)
	}
}

// A gap that falls is to hold for the packet that has just been sent, one that rises is not.
func TestFallingGap(t *testing.T) {
	p := Defaults()
	p.FirstCwnd, p.MinCwnd = 0.5, 0.001
	s, c := newSender(t, p)
	at := core.Instant{Now: core.Time(core.Millisecond)}
	for _, signal := range []algorithms.Signal{
		{Instant: at, Kind: algorithms.Ack, Flags: algorithms.IsNack},
		{Instant: at, Kind: algorithms.Ack, Bytes: 1000, RTT: us},
	} {
		before := c.Gap
		c.Do = 0
		s.Step(&signal, c)
		if fell := c.Gap < before; before == c.Gap || fell != (c.Do&algorithms.Repace != 0) {
			t.Errorf("%+v: from %v to %v, orders %b", signal, before, c.Gap, c.Do)
		}
	}
}

// A target or a gap that is longer than any run stays one.
func TestEndlessTargetAndGap(t *testing.T) {
	p := Defaults()
	p.BaseTarget = core.Duration(core.Never) - 1
	target := newTarget(&p, &algorithms.Flow{Hops: 4})
	if got := target.at(1); got != core.Duration(core.Never) {
		t.Errorf("target %v", got)
	}
	p = Defaults()
	p.MinCwnd, p.FirstCwnd = 1e-6, 1e-6
	s, f := sender{p: &p}, algotest.NewFlow(1)
	f.BaseRTT = 4 * 3600 * core.Second
	var c algorithms.Control
	s.Start(0, f, &c)
	if c.Gap < core.Duration(core.Never)/2 {
		t.Errorf("gap %v", c.Gap)
	}
}
