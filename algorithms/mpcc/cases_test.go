package mpcc

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// dumbbell is the path of Zheng 2024, section 5.2: 1 Gb/s, 34.752 us, packets of 1080 B, BDP
// 4344 B, four flows.
func dumbbell(horizon int, wr float64) *plant {
	p := Defaults()
	p.Horizon, p.WR, p.Delay = horizon, wr, false
	return &plant{p: &p, packet: 1080, bdp: 4344, line: 1e9, baseRTT: 34.752e-6}
}

// digits reports whether got agrees with want to the number of decimals of want.
func digits(got, want float64, decimals int) bool {
	return math.Abs(got-want) <= 0.5000001*math.Pow10(-decimals)
}

// Check case 9.5.1: P = 2, B = 1, both weights 1: H = [[6,2],[2,4]], g = x0 [4,2], K = 0.6; from a queue
// of 100 the moves are -60 and -20, which leave 40 and 20; with moves of at least -50 they are -50 and
// -25, which leave 50 and 25 (Zheng 2024, eqs. 4.9, 4.10, 4.12 and 4.13).
func TestCheckCase1TwoSteps(t *testing.T) {
	p := problem{horizon: 2, wq: 1, wr: 1, b: 1, x0: 100, lb: -1000, ub: 1000, qmax: 1000}
	h, g := hessian(&p), gradient(&p)
	if h[0][0] != 6 || h[0][1] != 2 || h[1][0] != 2 || h[1][1] != 4 || g[0] != 400 || g[1] != 200 {
		t.Errorf("H = %v, g = %v", h, g)
	}
	if k := p.gain(); !near(k, 0.6, 0) || !near(closedGain(&p), 0.6, 0) {
		t.Errorf("gain %v, closed form %v, want 0.6", k, closedGain(&p))
	}
	for _, c := range []struct{ lb, first, second, left, last float64 }{{-1000, -60, -20, 40, 20}, {-50, -50, -25, 50, 25}} {
		p := p
		p.lb = c.lb
		u, _ := p.first()
		all, _ := brute(&p)
		p.x0 += u
		if !near(p.x0, c.left, 0) || !near(p.x0+c.second, c.last, 0) {
			t.Errorf("moves of at least %v leave %v and %v, want %v and %v", c.lb, p.x0, p.x0+c.second, c.left, c.last)
		}
		p.horizon = 1
		second, _ := p.first()
		if !near(u, c.first, 0) || !near(second, c.second, 0) || !near(all[0], c.first, 0) || !near(all[1], c.second, 0) {
			t.Errorf("moves of at least %v: %v then %v, brute force %v; want %v then %v", c.lb, u, second, all, c.first, c.second)
		}
	}
}

// Check case 9.5.2: the model of the dumbbell, eqs. 2.3, 3.4, 4.2 and A.1, and its gains for three weights
// and five horizons.
func TestCheckCase2GainsOfTheDumbbell(t *testing.T) {
	m := dumbbell(5, 10)
	v := view{flows: 4, line: 1e9}
	b, fair := m.gain(&v, 4344), m.fair(1e9, 4)
	if dt := 1080 * m.baseRTT / 4344; !digits(dt*1e6, 8.64, 2) || !near(b, dt*4*1e9/(8*4344), 0) {
		t.Errorf("dt = %v s, B = %v", dt, b)
	}
	if !digits(b, 0.9944751, 7) || fair != 1086 || m.bdp-fair != 3258 {
		t.Errorf("B = %v, Wf = %v, ub = %v", b, fair, m.bdp-fair)
	}
	for _, c := range []struct {
		wr   float64
		want []float64 // for P = 1, 3, 5, 10, 20 and the longest
	}{
		{1, []float64{.499992, .616824, .619504, .619564, .619564, .619564}},
		{10, []float64{.090497, .206088, .250598, .269500, .270388, .270389}},
		{100, []float64{.009847, .028522, .044896, .073061, .091808, .095151}},
	} {
		for i, horizon := range []int{1, 3, 5, 10, 20, maxHorizon} {
			p := problem{horizon: horizon, wq: 1, wr: c.wr, b: 0.9944751}
			if k := p.gain(); !digits(k, c.want[i], 6) {
				t.Errorf("P %d, wr %v: gain %v, want %v", horizon, c.wr, k, c.want[i])
			}
		}
	}
}

