package dcqcnpaper

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// point is a reaction point of 40 Gb/s under test.
type point struct {
	*sender
	control algorithms.Control
	now     core.Time
}

func newPoint(t testing.TB, change func(*Params)) *point {
	t.Helper()
	p := Defaults()
	if change != nil {
		change(&p)
	}
	s := algotest.Make(t, New, p)
	pt := &point{sender: s.NewSender().(*sender)}
	f := algotest.NewFlow(1)
	f.Line = 40 * core.Gbps
	pt.Start(0, f, &pt.control)
	return pt
}

func (p *point) signal(s algorithms.Signal) {
	s.Now, s.Born = p.now, core.Never
	p.Step(&s, &p.control)
}

func (p *point) cnp() { p.signal(algorithms.Signal{Kind: algorithms.Notify}) }

// timer runs to the end of the timer cycle.
func (p *point) timer() {
	p.now = p.control.Wake
	p.signal(algorithms.Signal{Kind: algorithms.Timer})
}

func (p *point) want(t *testing.T, rate, target core.Rate) {
	t.Helper()
	if p.rate != rate || p.control.Rate != rate || p.target != target {
		t.Errorf("at %v: rate %v (answered %v), target %v; want %v and %v", p.now, p.rate, p.control.Rate, p.target, rate, target)
	}
}

func (p *point) wantAlpha(t *testing.T, want, tolerance float64) {
	t.Helper()
	if math.Abs(p.alpha.Value-want) > tolerance {
		t.Errorf("at %v: alpha %.10f, want %.10f", p.now, p.alpha.Value, want)
	}
}

// Check case 4.1.1: SIGCOMM 2015, equations 1 and 2.
func TestCheck4_1_1_FirstCNPAndDecay(t *testing.T) {
	p := newPoint(t, nil)
	p.cnp()
	p.want(t, 20*core.Gbps, 40*core.Gbps)
	p.wantAlpha(t, 1, 0)
	a := p.alpha
	a.Decay(core.Instant{Now: core.Time(55 * core.Microsecond), Born: core.Never})
	if a.Value != 0.99609375 {
		t.Errorf("after one timeout: alpha %v, want 0.99609375", a.Value)
	}
	a.Decay(core.Instant{Now: core.Time(5500 * core.Microsecond), Born: core.Never})
	if math.Abs(a.Value-0.676116) > 5e-7 {
		t.Errorf("after 100 timeouts: alpha %v, want 0.676116", a.Value)
	}
}

// Check case 4.1.2: SIGCOMM 2015, equation 3, four cycles of the timer; the fifth is an
// additive increase, which the line caps.
func TestCheck4_1_2_FastRecovery(t *testing.T) {
	p := newPoint(t, nil)
	p.cnp()
	for i, mbps := range []core.Rate{30_000, 35_000, 37_500, 38_750, 39_375} {
		if due := core.Time(core.Duration(i+1) * 55 * core.Microsecond); p.control.Wake != due {
			t.Errorf("cycle %d ends at %v, want %v", i+1, p.control.Wake, due)
		}
		p.timer()
		p.want(t, mbps*core.Mbps, 40*core.Gbps)
	}
	if p.step() != 40*core.Mbps {
		t.Errorf("step of the fifth cycle %v, want 40Mbps", p.step())
	}
}

// Check case 4.1.3: the decrease uses alpha as it was before the notification.
func TestCheck4_1_3_CutThenAlpha(t *testing.T) {
	p := newPoint(t, nil)
	p.rate, p.alpha.Value = 20*core.Gbps, 0.99609375
	p.cnp()
	p.want(t, 10_039_062_500, 20*core.Gbps)
	p.wantAlpha(t, 0.9961090088, 5e-11)

	p = newPoint(t, func(p *Params) { p.AlphaFirst = true })
	p.rate, p.alpha.Value = 20*core.Gbps, 0.99609375
	p.cnp()
	p.wantAlpha(t, 0.9961090088, 5e-11)
	p.want(t, core.Rate(20*core.Gbps).Scale(1-p.alpha.Value/2), 20*core.Gbps)
}

// Check case 4.1.4: SIGCOMM 2015, equation 4, additive and hyper increase.
func TestCheck4_1_4_Increase(t *testing.T) {
	for _, c := range []struct {
		timers, bytes int
		rate, target  core.Rate
	}{
		{7, 0, 9020 * core.Mbps, 10_040 * core.Mbps},
		{7, 7, 9100 * core.Mbps, 10_200 * core.Mbps},
	} {
		p := newPoint(t, nil)
		p.cnp()
		p.rate, p.target, p.timers, p.bytes = 8*core.Gbps, 10*core.Gbps, c.timers-1, c.bytes
		p.timer()
		p.want(t, c.rate, c.target)
	}
}

