package ibcc

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// Check case 11.1: shift 3 and multiplier 100 are 12.5 packets, a relative rate of 8/108 (IBTA annex A10, as
// reported).
func TestEntry(t *testing.T) {
	const tp = 167_040 * core.Picosecond
	e := newEntry(3, 100)
	if d := e.delay(tp); d != tp*25/2 {
		t.Errorf("delay %v, want 12.5 times %v", d, tp)
	}
	if r := relative(e, tp); math.Abs(r-0.074074) > 1e-6 {
		t.Errorf("relative rate %v, want 0.074074", r)
	}
}

func relative(e entry, tp core.Duration) float64 { return float64(tp) / float64(tp+e.delay(tp)) }

// Check case 11.1: the fabric manager's table for 2048+40 B at 100 Gb/s.
func TestLinearTable(t *testing.T) {
	p := Defaults()
	tp := core.Exact.TxTime(2048+40, 100*core.Gbps)
	table := newTable(&p, nil, tp)
	if tp != 167_040*core.Picosecond || table.shift != 3 || table.most != 383 {
		t.Fatalf("Tp %v, shift %d, most %d; want 167.04ns, 3, 383", tp, table.shift, table.most)
	}
	for i, want := range map[int]int{0: 0, 1: 3, 2: 6, 64: 193, 127: 383} {
		if got := int(table.entry(i) & maxMult); got != want {
			t.Errorf("entry %d: multiplier %d, want %d", i, got, want)
		}
	}
	last, first := table.entry(127), table.entry(1)
	if d := last.delay(tp).Nanos(); math.Abs(d-7997) > 0.5 || math.Abs(relative(last, tp)-0.02046) > 1e-5 {
		t.Errorf("entry 127: %v ns, rate %v; want 7997 and 0.02046", d, relative(last, tp))
	}
	if d := first.delay(tp).Nanos(); math.Abs(d-62.6) > 0.05 || math.Abs(relative(first, tp)-0.72727) > 1e-5 {
		t.Errorf("entry 1: %v ns, rate %v; want 62.6 and 0.72727", d, relative(first, tp))
	}
}

// On a slow link the shift stays 3; where the multiplier would not fit, the shift is lowered.
func TestShiftOfTable(t *testing.T) {
	p := Defaults()
	p.MaxDelay = 100 * core.Microsecond
	for _, c := range []struct {
		tp          core.Duration
		shift, most int
	}{{167 * core.Nanosecond, 3, 4790}, {40 * core.Nanosecond, 2, 10000}, {5 * core.Nanosecond, 0, maxMult}} {
		if got := newTable(&p, nil, c.tp); got.shift != c.shift || got.most != c.most {
			t.Errorf("Tp %v: shift %d, most %d; want %d, %d", c.tp, got.shift, got.most, c.shift, c.most)
		}
	}
}

// A quadratic table with 3300 ns at index 83 (the flit-level model of section 11.2).
func TestQuadraticTable(t *testing.T) {
	p := Defaults()
	p.Table, p.MaxDelay = "quadratic", 7726*core.Nanosecond
	tp := core.Exact.TxTime(2048, 32*core.Gbps) // 512 ns
	table := newTable(&p, nil, tp)
	for _, i := range []int{0, 20, 83, 127} {
		want := 3300 * float64(i*i) / (83 * 83)
		if got := table.entry(i).delay(tp).Nanos(); math.Abs(got-want) > 64 { // 1/8 of Tp
			t.Errorf("entry %d: %v ns, want %v", i, got, want)
		}
	}
}

// The longest quadratic table ends at the largest entry, also where integers have 32 bits.
func TestLongQuadraticTable(t *testing.T) {
	p := Defaults()
	p.Table, p.Limit, p.MaxDelay = "quadratic", 1<<16-1, 100*core.Microsecond
	table := newTable(&p, nil, 167*core.Nanosecond)
	for i, want := range map[int]int{0: 0, 1 << 15: 1197, 1<<16 - 1: 4790} {
		if got := int(table.entry(i) & maxMult); got != want {
			t.Errorf("entry %d: multiplier %d, want %d", i, got, want)
		}
	}
}

func start(t *testing.T, change func(*Params), f algorithms.Flow) (algorithms.Sender, *algorithms.Control) {
	t.Helper()
	p := Defaults()
	change(&p)
	s := algotest.Make(t, New, p)
	sender, c := s.NewSender(), new(algorithms.Control)
	sender.Start(0, &f, c)
	return sender, c
}

// Check case 11.2: 3 BECNs with an increase of 5 and a limit of 12 give CCTI 5, 10, 12; with timer 150 (153.6 us) it
// takes 12 time-outs, 1.8432 ms, to return to 0.
func TestIndexRisesAndFalls(t *testing.T) {
	var entries strings.Builder
	for i := range 13 {
		fmt.Fprintf(&entries, "0:%d ", i)
	}
	flow := algorithms.Flow{Line: 8 * core.Gbps, MTU: 1000, Packet: 1000} // Tp 1 us
	s, c := start(t, func(p *Params) {
		p.Increase, p.Limit, p.Timer, p.Table, p.Entries = 5, 12, 150, "list", entries.String()
	}, flow)
	for i, want := range []core.Duration{5, 10, 12} {
		step(s, c, core.Time(i), algorithms.Notify)
		if c.Gap != want*us {
			t.Errorf("BECN %d: gap %v, want %d packets", i+1, c.Gap, want)
		}
	}
	timeouts := 0
	var last core.Time
	for c.Wake != core.Never {
		last = c.Wake
		step(s, c, c.Wake, algorithms.Timer)
		timeouts++
	}
	if timeouts != 12 || last != core.Time(1_843_200*core.Nanosecond) || c.Gap != 0 {
		t.Errorf("%d time-outs until %v, gap %v; want 12 until 1.8432ms, none", timeouts, last, c.Gap)
	}
}