// Check case 9.5.3: the window of the dumbbell by queue, and the queue at which it reaches 0; a sender keeps one
// packet.
func TestCheckCase3WindowsOfTheDumbbell(t *testing.T) {
	m := dumbbell(5, 10)
	for _, c := range []struct{ queue, want float64 }{{0, 1086}, {500, 960.701}, {1000, 835.402}, {3000, 334.205}, {13032, 0}} {
		if w := m.control(&view{queue: c.queue, flows: 4, line: 1e9}, 4344, nil); !digits(w, c.want, 3) {
			t.Errorf("queue %v: window %v, want %v", c.queue, w, c.want)
		}
	}
	if w := steppedWindow(t, 13_032); w != 1080 {
		t.Errorf("queue 13032: the sender's window is %v, want one packet", w)
	}
	for _, c := range []struct{ wr, want float64 }{{1, 1753.01}, {10, 4333.63}, {100, 24189.1}} {
		p := problem{horizon: 5, wq: 1, wr: c.wr, b: 1080 * 4 / 4344.0}
		if got := 1086 / p.gain(); math.Abs(got-c.want) > 0.06 {
			t.Errorf("wr %v: saturates at %v, want %v", c.wr, got, c.want)
		}
	}
}

// steppedWindow is the window of a sender of the dumbbell after an ACK that reports a queue.
func steppedWindow(t *testing.T, queue core.Bytes) float64 {
	t.Helper()
	p := Defaults()
	p.WR, p.Delay = 10, false
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender().(*sender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: core.Gbps, BaseRTT: 34_752 * core.Nanosecond, MTU: 1000, Hops: 6, INT: core.FullINT(5)}, c)
	hop := s.format.Record(0, core.Gbps, 0, queue)
	hop.Flows = 4
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000, Next: 4000, Hops: []core.Hop{hop}}, c)
	return s.window
}

// The bytes of a packet are those that the host gives. If it gives none they are the thesis's: 48 of headers, and
// telemetry for every hop (appendix A.2).
func TestPacketOnTheWire(t *testing.T) {
	for _, c := range []struct {
		told, header core.Bytes
		want         float64
	}{{0, 0, 1080}, {1094, 0, 1094}, {1094, 90, 1122}} {
		p := Defaults()
		p.Header = c.header
		s := algotest.Make(t, New, p).NewSender().(*sender)
		s.Start(0, &algorithms.Flow{
			Line: core.Gbps, BaseRTT: core.Millisecond, MTU: 1000, Packet: c.told, Hops: 6, INT: core.FullINT(5),
		}, new(algorithms.Control))
		if s.plant.packet != c.want || s.pack != 1000/c.want {
			t.Errorf("%+v: a packet of %v bytes, %v of it message", c, s.plant.packet, s.pack)
		}
	}
}

// Check case 9.5.4: the queue after four past inputs, eq. 3.7: 2000 B become 1751.381 B.
func TestCheckCase4DelayCompensation(t *testing.T) {
	var past past
	past.reset(0, 4)
	const fair = 1086
	for _, input := range []int64{50, 0, -100, -200} { // the newest last
		past.push(fair + input)
	}
	b := 1080 * 4 / 4344.0
	if got := 2000 + b*(float64(past.last(4))-4*fair); !digits(got, 1751.381, 3) {
		t.Errorf("predicted queue %v, want 1751.381", got)
	}
}

// The first ACK of an incast at line rate already predicts the queue that the first windows
// will have made by eqs. 3.5 and 3.7: (N-1) BDP, the bound of eq. 4.3.
func TestPredictionOfIncast(t *testing.T) {
	var past past
	past.reset(108_000, 100)
	for _, flows := range []float64{2, 8, 60} {
		m := plant{p: new(Params), packet: 1080, bdp: 108_000, line: 1e11, baseRTT: 8.64e-6}
		b := m.gain(&view{flows: flows}, m.bdp)
		tau := m.delay(m.bdp)
		got := b * (float64(past.last(tau)) - float64(tau)*m.fair(1e11, flows))
		if want := (flows - 1) * m.bdp; !near(got, want, 0) {
			t.Errorf("%v flows: predicted queue %v, want %v", flows, got, want)
		}
	}
}

// Eq. A.1 with the RTT of eq. 2.2: half of the base RTT in queues makes B half as large again.
func TestControlStepWithQueueingDelay(t *testing.T) {
	m := dumbbell(5, 10)
	m.p.DtUsesQueue = true
	if got := m.gain(&view{flows: 4, delay: m.baseRTT / 2}, 4344); !near(got, 1.5*0.9944751, 0) {
		t.Errorf("B = %v", got)
	}
}

