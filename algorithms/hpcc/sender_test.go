package hpcc

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const (
	line    = 100 * core.Gbps
	baseRTT = 13 * core.Microsecond
)

// bench is a sender that has stored the records of a first ACK, and the hops it reads.
type bench struct {
	*sender
	c     algorithms.Control
	hops  []core.Hop
	acked int64
}

func newBench(t *testing.T, hops int, change func(*Params)) *bench {
	t.Helper()
	p := Defaults()
	p.AI = core.RateOf(80 * 8 / baseRTT.Seconds()) // W_AI of 80 B
	if change != nil {
		change(&p)
	}
	s := algotest.Make(t, New, p)
	b := &bench{sender: s.NewSender().(*sender), hops: make([]core.Hop, hops)}
	b.Start(0, &algorithms.Flow{Line: line, BaseRTT: baseRTT, Window: 162_500, MTU: 1000, INT: core.FullINT(5)}, &b.c)
	for i := range b.hops {
		b.hops[i].Line = line
		b.hops[i].Queue = 1 << 30 // the smaller of two queues counts: the next one
	}
	b.ack(true)
	return b
}

// pass lets a hop send at a fraction load of its line for a while, and leaves a queue.
func (b *bench) pass(hop int, d core.Duration, load float64, queue core.Bytes) {
	h := &b.hops[hop]
	h.At += uint64(d)
	h.Tx += uint64(math.Round(load * float64(line) / 8 * d.Seconds()))
	h.Queue = uint64(queue)
}

func (b *bench) ack(full bool) {
	if full {
		b.acked = b.last + 1
	}
	b.c.Do = 0
	b.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: b.acked, Next: b.acked + 100_000, Hops: b.hops}, &b.c)
}

// window is the rate times the base round trip, in bytes.
func (b *bench) window() float64 { return float64(b.c.Rate) * baseRTT.Seconds() / 8 }

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Check case 8.1: U = 1.2 from the line rate (Li et al., SIGCOMM 2019, eq. 4; algorithm 1, ComputeWind).
func TestCheckCase1Decrease(t *testing.T) {
	b := newBench(t, 1, nil)
	if b.c.Window != 162_500 {
		t.Errorf("first window %v, want 162500B", b.c.Window)
	}
	b.pass(0, baseRTT, 1, 32_500)
	b.ack(true)
	near(t, "U", b.loops[0].u, 1.2, 1e-12)
	near(t, "W", b.window(), 128725.83, 0.01)
	if b.c.Do != algorithms.Repace {
		t.Errorf("orders %b, want Repace", b.c.Do)
	}
}

// Check case 8.2: a full link with a queue of 50000 B, seen over 1 us (eq. 2; algorithm 1,
// MeasureInflight).
func TestCheckCase2Smoothing(t *testing.T) {
	b := newBench(t, 1, nil)
	b.pass(0, core.Microsecond, 1, 50_000)
	b.ack(true)
	near(t, "U", b.loops[0].u, 1.0236686, 1e-7)
	near(t, "u, a thirteenth of U", 13*b.loops[0].u-12, 1.307692, 1e-6)
	near(t, "W", b.window(), 150885.6, 0.1)
}

// Only the last measurement counts if it spans more than a round trip, as after a pause (algorithm 1: tau is at most
// T).
func TestAfterAPause(t *testing.T) {
	b := newBench(t, 1, nil)
	b.pass(0, 10*baseRTT, 0.5, 0)
	b.ack(true)
	near(t, "U", b.loops[0].u, 0.5, 1e-12)
}

// The longer a fast link has had next to nothing to send the more it may be sent, not the least, as the quotient in
// NS-3's arithmetic has it beyond 64 bits (Li et al., SIGCOMM 2019, eq. 4).
func TestAfterALongPause(t *testing.T) {
	for _, pause := range []core.Duration{core.Millisecond, 100 * core.Millisecond, core.Second, 3600 * core.Second} {
		for timing, want := range map[core.Timing]core.Rate{core.Exact: 800 * core.Gbps, core.FixedPointNanos: 8 * core.Gbps} {
			if pause < core.Second {
				want = 800 * core.Gbps
			}
			b := newBench(t, 1, nil)
			b.Start(0, &algorithms.Flow{
				Line: 800 * core.Gbps, BaseRTT: baseRTT, Window: 1_300_000, MTU: 1000, INT: core.FullINT(5), Timing: timing,
			}, &b.c)
			b.hops[0].Line = 800 * core.Gbps
			b.ack(true)
			b.hops[0].At += uint64(pause)
			b.hops[0].Tx += 1106
			b.hops[0].Queue = 0
			b.ack(true)
			if b.c.Rate != want {
				t.Errorf("a packet in %v, timing %d: %v, want %v", pause, timing, b.c.Rate, want)
			}
		}
	}
}

