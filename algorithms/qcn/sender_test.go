package qcn

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// point is a reaction point of 10 Gb/s under test.
type point struct {
	*sender
	control algorithms.Control
	now     core.Time
}

func newPoint(t testing.TB, p Params) *point {
	t.Helper()
	s := algotest.Make(t, New, p)
	pt := &point{sender: s.NewSender().(*sender)}
	f := algotest.NewFlow(1)
	f.Line, f.MTU = 10*core.Gbps, 1500
	pt.Start(0, f, &pt.control)
	return pt
}

func (p *point) signal(s algorithms.Signal) {
	s.Now, s.Born = p.now, core.Never
	p.Step(&s, &p.control)
}

func (p *point) cnm(feedback int32) {
	p.signal(algorithms.Signal{Kind: algorithms.Switch, Feedback: feedback})
}

func (p *point) sent(n core.Bytes) { p.signal(algorithms.Signal{Kind: algorithms.Sent, Bytes: n}) }

// at sets the limiter's state.
func (p *point) at(target, rate core.Rate, bytes, timer int) {
	p.cnm(1)
	p.target, p.rate = target, rate
	p.cycles.bytes, p.cycles.timer = bytes, timer
}

func (p *point) want(t *testing.T, rate, target core.Rate) {
	t.Helper()
	if p.rate != rate || p.control.Rate != rate || p.target != target {
		t.Errorf("rate %v (answered %v), target %v; want %v and %v", p.rate, p.control.Rate, p.target, rate, target)
	}
}

// Check case 1.5.3: the first CNM, and five cycles of fast recovery (QCN-T, equations 2
// and 3). With the standard's rule the fifth cycle raises the target, which the line caps.
func TestCheck1_5_3_FastRecovery(t *testing.T) {
	for _, rule := range []string{"pseudo", "8021Q"} {
		params := steady(Defaults())
		params.StageRule = rule
		p := newPoint(t, params)
		p.cnm(32)
		p.want(t, 7500*core.Mbps, 10*core.Gbps)
		for i, mbps := range []core.Rate{8750_000, 9375_000, 9687_500, 9843_750, 9921_875} {
			p.sent(149_999)
			before := p.rate
			if p.sent(1); p.rate == before {
				t.Errorf("%s: cycle %d has not ended after 150 KB", rule, i+1)
			}
			p.want(t, mbps*core.Kbps, 10*core.Gbps)
		}
	}
	p := newPoint(t, steady(Defaults()))
	p.cnm(63)
	if want := core.Rate(10 * core.Gbps).Scale(0.5078125); p.rate != want {
		t.Errorf("feedback 63: rate %v, want %v", p.rate, want)
	}
}

// Where the stages begin: the multiple of the step, for each stage rule. The rules differ at the
// 4th and 5th cycles; both begin hyper-active increase with a single step.
func TestStageRules(t *testing.T) {
	for _, c := range []struct {
		rule         string
		bytes, timer int
		want         core.Rate
	}{
		{"pseudo", 5, 5, 0}, {"pseudo", 6, 5, 5}, {"pseudo", 5, 6, 5}, {"pseudo", 6, 6, 50}, {"pseudo", 9, 7, 100},
		{"8021Q", 4, 4, 0}, {"8021Q", 5, 4, 5}, {"8021Q", 4, 5, 5}, {"8021Q", 5, 5, 50}, {"8021Q", 9, 6, 100},
	} {
		params := steady(Defaults())
		params.StageRule = c.rule
		p := newPoint(t, params)
		p.at(core.Gbps, core.Gbps, c.bytes, c.timer)
		if got := p.step(); got != c.want*core.Mbps {
			t.Errorf("%s after %d byte and %d timer cycles: step %v, want %v Mb/s", c.rule, c.bytes, c.timer, got, c.want)
		}
	}
}

