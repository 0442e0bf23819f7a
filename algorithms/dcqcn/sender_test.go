package dcqcn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// flow is a flow of 100 Gb/s whose sender starts at 0.
type flow struct {
	*sender
	c algorithms.Control
}

func newFlow(t *testing.T, change func(*Params)) *flow {
	t.Helper()
	p := Defaults()
	if change != nil {
		change(&p)
	}
	s := algotest.Make(t, New, p)
	f := &flow{sender: s.NewSender().(*sender)}
	f.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000}, &f.c)
	return f
}

// tell sends a signal at a time, after the timers that are due then.
func (f *flow) tell(kind algorithms.SignalKind, at core.Duration) {
	s := algorithms.Signal{Instant: core.Instant{Now: core.Time(at), Born: core.Never}, Kind: kind}
	f.Step(&s, &f.c)
}

func (f *flow) wantRate(t *testing.T, when string, gbps float64) {
	t.Helper()
	if got := float64(f.c.Rate) / 1e9; math.Abs(got-gbps) > 1e-4 {
		t.Errorf("%s: rate %.4f Gb/s, want %.4f", when, got, gbps)
	}
}

const us = core.Microsecond

// Steps that are set are used; the others are fractions of the line rate, as HPCC's authors set them at 25 Gb/s: 1/5000
// and 1/500.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ given, ai, hai core.Rate }{{0, 20 * core.Mbps, 200 * core.Mbps}, {70 * core.Mbps, 70 * core.Mbps, 70 * core.Mbps}, {algorithms.None, 0, 0}} {
		if f := newFlow(t, func(p *Params) { p.AI, p.HAI = c.given, c.given }); f.ai != c.ai || f.hai != c.hai {
			t.Errorf("given %v: steps of %v and %v, want %v and %v", c.given, f.ai, f.hai, c.ai, c.hai)
		}
	}
}

// Check case 4.2.1: one notification at 0, none after.
func TestCheckCase1OneNotification(t *testing.T) {
	f := newFlow(t, nil)
	f.tell(algorithms.Notify, 0)
	f.tell(algorithms.Timer, 4*us)
	f.wantRate(t, "before the first decrease", 100)
	f.tell(algorithms.Timer, 4*us+core.Nanosecond)
	if want := math.Pow(255.0/256, 4); math.Abs(f.estimate.alpha-want) > 1e-12 || math.Abs(want-0.9844663) > 5e-8 {
		t.Errorf("alpha %v, want %v, which is 0.9844663", f.estimate.alpha, want)
	}
	if f.target != 100*core.Gbps {
		t.Errorf("target %v, want 100Gbps", f.target)
	}
	f.wantRate(t, "at 4.001us", 50.7767)
	f.tell(algorithms.Timer, 305*us)
	f.wantRate(t, "at 304.001us", 75.3883)
	f.tell(algorithms.Timer, 605*us)
	f.wantRate(t, "at 604.001us", 87.6941)
	if f.target != 100*core.Gbps {
		t.Errorf("target %v, want the line rate", f.target)
	}
}

// Check case 4.2.2: alpha in 10-bit fixed point, g = 5/1024.
func TestCheckCase2FixedPoint(t *testing.T) {
	p := Defaults()
	p.G, p.Alpha = 5.0/1024, "fixed10"
	a := newCongestion(&p)
	a.begin(0)
	if got := 1 - a.alpha/2; math.Abs(got-0.50048828) > 1e-8 {
		t.Errorf("factor of the first decrease %.8f, want 0.50048828", got)
	}
	afterTick := core.Instant{Now: core.Time(p.AlphaTimer) + 1}
	a.catchUp(afterTick)
	if got := a.alpha * 1024; got != 1018 {
		t.Errorf("alpha after a tick without notification: %v/1024, want 1018", got)
	}
	a = newCongestion(&p)
	a.begin(0)
	a.notified = true
	a.catchUp(afterTick)
	if got := a.alpha * 1024; got != 1023 {
		t.Errorf("alpha after a tick with one: %v/1024, want 1023", got)
	}
}

// A lone notification with g = 4/1024: truncation takes 1/1024 off at every tick, so that alpha is 0
// after four of them, where the real number still has 98 % of g.
func TestFixedPointForgets(t *testing.T) {
	for name, want := range map[string]float64{"fixed10": 0, "double": 1.0 / 256 * math.Pow(255.0/256, 4)} {
		p := Defaults()
		p.Alpha = name
		a := newCongestion(&p)
		a.begin(0)
		a.alpha, a.notified = 0, true
		a.catchUp(core.Instant{Now: core.Time(5*p.AlphaTimer) + 1})
		if math.Abs(a.alpha-want) > 1e-12 {
			t.Errorf("%s: alpha %v five ticks later, want %v", name, a.alpha, want)
		}
	}
}

// Check case 4.2.3: a second decrease in a row leaves the target unchanged.
func TestCheckCase3SecondDecrease(t *testing.T) {
	for _, clamp := range []bool{false, true} {
		f := newFlow(t, func(p *Params) { p.ClampTarget = clamp })
		f.tell(algorithms.Notify, 0)
		f.tell(algorithms.Notify, 5*us)
		first := f.c.Rate
		f.tell(algorithms.Timer, 9*us)
		if want := first.Scale(1 - f.estimate.alpha/2); f.c.Rate != want {
			t.Errorf("clamp %v: rate %v, want %v", clamp, f.c.Rate, want)
		}
		want := 100 * core.Gbps
		if clamp {
			want = first
		}
		if f.target != want {
			t.Errorf("clamp %v: target %v, want %v", clamp, f.target, want)
		}
	}
}