// An ACK that was overtaken by a later one, on another way back, has no effect: U stays, and so does the newer record.
func TestOvertakenAck(t *testing.T) {
	b := newBench(t, 1, nil)
	older := slices.Clone(b.hops)
	b.pass(0, baseRTT, 0.8, 0)
	b.ack(true)
	newer := b.hops
	b.hops = older
	b.ack(false)
	near(t, "U after an older record", b.loops[0].u, 0.8, 1e-12)
	b.hops = newer
	b.pass(0, baseRTT, 0.5, 0)
	b.ack(true)
	near(t, "U after the next one", b.loops[0].u, 0.5, 1e-12)
}

// Check case 8.3: additive below the target, multiplicative after mi_thresh of these (algorithm 1,
// ComputeWind).
func TestCheckCase3Stages(t *testing.T) {
	b := newBench(t, 1, func(p *Params) { p.MIThresh = 5 })
	b.loops[0].rate = line / 4
	wc := 162_500 / 4.0
	for i := range 5 {
		b.pass(0, baseRTT, 0.5, 0)
		b.ack(true)
		wc += 80
		near(t, "W in an additive step", b.window(), wc, 0.01)
		if b.loops[0].stage != i+1 {
			t.Errorf("stage %d, want %d", b.loops[0].stage, i+1)
		}
	}
	b.pass(0, baseRTT, 0.5, 0)
	b.ack(true)
	near(t, "W in a multiplicative step", b.window(), wc*1.9+80, 0.01)
	b.loops[0] = loop{u: 0.5, rate: line * 3 / 4, stage: 5}
	b.pass(0, baseRTT, 0.5, 0)
	b.ack(true)
	if b.c.Rate != line || b.c.Window != 162_500 {
		t.Errorf("rate %v, window %v; want them capped at the line rate's", b.c.Rate, b.c.Window)
	}
}

// A step at the target itself is multiplicative: it ends the series of additive ones (algorithm 1, ComputeWind).
func TestAtTheTarget(t *testing.T) {
	w := law{target: 0.5, baseRTT: 1000, ai: core.Gbps, floor: core.Gbps, line: line, thresh: 5}
	l := loop{u: 0.5, rate: line / 2, stage: 3}
	if w.next(&l, 0.5, 1000, true); l.stage != 0 {
		t.Errorf("stage %d, want 0", l.stage)
	}
}

// A flow without a window of its host's is measured against the window of the line rate; the reference divides by 0, so
// a hop without a queue has no utilisation and any other hop an infinite one.
func TestNoWindow(t *testing.T) {
	for _, c := range []struct {
		tm    core.Timing
		load  float64
		queue core.Bytes
		want  float64
	}{
		{core.Exact, 0.5, 0, 0.5},
		{core.Exact, 1, 32_500, 1.2},
		{core.FixedPointNanos, 0.5, 0, 1}, // as it was
		{core.FixedPointNanos, 1, 32_500, math.Inf(1)},
	} {
		b := newBench(t, 1, nil)
		b.Start(0, &algorithms.Flow{Line: line, BaseRTT: baseRTT, MTU: 1000, INT: core.FullINT(5), Timing: c.tm}, &b.c)
		b.ack(true)
		b.pass(0, baseRTT, c.load, c.queue)
		b.ack(true)
		if got := b.loops[0].u; got != c.want && !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("timing %d, queue %v: U is %v, want %v", c.tm, c.queue, got, c.want)
		}
	}
}

// Records with equal time stamps, such as those of times 2^24 ns apart in the reference, leave the utilisation, here
// twice the target, unchanged. The reference divides by 0: from then on the utilisation is NaN, and the rate is the
// line rate.
func TestNoTime(t *testing.T) {
	for tm, want := range map[core.Timing]core.Rate{core.Exact: line / 4, core.FixedPointNanos: line} {
		for _, multi := range []bool{false, true} {
			b := newBench(t, 1, func(p *Params) { p.MultiRate, p.AI = multi, algorithms.None })
			b.Start(0, &algorithms.Flow{Line: line, BaseRTT: baseRTT, Window: 162_500, MTU: 1000, INT: core.FullINT(5), Timing: tm}, &b.c)
			b.ack(true)
			b.pass(0, baseRTT, 1.9, 0)
			b.ack(true)
			b.hops[0].Tx += 1000
			b.ack(true)
			near(t, "rate", float64(b.c.Rate), float64(want), 1)
			b.pass(0, baseRTT, 1.9, 0)
			b.ack(true)
			if tm == core.FixedPointNanos && b.c.Rate != line {
				t.Errorf("multi_rate %v: the rate has come back to %v", multi, b.c.Rate)
			}
		}
	}
}

// A fast update computes from the reference rate and does not change it; with fast_react off it
// changes nothing. A full one changes both.
func TestFastUpdate(t *testing.T) {
	for i := range 4 {
		fast, multi := i&1 == 0, i&2 == 0
		b := newBench(t, 1, func(p *Params) { p.FastReact, p.MultiRate = fast, multi })
		for range 3 {
			b.pass(0, baseRTT, 1, 32_500)
			b.ack(false)
		}
		if b.loops[0].rate != line {
			t.Errorf("fast %v, multi %v: reference rate %v, want it unchanged", fast, multi, b.loops[0].rate)
		}
		want := 162_500.0
		if fast {
			want = 128725.83
		}
		near(t, "W", b.window(), want, 0.01)
		b.pass(0, baseRTT, 1, 32_500)
		b.ack(true)
		near(t, "W after a full update", b.window(), 128725.83, 0.01)
		if b.loops[0].rate != b.c.Rate {
			t.Errorf("fast %v, multi %v: reference rate %v after a full update, want %v", fast, multi, b.loops[0].rate, b.c.Rate)
		}
	}
}