// Check case 1.5.4: extra fast recovery, and the first hyper-active step.
func TestCheck1_5_4_ExtraFastRecoveryAndHyper(t *testing.T) {
	p := newPoint(t, steady(Defaults()))
	p.at(10*core.Gbps, 500*core.Mbps, 0, 0)
	p.sent(150_000)
	p.want(t, 875*core.Mbps, 1250*core.Mbps)

	p.at(core.Gbps, 900*core.Mbps, 6, 6)
	p.sent(150_000) // byte cycle 7
	p.want(t, 975*core.Mbps, 1050*core.Mbps)

	p.at(5*core.Gbps, 500*core.Mbps, 0, 0) // not above ten times the rate
	p.sent(150_000)
	p.want(t, 2750*core.Mbps, 5*core.Gbps)

	p.at(5008*core.Mbps, 500*core.Mbps, 0, 0) // just above
	p.sent(150_000)
	p.want(t, 563*core.Mbps, 626*core.Mbps)

	p.at(10*core.Gbps, 500*core.Mbps, 1, 0) // byte cycle 2: no first one
	p.sent(150_000)
	p.want(t, 5250*core.Mbps, 10*core.Gbps)

	p.at(10*core.Gbps, 500*core.Mbps, 3, 0)
	p.now = p.control.Wake // timer cycle 1
	p.signal(algorithms.Signal{Kind: algorithms.Timer})
	p.want(t, 875*core.Mbps, 1250*core.Mbps)
}

// A CNM counts for at most the greatest feedback, begins the count of cycles again, and moves the running gap.
func TestCNM(t *testing.T) {
	p := newPoint(t, steady(Defaults()))
	p.cnm(100)
	if want := core.Rate(10 * core.Gbps).Scale(0.5078125); p.rate != want || p.control.Do != algorithms.Repace {
		t.Errorf("feedback 100: rate %v, orders %b; want %v as for 63", p.rate, p.control.Do, want)
	}
	p.cycles.bytes, p.cycles.timer = 3, 4
	if p.cnm(1); p.cycles.bytes != 0 || p.cycles.timer != 0 {
		t.Errorf("%d byte and %d timer cycles after a CNM", p.cycles.bytes, p.cycles.timer)
	}
}

// QCN-T, equation 4: active increase.
func TestActiveIncrease(t *testing.T) {
	p := newPoint(t, steady(Defaults()))
	p.at(core.Gbps, 900*core.Mbps, 5, 0)
	p.sent(150_000)
	p.want(t, 952_500*core.Kbps, 1005*core.Mbps)
}

// The timer ends cycles too: full ones up to the threshold, then half as long.
func TestTimerCycles(t *testing.T) {
	p := newPoint(t, steady(Defaults()))
	p.cnm(63)
	for i, ms := range []float64{15, 30, 45, 60, 75, 82.5, 90} {
		due := core.Time(ms * float64(core.Millisecond))
		if p.control.Wake != due {
			t.Fatalf("cycle %d ends at %v, want %v", i+1, p.control.Wake, due)
		}
		p.now = due
		p.signal(algorithms.Signal{Kind: algorithms.Timer})
		if p.cycles.timer != i+1 {
			t.Errorf("at %v: %d cycles, want %d", due, p.cycles.timer, i+1)
		}
	}
}

// The halving rule: with hyper, cycles of active increase are full.
func TestHalving(t *testing.T) {
	for _, c := range []struct {
		rule         string
		bytes, timer int
		want         core.Bytes
	}{
		{"active", 4, 0, 150_000}, {"active", 5, 0, 75_000}, {"active", 8, 8, 75_000},
		{"hyper", 5, 0, 150_000}, {"hyper", 8, 5, 150_000}, {"hyper", 8, 6, 75_000},
	} {
		params := steady(Defaults())
		params.Halve = c.rule
		p := newPoint(t, params)
		p.at(core.Gbps, core.Gbps, c.bytes, c.timer)
		if p.cycles.restartBytes(p.rate); p.cycles.left != c.want {
			t.Errorf("%s after %d and %d cycles: %v, want %v", c.rule, c.bytes, c.timer, p.cycles.left, c.want)
		}
	}
}

// The target rule: which of several decreases moves the target.
func TestTargetRules(t *testing.T) {
	for _, c := range []struct {
		rule         string
		bytes, timer int
		moves        bool
	}{
		{"cycle", 0, 0, false}, {"cycle", 0, 1, false}, {"cycle", 1, 0, true},
		{"stage", 0, 0, false}, {"stage", 0, 1, true}, {"stage", 1, 0, true},
		{"always", 0, 0, true},
	} {
		params := steady(Defaults())
		params.Target = c.rule
		p := newPoint(t, params)
		p.at(9*core.Gbps, 8*core.Gbps, c.bytes, c.timer)
		p.cycles.left = 1000
		p.cnm(32)
		target, left := 9*core.Gbps, core.Bytes(1000)
		if c.moves {
			target, left = 8*core.Gbps, 150_000
		}
		p.want(t, 6*core.Gbps, target)
		if p.cycles.left != left {
			t.Errorf("%s after %d and %d cycles: %v left of the byte cycle, want %v", c.rule, c.bytes, c.timer, p.cycles.left, left)
		}
	}
}