// Where the stages begin, for each stage rule.
func TestStages(t *testing.T) {
	for _, c := range []struct {
		ge            bool
		timers, bytes int
		want          core.Rate
	}{
		{false, 4, 4, 0}, {false, 5, 0, 40}, {false, 0, 5, 40}, {false, 5, 5, 40}, {false, 9, 5, 40}, {false, 6, 6, 100}, {false, 9, 7, 200},
		{true, 4, 4, 0}, {true, 5, 4, 40}, {true, 5, 5, 100}, {true, 6, 9, 200},
	} {
		p := newPoint(t, func(p *Params) { p.StageGE = c.ge })
		p.timers, p.bytes = c.timers, c.bytes
		if got := p.step(); got != c.want*core.Mbps {
			t.Errorf("stage_ge=%v, T=%d, BC=%d: step %v, want %v Mb/s", c.ge, c.timers, c.bytes, got, c.want)
		}
	}
}

// The byte counter: 10 MB end a cycle; a notification restarts it.
func TestByteCounter(t *testing.T) {
	p := newPoint(t, nil)
	p.signal(algorithms.Signal{Kind: algorithms.Sent, Bytes: 50_000_000})
	p.want(t, 40*core.Gbps, 40*core.Gbps)
	p.cnp()
	p.signal(algorithms.Signal{Kind: algorithms.Sent, Bytes: 9_999_999})
	p.want(t, 20*core.Gbps, 40*core.Gbps)
	p.signal(algorithms.Signal{Kind: algorithms.Sent, Bytes: 1001})
	p.want(t, 30*core.Gbps, 40*core.Gbps)
	if p.bytes != 1 || p.left != 9_999_000 {
		t.Errorf("%d cycles, %v left; want 1 and 9999000B", p.bytes, p.left)
	}
	p.signal(algorithms.Signal{Kind: algorithms.Sent, Bytes: 9_999_000})
	if p.bytes != 2 || p.left != 10_000_000 {
		t.Errorf("after 20 MB: %d cycles, %v left; want 2 and 10MB", p.bytes, p.left)
	}
	p.signal(algorithms.Signal{Kind: algorithms.Sent, Bytes: 5_000_000})
	p.cnp()
	if p.bytes != 0 || p.timers != 0 || p.left != 10_000_000 {
		t.Errorf("after a notification: BC=%d T=%d, %v left", p.bytes, p.timers, p.left)
	}
}

// clamp_target: whether a second notification before any increase moves the target.
func TestClampTarget(t *testing.T) {
	for _, c := range []struct {
		clamp     bool
		increases int
		target    core.Rate
	}{{true, 0, 20 * core.Gbps}, {false, 0, 40 * core.Gbps}, {false, 1, 30 * core.Gbps}} {
		p := newPoint(t, func(p *Params) { p.ClampTarget = c.clamp })
		p.cnp()
		for range c.increases {
			p.timer()
		}
		if p.cnp(); p.target != c.target {
			t.Errorf("clamp_target=%v after %d increases: target %v, want %v", c.clamp, c.increases, p.target, c.target)
		}
	}
}

// The rate never falls below min_rate, and a flow at the line rate has no timer.
func TestFloorAndLine(t *testing.T) {
	p := newPoint(t, nil)
	for range 100 {
		p.cnp()
	}
	p.want(t, core.Mbps, core.Mbps)
	for range 100_000 {
		if p.control.Wake == core.Never {
			break
		}
		p.timer()
	}
	p.want(t, 40*core.Gbps, 40*core.Gbps)
	if p.control.Wake != core.Never {
		t.Errorf("at the line rate the timer runs until %v", p.control.Wake)
	}
}

// The HPCC authors' FAST_RECOVERY_TIMES 1 is one increase that leaves the target alone, as in package dcqcn: the
// paper's F counts the cycle that ends fast recovery too.
func TestFastRecoveryOfTheHPCCAuthors(t *testing.T) {
	p := newPoint(t, func(p *Params) { p.Preset = "hpcc-sim"; p.UsePreset() })
	p.cnp()
	p.timer()
	p.cnp()
	target := p.target
	for i, want := range []core.Rate{target, target + 8*core.Mbps, target + 16*core.Mbps} {
		if p.timer(); p.target != want {
			t.Errorf("after %d increases: target %v, want %v", i+1, p.target, want)
		}
	}
}
