package timelypaper

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = float64(core.Microsecond)

func authors() *sender {
	p := Defaults()
	s := &scheme{common: p.common(), hai: p.HAIAfter}
	return &sender{scheme: s, rate: 10e9, ai: 10e6, line: 10e9, floor: 1}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// The first rate and the step are those given, otherwise the line's rate and a thousandth of it; no flow starts faster
// than the line.
func TestGivenValues(t *testing.T) {
	for _, c := range []struct {
		first, ai core.Rate
		want      core.Rate
		step      float64
	}{
		{0, 0, 10 * core.Gbps, 10e6}, {2 * core.Gbps, 70 * core.Mbps, 2 * core.Gbps, 70e6},
		{40 * core.Gbps, algorithms.None, 10 * core.Gbps, 0},
	} {
		p := Defaults()
		p.FirstRate, p.AI = c.first, c.ai
		s, control := algotest.Make(t, New, p).NewSender().(*sender), new(algorithms.Control)
		s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, MTU: 1000, BaseRTT: 10 * core.Microsecond}, control)
		if control.Rate != c.want || s.ai != c.step {
			t.Errorf("given %v and %v: first rate %v, step %v", c.first, c.ai, control.Rate, s.ai)
		}
	}
}

// Check case 7.3: the authors' form at 10 Gb/s, RTTs of 50, 60 and 55 us (Mittal et al., SIGCOMM 2015,
// algorithm 1, as in their released snippet).
func TestCheckCase3AuthorsForm(t *testing.T) {
	s := authors()
	s.observe(50 * us)
	for _, c := range []struct {
		rtt, gradient, rate float64
		falling             int
	}{{60, .01, 9.92e9, 0}, {55, .0048, 9.8819072e9, 1}} {
		g := s.observe(c.rtt * us)
		s.paper(c.rtt*us, g, 1)
		if !near(g, c.gradient) || !near(s.rate, c.rate) || s.falling != c.falling {
			t.Errorf("RTT %v us: gradient %v, rate %v, %d falling; want %v, %v, %d", c.rtt, g, s.rate, s.falling, c.gradient, c.rate, c.falling)
		}
	}
}

// Check case 7.4: the patched form at 10 Gb/s, gradient 0.1 and an RTT of 100 us (Zhu et al., CoNEXT
// 2016).
func TestCheckCase4Patched(t *testing.T) {
	p := PatchedDefaults()
	s := &sender{scheme: &scheme{common: p.common(), betaP: p.BetaP}, rate: 10e9, ai: 10e6}
	s.patched(100*us, 0.1)
	if !near(s.rate, 10e9*0.9944+3e6) {
		t.Errorf("rate %v, want 9.947e9", s.rate)
	}
}

// Patched TIMELY, the weight is 0 up to a gradient of -1/4 and 1 from 1/4.
func TestPatchedWeight(t *testing.T) {
	p := PatchedDefaults()
	for gradient, w := range map[float64]float64{-1: 0, -.25: 0, -.1: .3, 0: .5, .2: .9, .25: 1, 3: 1} {
		s := &sender{scheme: &scheme{common: p.common(), betaP: p.BetaP}, rate: 1e9, ai: 1e7}
		s.patched(75*us, gradient)
		if want := 1e7*(1-w) + 1e9*(1-0.008*w*0.5); !near(s.rate, want) {
			t.Errorf("gradient %v: rate %v, want %v", gradient, s.rate, want)
		}
	}
}

// At the fixed point R beta_p (rtt - t_low)/t_low = ai of a constant RTT nothing changes.
func TestPatchedFixedPoint(t *testing.T) {
	p := PatchedDefaults()
	s := &sender{scheme: &scheme{common: p.common(), betaP: p.BetaP}, rate: 1e9, ai: 1e7}
	rtt := 50 * us * (1 + 1e7/(1e9*0.008))
	s.patched(rtt, 0)
	if !near(s.rate, 1e9) {
		t.Errorf("rate %v, want it unchanged", s.rate)
	}
}