// draw is a stream of one number.
type draw float64

func (d draw) Float64() float64 { return float64(d) }
func (draw) Uint32() uint32     { return 0 }

// A sender's clock is off by up to clock_tolerance: gaps and steps are that much longer or shorter.
func TestClock(t *testing.T) {
	for _, c := range []struct {
		tolerance  float64
		random     core.Random
		gap, timer core.Duration
	}{
		{0, nil, 10 * us, 1024 * core.Nanosecond},
		{1000, draw(0), 9990 * core.Nanosecond, 1_022_976},
		{1000, draw(0.5), 10 * us, 1_024_000},
		{1000, draw(0.75), 10_005 * core.Nanosecond, 1_024_512},
	} {
		s, control := start(t, func(p *Params) {
			p.Timer, p.Increase, p.Limit, p.Table, p.Entries, p.Clock = 1, 1, 1, "list", "0:0 0:10", c.tolerance
		}, algorithms.Flow{Line: 8 * core.Gbps, MTU: 1000, Packet: 1000, Random: c.random})
		step(s, control, 0, algorithms.Notify)
		if control.Gap != c.gap || control.Wake != core.Time(c.timer) {
			t.Errorf("%v ppm, drawn %v: gap %v, timer %v, want %v and %v", c.tolerance, c.random, control.Gap, control.Wake, c.gap, c.timer)
		}
	}
}

func step(s algorithms.Sender, c *algorithms.Control, now core.Time, kind algorithms.SignalKind) {
	s.Step(&algorithms.Signal{Instant: core.Instant{Now: now, Born: core.Never}, Kind: kind}, c)
}

// The last entry of a list holds for all indices beyond it (as in OpenSM's cc_cct).
func TestShortList(t *testing.T) {
	s, c := start(t, func(p *Params) { p.Increase, p.Table, p.Entries = 1, "list", "0:0 0:2 1:7" },
		algorithms.Flow{Line: 8 * core.Gbps, MTU: 1000, Packet: 1000}) // Tp 1 us
	for i, want := range []core.Duration{2 * us, 7 * us / 2, 7 * us / 2} {
		if step(s, c, core.Time(i), algorithms.Notify); c.Gap != want {
			t.Errorf("BECN %d: gap %v, want %v", i+1, c.Gap, want)
		}
	}
	for range 200 {
		step(s, c, 0, algorithms.Notify)
	}
	if c.Gap != 7*us/2 {
		t.Errorf("at ccti_limit: gap %v, want 3.5us", c.Gap)
	}
}

// With ccti_timer 0 the index never falls.
func TestNoTimer(t *testing.T) {
	s, c := start(t, func(p *Params) { p.Timer = 0 }, algorithms.Flow{Line: 100 * core.Gbps, MTU: 2048})
	step(s, c, 0, algorithms.Notify)
	up := c.Gap
	if step(s, c, core.Time(core.Second), algorithms.Timer); c.Gap != up || up == 0 || c.Wake != core.Never {
		t.Errorf("a second after a BECN: gap %v, wake %v; want %v and never", c.Gap, c.Wake, up)
	}
}

// The index does not fall below ccti_min, at which a flow begins, and a limit of 0 means 127.
func TestMinAndLimit(t *testing.T) {
	flow := algorithms.Flow{Line: 100 * core.Gbps, MTU: 2048}
	s, c := start(t, func(p *Params) { p.Min, p.Limit, p.Increase = 2, 0, 255 }, flow)
	first := c.Gap
	if want := newEntry(3, 6).delay(167_040); first != want {
		t.Errorf("first gap %v, want %v", first, want)
	}
	step(s, c, 0, algorithms.Notify)
	if want := newEntry(3, 383).delay(167_040); c.Gap != want {
		t.Errorf("after a BECN: %v, want that of entry 127, %v", c.Gap, want)
	}
	step(s, c, core.Time(core.Second), algorithms.Timer)
	if c.Gap != first || c.Wake != core.Never {
		t.Errorf("after a second: gap %v, wake %v; want %v and never", c.Gap, c.Wake, first)
	}
}

// Check case 11.3: thresholds of a buffer of 64 KiB.
func TestTrigger(t *testing.T) {
	for threshold, want := range map[int]core.Bytes{15: 4096, 8: 32768, 1: 61440, 0: core.Unlimited} {
		p := Params{Threshold: threshold}
		if got := p.trigger(64 << 10); got != want {
			t.Errorf("threshold %d: %v, want %v", threshold, got, want)
		}
	}
	p := Params{Threshold: 15, Buffer: 16 << 10}
	if got := p.trigger(64 << 10); got != 1<<10 {
		t.Errorf("a buffer of its own: %v, want 1024B", got)
	}
	p = Params{Threshold: 8, Buffer: core.Unlimited}
	if got := p.trigger(64 << 10); got != 1<<62 {
		t.Errorf("half of the largest buffer: %v, want %v", got, core.Bytes(1<<62))
	}
}