// The busiest hop decides; with MultiRate the one that allows the lowest rate.
func TestBusiestHopDecides(t *testing.T) {
	for _, multi := range []bool{false, true} {
		b := newBench(t, 3, func(p *Params) { p.MultiRate = multi })
		b.pass(0, baseRTT, 0.5, 0)
		b.pass(1, baseRTT, 1, 32_500)
		b.pass(2, baseRTT, 0.9, 0)
		b.ack(true)
		near(t, "W", b.window(), 128725.83, 0.01)
	}
}

// Of hops that are equally busy the first one counts, and its time (u' > u in algorithm 1, MeasureInflight): U = 1.2 for half
// a round trip makes 1.1.
func TestFirstOfBusiestHops(t *testing.T) {
	b := newBench(t, 2, nil)
	b.pass(0, baseRTT/2, 1, 32_500)
	b.pass(1, baseRTT, 1, 32_500)
	b.ack(true)
	near(t, "W", b.window(), 162_500*0.95/1.1+80, 0.01)
}

// With MultiRate a hop that was busy keeps its own rate, wherever it is on the path, and the others keep theirs.
func TestMultiRateKeepsRatePerHop(t *testing.T) {
	for busy := range 2 {
		b := newBench(t, 2, func(p *Params) { p.MultiRate = true })
		b.pass(busy, baseRTT, 1, 162_500)
		b.pass(1-busy, baseRTT, 0.95, 0)
		b.ack(true)
		if b.loops[busy].rate >= line/2 || b.loops[1-busy].rate != line {
			t.Errorf("rates of the busy hop %v and of the other %v, want below half and the whole line rate", b.loops[busy].rate, b.loops[1-busy].rate)
		}
		if b.c.Rate != b.loops[busy].rate {
			t.Errorf("rate %v, want the least, %v", b.c.Rate, b.loops[busy].rate)
		}
	}
}

// With SampleFeedback a fast update keeps the record of a hop without a queue, and does nothing if
// no hop has a queue.
func TestSampleFeedback(t *testing.T) {
	for _, multi := range []bool{false, true} {
		b := newBench(t, 2, func(p *Params) { p.SampleFeedback, p.MultiRate = true, multi })
		stored := b.sender.hops[0]
		b.pass(0, baseRTT, 1, 0)
		b.pass(1, baseRTT, 1, 0)
		b.ack(false)
		if b.c.Do != 0 || b.c.Rate != line || b.sender.hops[0] != stored {
			t.Errorf("an ACK without queues changed something: %+v", b.c)
		}
		b.pass(1, 0, 0, 32_500)
		b.ack(false)
		near(t, "W", b.window(), 128725.83, 0.01)
		if b.sender.hops[0] != stored {
			t.Error("the record of the hop without a queue moved")
		}
		b.pass(0, 0, 0, 0)
		b.pass(1, baseRTT, 0.5, 0)
		if b.ack(true); b.sender.hops[0] == stored || b.c.Do == 0 {
			t.Errorf("a full update leaves out hops without a queue: %+v", b.c)
		}
	}
}

// Counters of different ports are never subtracted: after Path the ACKs of what was sent before are
// skipped and the next one only stores its records.
func TestPathForgetsRecords(t *testing.T) {
	b := newBench(t, 1, nil)
	sent := b.last
	b.Step(&algorithms.Signal{Kind: algorithms.Path, Next: sent}, &b.c)
	before := b.sender.hops[0]
	b.acked = sent
	if b.ack(false); b.sender.hops[0] != before || b.c.Do != 0 {
		t.Error("an ACK of the old path was used")
	}
	b.hops[0] = core.Hop{Line: line, At: 5, Tx: 3}
	b.acked = sent + 1
	if b.ack(false); b.sender.hops[0] != b.hops[0] || b.c.Rate != line {
		t.Errorf("the first ACK of the new path: record %+v, rate %v", b.sender.hops[0], b.c.Rate)
	}
}

// Full and quantised telemetry of the same history agree within the quantum.
func TestFormatsAgree(t *testing.T) {
	full, short := core.FullINT(5), core.QuantisedINT(1)
	u := func(f core.INTFormat) float64 {
		m := meter{format: f, line: float64(line), window: 162_500}
		old := f.Record(core.Time(16_777_000*core.Nanosecond), line, 134_000_000, 80_000)
		h := f.Record(core.Time(16_790_000*core.Nanosecond), line, 134_000_000+160_000, 40_000)
		got, tau := m.read(&h, &old)
		if tau != 13_000 {
			t.Errorf("tau %v ns, want 13000, the stamp having wrapped", tau)
		}
		return got
	}
	near(t, "u", u(short), u(full), 128.0/160_000+80.0/162_500)
}
