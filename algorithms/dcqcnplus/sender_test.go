package dcqcnplus

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// point is a reaction point of 100 Gb/s with an MTU of 1000 B under test.
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
	pt.Start(0, algotest.NewFlow(1), &pt.control)
	return pt
}

func (p *point) signal(s algorithms.Signal) {
	s.Now, s.Born = p.now, core.Never
	p.Step(&s, &p.control)
}

func (p *point) cnp(tau core.Duration) {
	p.signal(algorithms.Signal{Kind: algorithms.Notify, Aux: uint64(tau)})
}

func (p *point) timer() {
	p.now = p.control.Wake
	p.signal(algorithms.Signal{Kind: algorithms.Timer})
}

// Check cases 5.1 and 5.2: base = max(50 us, tau, MTU / R_C) with the rate before the
// decrease is alpha's period; K = lambda base (DCQCN+, section 4.3).
func TestCheck5_1and2_Timers(t *testing.T) {
	for _, c := range []struct {
		tau       core.Duration
		rate      core.Rate
		base, due core.Duration
	}{
		{100 * us, core.Gbps, 100 * us, 200 * us},
		{100 * us, 10 * core.Mbps, 800 * us, 1600 * us},
		{3 * us, core.Gbps, 50 * us, 100 * us},
	} {
		p := newPoint(t, nil)
		p.rate = c.rate
		if base := p.base(); base != max(50*us, core.Exact.TxTime(1000, c.rate)) {
			t.Errorf("before any CNP at %v: base %v", c.rate, base)
		}
		p.cnp(c.tau)
		if p.control.Wake != core.Time(c.due) {
			t.Errorf("tau %v at %v: K = %v, want %v", c.tau, c.rate, p.control.Wake, c.due)
		}
		for after, want := range map[core.Duration]float64{c.base - 1: 1, c.base: 1 - p.p.G} {
			a := p.alpha
			a.Decay(core.Instant{Now: core.Time(after), Born: core.Never})
			if a.Value != want {
				t.Errorf("tau %v at %v: alpha %v after %v, want %v", c.tau, c.rate, a.Value, after, want)
			}
		}
	}
}

// Check case 5.3: the steps, as published (DCQCN+, section 4.3) and as in the authors' later simulator.
func TestCheck5_3_Steps(t *testing.T) {
	for _, c := range []struct {
		step       string
		alpha      float64
		stage      int
		rate, want core.Rate // Mb/s
	}{
		{"published", 0.5, 5, 1000, 0},
		{"published", 0.5, 6, 1000, 100},
		{"published", 0.5, 20, 1000, 100},
		{"published", 0.5, 21, 1000, 1000},
		{"published", 0.5, 30, 50_000, 10_000},
		{"simulator", 0.5, 5, 1000, 0},
		{"simulator", 0.5, 6, 1000, 200},
		{"simulator", 0.05, 6, 1000, 100},
		{"simulator", 0.15, 6, 1000, 200},
		{"simulator", 0.1, 6, 1000, 100},
		{"simulator", 0.5, 20, 1000, 200},
		{"simulator", 0.5, 21, 1000, 1000},
		{"simulator", 0.5, 30, 50_000, 11_000},
	} {
		p := newPoint(t, func(p *Params) { p.Step = c.step })
		p.rate, p.stage, p.alpha.Value = c.rate*core.Mbps, c.stage, c.alpha
		if got := p.sender.step(); got != c.want*core.Mbps {
			t.Errorf("%s, alpha %v, S=%d: step %v, want %v Mb/s", c.step, c.alpha, c.stage, got, c.want)
		}
	}
}

// The simulator's step uses alpha as it is then: the decays since the last CNP count.
func TestStepSeesDecays(t *testing.T) {
	p := newPoint(t, func(p *Params) { p.Step = "simulator" })
	p.cnp(0)
	p.rate, p.target, p.alpha.Value = 10*core.Gbps, 10*core.Gbps, 0.102 // 11 decays later below 0.1
	for range 6 {
		p.timer()
	}
	if want := 11 * core.Gbps; p.target != want {
		t.Errorf("target %v, want %v", p.target, want)
	}
}