// A decrease is limited by min_dec_fac and min_rate; a flow without CNM has no limiter, and
// loses it again at the line rate.
func TestLimits(t *testing.T) {
	params := steady(Defaults())
	params.Gd, params.MinDecFac = 6, 0.75
	p := newPoint(t, params)
	p.sent(10_000_000)
	p.cnm(0)
	if p.control.Wake != core.Never || p.control.Rate != 10*core.Gbps {
		t.Errorf("before any CNM: %+v", p.control)
	}
	p.cnm(63)
	p.want(t, 7500*core.Mbps, 10*core.Gbps)
	for range 100 {
		p.cnm(63)
	}
	p.want(t, 5*core.Mbps, 10*core.Gbps)
	for range 10_000 {
		p.sent(150_000)
	}
	if p.limited || p.control.Rate != 10*core.Gbps || p.control.Wake != core.Never {
		t.Errorf("recovered: limited %v, %+v", p.limited, p.control)
	}
}

// Above 10 Gb/s cycles and steps grow with the line, so that times stay the same, but not with the preset mib.
func TestScaledSteps(t *testing.T) {
	for _, c := range []struct {
		preset string
		line   core.Rate
		times  core.Rate
	}{{"scaled", core.Gbps, 1}, {"scaled", 10 * core.Gbps, 1}, {"scaled", 400 * core.Gbps, 40}, {"mib", 400 * core.Gbps, 1}} {
		params := steady(TimerDefaults())
		if err := algorithms.SetParam(&params, "preset", c.preset); err != nil {
			t.Fatal(err)
		}
		s, f := &sender{p: &params}, algotest.NewFlow(1)
		f.Line = c.line
		s.Start(0, f, new(algorithms.Control))
		got := []core.Rate{s.ai, s.hai, s.floor, core.Rate(s.cycles.byteReset)}
		if want := []core.Rate{c.times * 5 * core.Mbps, c.times * 50 * core.Mbps, c.times * 5 * core.Mbps, c.times * 150_000}; !slices.Equal(got, want) {
			t.Errorf("%s at %v: ai, hai, min_rate and byte_reset %v, want %v", c.preset, c.line, got, want)
		}
		if want := core.Exact.TxTime(1_500_000*core.Bytes(c.times), c.line); s.cycles.timeReset != want {
			t.Errorf("%s at %v: period %v, want %v", c.preset, c.line, s.cycles.timeReset, want)
		}
	}
}

// Check case 3.3: the adaptive byte counter's cycle takes 240 us at any rate, and is at least one packet (Hayashi et
// al., ICDCSW 2011).
func TestCheck3_3_AdaptiveByteCounter(t *testing.T) {
	p := newPoint(t, steady(AdaptiveDefaults()))
	for _, c := range []struct {
		rate core.Rate
		want core.Bytes
	}{{10 * core.Gbps, 300_000}, {5 * core.Gbps, 150_000}, {10 * core.Mbps, 1500}} {
		if got := p.cycles.byteCycle(c.rate); got != c.want {
			t.Errorf("at %v: %v, want %v", c.rate, got, c.want)
		}
	}
	p.cnm(32)
	if p.cycles.left != 225_000 {
		t.Errorf("after a cut to 7.5 Gb/s: %v, want 225KB", p.cycles.left)
	}
}

// Check case 2.1: with QCN-T as reconstructed, flows of 0.2 and 0.8 Gb/s end equally many cycles;
// QCN's byte counters end four times as many for the faster flow.
func TestCheck2_1_SameCyclesAtAllRates(t *testing.T) {
	count := func(params Params, rate core.Rate) int {
		p := newPoint(t, params)
		p.cnm(1)
		cycles := 0
		for until := core.Time(100 * core.Millisecond); p.now < until; {
			p.rate, p.target = rate, rate
			before := p.cycles.bytes + p.cycles.timer
			p.sent(1500)
			cycles += p.cycles.bytes + p.cycles.timer - before
			p.cycles.bytes, p.cycles.timer = 0, 0 // stay in fast recovery
			p.now = p.now.Add(core.Exact.TxTime(1500, rate))
		}
		return cycles
	}
	slow, fast := count(steady(TimerDefaults()), 200*core.Mbps), count(steady(TimerDefaults()), 800*core.Mbps)
	if slow != fast || slow != 83 { // 100 ms / 1.2 ms
		t.Errorf("qcn-t: %d and %d cycles, want 83 each", slow, fast)
	}
	params := steady(Defaults())
	params.TimeReset = core.Second
	slow, fast = count(params, 200*core.Mbps), count(params, 800*core.Mbps)
	if fast < 4*slow || fast > 4*slow+4 {
		t.Errorf("qcn: %d and %d cycles, want 1:4", slow, fast)
	}
}