// The branches of both forms outside their gradient bands, which include the thresholds (new_rtt < T_low and
// new_rtt > T_high in algorithm 1).
func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		name    string
		rtt, df float64
		tLow    core.Duration
		want    float64
	}{
		{"below t_low, half a minimum RTT after the last", 40, .5, 50 * core.Microsecond, 1e9 + 5e6},
		{"above t_high", 2000, 1, 0, 1e9 * (1 - .8*.5)},
		{"above t_high, half a minimum RTT after the last", 2000, .5, 0, 1e9 * (1 - .4*.5)},
		{"far above t_high: at most halved", 1e6, 1, 0, .5e9},
		{"at t_low", 50, 1, 50 * core.Microsecond, 1e9 * (1 - .8*.1)},
		{"at t_high", 1000, 1, 0, 1e9 * (1 - .8*.1)},
	} {
		s := authors()
		s.rate, s.scheme.tLow = 1e9, c.tLow
		s.paper(c.rtt*us, 0.1, c.df)
		if !near(s.rate, c.want) {
			t.Errorf("%s: rate %v, want %v", c.name, s.rate, c.want)
		}
	}
	p := PatchedDefaults()
	for rtt, want := range map[float64]float64{40: 1e9 + 1e7, 50: 1e9 + .3*1e7, 500: 1e9*(1-.008*.7*9) + .3*1e7, 1000: 0.6e9} {
		s := &sender{scheme: &scheme{common: p.common(), betaP: p.BetaP}, rate: 1e9, ai: 1e7}
		s.patched(rtt*us, 0.1)
		if !near(s.rate, want) {
			t.Errorf("patched, RTT %v us: rate %v, want %v", rtt, s.rate, want)
		}
	}
}

// The fifth falling RTT in a row makes the increase five times as large; a rise ends the row.
func TestHyperActiveIncrease(t *testing.T) {
	s := authors()
	s.rate = 1e9
	for i, rtt := range []float64{100, 99, 98, 97, 96, 95, 94} {
		before := s.rate
		s.paper(rtt*us, s.observe(rtt*us), 1)
		want := 10e6
		if i >= 5 {
			want = 50e6
		}
		if !near(s.rate-before, want) {
			t.Errorf("RTT %v us: increase %v, want %v", rtt, s.rate-before, want)
		}
	}
	if s.observe(94 * us); s.falling != 0 {
		t.Errorf("%d falling RTTs after one that stayed, want 0", s.falling)
	}
}

// One evaluation per segment, of the RTT less the packet's own serialisation; df is relative to the
// previous one.
func TestSegments(t *testing.T) {
	p := Defaults()
	p.Segment = 2000
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender().(*sender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, MTU: 1000, BaseRTT: 13 * core.Microsecond}, c)
	s.rate = 5e9
	ack := func(at core.Duration) {
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Instant: core.Instant{Now: core.Time(at)}, Bytes: 1000, RTT: 30 * core.Microsecond}, c)
	}
	ack(10 * core.Microsecond)
	if s.rtt != 0 || s.rate != 5e9 {
		t.Error("evaluated before the segment's end")
	}
	ack(30 * core.Microsecond)
	if want := 29.2 * us; s.rtt != want {
		t.Errorf("RTT %v ps, want %v", s.rtt, want)
	}
	if s.rate != 5.01e9 {
		t.Errorf("rate %v after a minimum RTT, want 5.01e9", s.rate)
	}
	ack(34 * core.Microsecond)
	ack(35 * core.Microsecond)
	if s.rate != 5.0125e9 {
		t.Errorf("rate %v a quarter of a minimum RTT later, want 5.0125e9", s.rate)
	}
	for i, bytes := range []core.Bytes{1999, 1} { // a segment is counted from 0 again
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Instant: core.Instant{Now: core.Time(55 * core.Microsecond)}, Bytes: bytes, RTT: 30 * core.Microsecond}, c)
		if evaluated := s.rate != 5.0125e9; evaluated != (i == 1) {
			t.Errorf("after an ACK of %d bytes: rate %v", bytes, s.rate)
		}
	}
}