// Check case 5.4: hyper increase (DCQCN+, section 4.3).
func TestCheck5_4_Hyper(t *testing.T) {
	for _, c := range []struct {
		stage        int
		rate, target core.Rate
	}{{21, 9500 * core.Mbps, 11 * core.Gbps}, {30, 13 * core.Gbps, 18 * core.Gbps}} {
		p := newPoint(t, nil)
		p.cnp(0)
		p.rate, p.target, p.stage = 8*core.Gbps, 10*core.Gbps, c.stage-1
		p.timer()
		if p.rate != c.rate || p.target != c.target || p.control.Rate != c.rate {
			t.Errorf("S=%d: rate %v, target %v; want %v and %v", c.stage, p.rate, p.target, c.rate, c.target)
		}
	}
}

// A CNP: DCQCN's equation 1, in the published order and in the simulator's.
func TestDecrease(t *testing.T) {
	for _, c := range []struct {
		alphaFirst bool
		factor     float64
	}{{false, 1 - 0.5/2}, {true, 1 - (0.5*255/256+1.0/256)/2}} {
		p := newPoint(t, func(p *Params) { p.AlphaFirst = c.alphaFirst })
		p.alpha.Value = 0.5
		p.cnp(0)
		if want := core.Rate(100 * core.Gbps).Scale(c.factor); p.rate != want || p.target != 100*core.Gbps {
			t.Errorf("alpha_first=%v: rate %v, target %v; want %v and the line", c.alphaFirst, p.rate, p.target, want)
		}
		if want := 0.5*255/256 + 1.0/256; p.alpha.Value != want {
			t.Errorf("alpha_first=%v: alpha %v, want %v", c.alphaFirst, p.alpha.Value, want)
		}
	}
}

// The increase timer keeps the rate of the last CNP, or follows the current one.
func TestRescale(t *testing.T) {
	for _, c := range []struct {
		rescale bool
		want    core.Duration
	}{{false, 1600 * us}, {true, 1067 * us}} {
		p := newPoint(t, func(p *Params) { p.Rescale = c.rescale })
		p.cnp(0)
		p.now, p.rate = core.Time(us), 10*core.Mbps
		p.cnp(0)
		p.rate, p.target = 10*core.Mbps, 20*core.Mbps
		p.timer() // to 15 Mb/s: an MTU takes 533 us
		if got := p.control.Wake.Sub(p.now); got/us != c.want/us && got/us != c.want/us-1 {
			t.Errorf("rescale=%v: K = %v, want %v", c.rescale, got, c.want)
		}
	}
}

// The lowest rate is in proportion to the line unless it is given: recovery from it takes no longer on a faster link.
func TestLowestRate(t *testing.T) {
	for _, c := range []struct{ line, given, want core.Rate }{
		{10 * core.Gbps, 0, 10 * core.Mbps}, {400 * core.Gbps, 0, 400 * core.Mbps}, {400 * core.Gbps, 3 * core.Mbps, 3 * core.Mbps},
	} {
		p := newPoint(t, func(p *Params) { p.MinRate = c.given })
		f := algotest.NewFlow(1)
		f.Line = c.line
		p.Start(0, f, &p.control)
		for range 100 {
			p.cnp(0)
		}
		if p.rate != c.want {
			t.Errorf("min_rate %v at %v: %v after 100 CNPs, want %v", c.given, c.line, p.rate, c.want)
		}
	}
}

// A flow at the line rate has no timer; the rate stays at min_rate or above; an absurd tau is bounded.
func TestLimits(t *testing.T) {
	p := newPoint(t, nil)
	for range 100 {
		p.cnp(1 << 62)
	}
	if p.rate != 100*core.Mbps || p.control.Wake != core.Time(2*core.Second) {
		t.Errorf("after 100 CNPs: rate %v, wake %v; want 100Mbps, 2s", p.rate, p.control.Wake)
	}
	for range 1000 {
		if p.control.Wake == core.Never {
			break
		}
		p.timer()
	}
	if p.rate != 100*core.Gbps || p.control.Wake != core.Never {
		t.Errorf("recovered: rate %v, wake %v", p.rate, p.control.Wake)
	}
}

// A timer that is longer than any run does not end.
func TestEndlessTimer(t *testing.T) {
	p := newPoint(t, func(p *Params) { p.MinPeriod, p.Lambda = core.Duration(core.Never)/2, 1000 })
	p.now = core.Time(us)
	p.cnp(0)
	if p.control.Wake != core.Never {
		t.Errorf("the timer ends at %v", p.control.Wake)
	}
}