// Only the first notification of a flow sets rate and target to first_rate of the rate, and to the floor at least
// (ConnectX rate_to_set_on_first_cnp).
func TestFirstRate(t *testing.T) {
	for _, c := range []struct {
		factor float64
		want   core.Rate
	}{{1, 100 * core.Gbps}, {0.25, 25 * core.Gbps}, {0.001, core.Gbps}} {
		f := newFlow(t, func(p *Params) { p.FirstRate = c.factor })
		for i := range core.Duration(2) {
			f.tell(algorithms.Notify, i*us)
			if f.c.Rate != c.want || f.target != c.want {
				t.Errorf("first_rate %v, notification %d: rate %v, target %v; want %v", c.factor, i+1, f.c.Rate, f.target, c.want)
			}
		}
	}
}

// In NS-3's arithmetic a floor above the line is where a decrease leads to, as in the reference, but not the first
// notification, which leaves the rate as it is.
func TestFloorAboveTheLine(t *testing.T) {
	f := newFlow(t, func(p *Params) { p.MinRate = 200 * core.Gbps })
	f.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * us, MTU: 1000, Timing: core.FixedPointNanos}, &f.c)
	f.tell(algorithms.Notify, 0)
	f.wantRate(t, "after the first notification", 100)
	f.tell(algorithms.Timer, 5*us)
	f.wantRate(t, "after the first decrease", 200)
}

// The target grows by 0, ai or hai in a stage below, at or above fast_recovery.
func TestIncreaseStages(t *testing.T) {
	f := newFlow(t, func(p *Params) { p.FastRecovery = 2 })
	f.target, f.rate = 50*core.Gbps, 40*core.Gbps
	for i, want := range []core.Rate{50_000, 50_000, 50_020, 50_220, 50_420} {
		f.onIncrease()
		if f.target != want*core.Mbps {
			t.Errorf("increase %d: target %v, want %v", i, f.target, want*core.Mbps)
		}
	}
}

// Half of each rate is truncated before they are added.
func TestIncreaseTruncates(t *testing.T) {
	f := newFlow(t, nil)
	f.target, f.rate = 5_000_000_001, 3_000_000_001
	if f.onIncrease(); f.rate != 4_000_000_000 {
		t.Errorf("rate %d, want 4000000000", f.rate)
	}
}

// Both halves of 1 bit/s are truncated to 0, which is no rate.
func TestIncreaseOfTheLeastRate(t *testing.T) {
	f := newFlow(t, func(p *Params) { p.MinRate, p.FirstRate = 1, 1e-12 })
	f.tell(algorithms.Notify, 0)
	if f.tell(algorithms.Timer, 305*us); f.c.Rate != 1 {
		t.Errorf("rate %v, want 1bps", f.c.Rate)
	}
}

func TestRateNeverBelowFloor(t *testing.T) {
	f := newFlow(t, func(p *Params) { p.MinRate = 40 * core.Gbps })
	for i := range 100 {
		f.tell(algorithms.Notify, core.Duration(i)*4*us)
	}
	f.wantRate(t, "after 100 notifications", 40)
}

// A sender that is left alone for a time, or gets many Timer signals in it, has bit for bit the
// rates of one event per tick of every timer.
func TestLazyEqualsEventByEvent(t *testing.T) {
	const ns = core.Nanosecond
	for _, c := range []struct {
		name   string
		change func(*Params)
	}{
		{"defaults", nil},
		{"paper", func(p *Params) { p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = 50*us, 50*us, 55*us }},
		{"clamp", func(p *Params) { p.ClampTarget, p.G = true, 1.0/16 }},
		{"fixed", func(p *Params) { p.Alpha, p.G = "fixed10", 5.0/1024 }},
		{"coincidences", func(p *Params) { p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = ns, 4*ns, 8*ns }},
		{"cut and rise together", func(p *Params) { p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = ns, 4*ns, 4*ns }},
		{"a cut with every tick of alpha", func(p *Params) { p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = ns, ns, 8*ns }},
		{"rises between cuts", func(p *Params) { p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = ns, 8*ns, 3*ns }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFlow(t, c.change)
			twin := newEager(f)
			r := rand.New(rand.NewPCG(7, 7))
			now := core.Duration(0)
			for range 400 {
				now += gapTo(r, f.p.DecreaseTimer)
				kind := algorithms.Timer
				if r.IntN(2) == 0 {
					kind = algorithms.Notify
				}
				f.tell(kind, now)
				twin.until(core.Time(now))
				if kind == algorithms.Notify {
					twin.notify(core.Time(now))
				}
				if f.c.Rate != twin.rate {
					t.Fatalf("at %v: rate %d, event by event %d", now, f.c.Rate, twin.rate)
				}
			}
		})
	}
}

// Ticks are counted to the picosecond: one that is due at an instant comes before it if it was armed before the instant
// was born.
func TestTicksBefore(t *testing.T) {
	for now := core.Time(90); now < 150; now++ {
		for _, born := range []core.Time{0, now - 10, now - 9, core.Never} {
			at := core.Instant{Now: now, Born: born}
			tick, want := ticker{due: 100, armed: 90, every: 10}, int64(0)
			for tick.fired(at) {
				tick.tick()
				want++
			}
			if got := (&ticker{due: 100, armed: 90, every: 10}).before(at); got != want {
				t.Errorf("at %d, born %d: %d ticks, want %d", now, born, got, want)
			}
		}
	}
}

// gapTo returns a time to the next signal: mostly short, sometimes long enough for alpha to
// become negligible.
func gapTo(r *rand.Rand, unit core.Duration) core.Duration {
	switch n := r.IntN(100); {
	case n == 0:
		return core.Duration(r.Int64N(int64(5000 * unit)))
	case n < 20:
		return core.Duration(r.Int64N(int64(100 * unit)))
	default:
		return core.Duration(r.Int64N(int64(2 * unit)))
	}
}