// Algorithm 1: the hop with the largest queue, the first of equals; and the delay of all hops.
func TestStateSwitch(t *testing.T) {
	s := sender{format: core.FullINT(5)}
	hop := func(queue uint64, flows uint32, line core.Rate) core.Hop {
		return core.Hop{Queue: queue, Flows: flows, Line: line}
	}
	for _, c := range []struct {
		hops []core.Hop
		want view
	}{
		{[]core.Hop{hop(0, 9, 1e9), hop(0, 8, 1e9)}, view{flows: 1}},
		{[]core.Hop{hop(100, 2, 1e9), hop(300, 3, 4e9), hop(200, 4, 1e9)}, view{queue: 300, flows: 3, line: 4e9, delay: 3000e-9}},
		{[]core.Hop{hop(300, 2, 1e9), hop(300, 3, 1e9)}, view{queue: 300, flows: 2, line: 1e9, delay: 4800e-9}},
		{[]core.Hop{hop(300, 0, 1e9)}, view{queue: 300, flows: 1, line: 1e9, delay: 2400e-9}},
	} {
		got := s.look(c.hops)
		if got.queue != c.want.queue || got.flows != c.want.flows || got.line != c.want.line || !near(got.delay, c.want.delay, 0) {
			t.Errorf("%v: %+v, want %+v", c.hops, got, c.want)
		}
	}
}

// On a link faster than all its flows together only the bounds of eq. 4.2 remain: the window goes to BDP unless a long
// queue makes a smaller one worthwhile.
func TestFastLink(t *testing.T) {
	m := dumbbell(5, 10)
	if w := m.control(&view{queue: 10, flows: 2, line: 4e9}, 4344, nil); w != m.bdp {
		t.Errorf("short queue: window %v, want %v", w, m.bdp)
	}
	v := view{queue: 40_000, flows: 2, line: 4e9}
	w := m.control(&v, 4344, nil)
	if w >= m.bdp || w < 0 {
		t.Errorf("long queue: window %v, want less than %v", w, m.bdp)
	}
}

// The ring of past windows against a plain list.
func TestPast(t *testing.T) {
	var p past
	for _, steps := range []int64{1, 5, 64} {
		p.reset(7, steps)
		var all []int64
		for k := range int64(300) {
			for n := range steps + 1 {
				want := int64(0)
				for i := range n {
					if j := int64(len(all)) - 1 - i; j >= 0 {
						want += all[j]
					} else {
						want += 7
					}
				}
				if got := p.last(n); got != want {
					t.Fatalf("after %d of at most %d: last %d sum to %d, want %d", k, steps, n, got, want)
				}
			}
			all = append(all, k*k)
			p.push(k * k)
		}
	}
}

// A path of a terabyte, as from a mistyped delay, takes memory only for the steps that were made.
func TestPastOfALongPath(t *testing.T) {
	const steps = 3*promptly + 5
	var p past
	p.reset(7, 1<<40)
	for k := range int64(steps) {
		p.push(k)
	}
	sum := func(n int64) int64 { return n*(steps-1) - n*(n-1)/2 }
	for _, n := range []int64{0, 1, promptly - 1, promptly, 2 * promptly, steps} {
		if got := p.last(n); got != sum(n) {
			t.Errorf("last %d sum to %d, want %d", n, got, sum(n))
		}
	}
	if got, want := p.last(steps+9), sum(steps)+9*7; got != want {
		t.Errorf("with 9 before the first: %d, want %d", got, want)
	}
	if len(p.sums) != 4*promptly {
		t.Errorf("%d sums are kept, want %d", len(p.sums), 4*promptly)
	}
}

// Appendix A.1: flows are counted from their first packet until the time-out after their last,
// and the count goes to packets that leave.
func TestFlowCounter(t *testing.T) {
	p := Defaults()
	p.FlowTimeout = 10 * core.Microsecond
	m := &counter{p: &p}
	m.Start(0, &algorithms.Port{MaxRTT: core.Millisecond})
	step := func(us int64, src core.NodeID, enqueue, own bool) uint32 {
		var k algorithms.Mark
		m.Step(&algorithms.Sight{
			Now: core.AtNanos(1000 * us), Enqueue: enqueue, Own: own, Packet: &core.Packet{Kind: core.Data, Src: src},
		}, &k)
		return k.Flows
	}
	step(0, 1, true, true)
	step(1, 2, true, true)
	step(2, 3, true, true)
	step(2, 4, true, false) // another scheme's
	for _, c := range []struct {
		us   int64
		src  core.NodeID
		want uint32
	}{{3, 1, 3}, {12, 1, 2}, {13, 1, 1}, {40, 2, 1}, {41, 1, 2}} {
		if got := step(c.us, c.src, false, true); got != c.want {
			t.Errorf("at %d us: %d flows, want %d", c.us, got, c.want)
		}
	}
	if got := step(41, 1, true, true); got != 0 {
		t.Errorf("a packet that arrives is told %d flows, want nothing", got)
	}
}