// Check case 2.2: with T = 1.2 ms cycles end every 1.2 ms up to the threshold, then every
// 0.6 ms.
func TestCheck2_2_TimerPeriod(t *testing.T) {
	p := newPoint(t, steady(TimerDefaults()))
	p.cnm(63)
	for i, us := range []core.Duration{1200, 2400, 3600, 4800, 6000, 6600, 7200, 7800} {
		due := core.Time(us * core.Microsecond)
		if p.control.Wake != due {
			t.Fatalf("cycle %d ends at %v, want %v", i+1, p.control.Wake, due)
		}
		p.now = due
		p.signal(algorithms.Signal{Kind: algorithms.Timer})
	}
	given := steady(TimerDefaults())
	given.Period = 3 * core.Millisecond
	p = newPoint(t, given)
	if p.cnm(63); p.control.Wake != core.Time(3*core.Millisecond) {
		t.Errorf("period=3ms: the first cycle ends at %v", p.control.Wake)
	}
	before := p.target
	if p.cnm(1); p.target != before {
		t.Errorf("a decrease before a cycle has ended moves the target from %v to %v", before, p.target)
	}
}

// Check case 2.3: five cycles of fast recovery and one of active increase.
func TestCheck2_3_TimerStages(t *testing.T) {
	p := newPoint(t, steady(TimerDefaults()))
	p.at(10*core.Gbps, 5*core.Gbps, 0, 0)
	for _, kbps := range []core.Rate{7500_000, 8750_000, 9375_000, 9687_500, 9843_750, 9921_875} {
		p.now = p.control.Wake
		p.signal(algorithms.Signal{Kind: algorithms.Timer})
		p.want(t, kbps*core.Kbps, 10*core.Gbps)
	}
	if p.step() != 5*core.Mbps {
		t.Errorf("after 6 cycles: step %v, want 5Mbps", p.step())
	}
	p.cycles.timer = 12
	if p.step() != 100*core.Mbps {
		t.Errorf("after 12 cycles: step %v, want 100Mbps", p.step())
	}
	p.p.HyperAfter = 0
	if p.step() != 5*core.Mbps {
		t.Errorf("after 12 cycles without a hyper-active stage: step %v, want 5Mbps", p.step())
	}
	p.rate = 9 * core.Gbps
	if p.cnm(32); p.target != 9*core.Gbps {
		t.Errorf("a decrease after cycles of the timer leaves the target at %v", p.target)
	}
}

// Cycles that are longer than any run, or of more bytes than there are, do not end.
func TestEndlessCycles(t *testing.T) {
	p := Defaults()
	p.Jitter, p.TimeReset, p.ByteReset = 0.9, core.Duration(core.Never)-1, core.Unlimited-1
	for range 20 {
		pt := newPoint(t, p)
		pt.now = core.Time(core.Microsecond)
		pt.cnm(60)
		pt.cycles.restartBytes(pt.rate)
		pt.cycles.restartTimer()
		if pt.cycles.left < core.Unlimited/100 || pt.cycles.due < core.Never/100 {
			t.Fatalf("the next cycle ends after %v, or at %v", pt.cycles.left, pt.cycles.due)
		}
	}
	p = AdaptiveDefaults()
	p.ByteTime = core.Duration(core.Never) - 1
	pt := newPoint(t, p)
	if got := pt.cycles.byteCycle(1000 * core.Tbps); got != core.Unlimited {
		t.Errorf("a byte cycle of 106 days at 1000 Tb/s: %v", got)
	}
	p = TimerDefaults()
	p.ByteReset = core.Unlimited - 1
	if pt := newPoint(t, p); pt.cycles.timeReset < core.Duration(core.Never)/100 {
		t.Errorf("ten cycles of %v take %v", p.ByteReset, pt.cycles.timeReset)
	}
}
