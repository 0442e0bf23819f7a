package xcp

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// Check case 16 XCP: d = 0.1 s, 0.1 Gb/s to spare and 50 KB of persistent queue make 3.9096 Mbit of
// aggregate feedback (SIGCOMM 2002, equation 1).
func TestAggregateFeedback(t *testing.T) {
	p := Defaults()
	if got := p.phi(0.1, 0.1e9, 8*50e3); math.Abs(got-3.9096e6) > 1e-6 {
		t.Errorf("phi is %v bit, want 3.9096 Mbit", got)
	}
}

// eager asks for more than any port gives.
const eager = 1e9

// sent is a packet of a flow with a window in bytes and a round trip in us.
type sent struct{ size, cwnd, rtt float64 }

// flows send what a link of 10 Gb/s carries in 9 us, at round trips of 10 and 20 us.
var flows = []sent{{1000, 10_000, 10}, {1000, 5000, 20}, {500, 10_000, 10}, {1000, 8000, 20}}

// newPort is a congestion point of 10 Gb/s, 12,500 bytes in 10 us, in a network whose largest base
// round trip is 10 us.
func newPort() *marker {
	p := Defaults()
	m := &marker{p: &p}
	m.Start(0, &algorithms.Port{Line: 10 * core.Gbps, MaxRTT: 10 * us})
	return m
}

// see shows a packet to the port and returns the feedback that it then carries.
func see(m *marker, at core.Duration, enqueue bool, queue core.Bytes, p sent, asks float64) float64 {
	h := header{p.cwnd, p.rtt / 1e6, asks}
	s := algorithms.Sight{
		Now: core.Time(at), Own: true, Enqueue: enqueue, Queue: queue,
		Packet: &core.Packet{Kind: core.Data, Size: int32(p.size), Aux: h.pack()},
	}
	var k algorithms.Mark
	m.Step(&s, &k)
	if k.SetAux {
		return feedback(k.Aux)
	}
	return feedback(s.Packet.Aux)
}

// arrive shows packets of the flows in turn, from 1 us on and before 10 us; each finds the given queue.
func arrive(m *marker, n int, queue core.Bytes) (list []sent) {
	for i := range n {
		p := flows[i%len(flows)]
		list = append(list, p)
		see(m, us+core.Duration(i)*9*us/core.Duration(n), true, queue, p, eager)
	}
	return list
}

// sums returns the sums over packets of bytes, and of section 3.5 of the paper.
func sums(list []sent) (bytes, shares, squares float64) {
	for _, p := range list {
		share := p.rtt / 1e6 * p.size / p.cwnd
		bytes, shares, squares = bytes+p.size, shares+share, squares+share*p.rtt/1e6
	}
	return
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// The control interval is the mean round trip of the traffic; without traffic it stays the same.
func TestMeanRTT(t *testing.T) {
	m := newPort()
	_, shares, squares := sums(arrive(m, 12, 0))
	m.elapse(core.Time(10 * us))
	near(t, "d", m.interval.Seconds(), squares/shares)
	if d := m.interval; d <= 10*us || d >= 20*us || m.due != core.Time(10*us).Add(d) {
		t.Errorf("d is %v, due %v", d, m.due)
	}
	before := m.interval
	m.elapse(core.Time(core.Millisecond))
	if m.interval != before || m.gift.xiP != 0 || m.gift.xiN != 0 {
		t.Errorf("after empty intervals d is %v, to give %+v", m.interval, m.gift)
	}
}

// An interval's feedback adds up to phi and the shuffled part: sum(feedback/rtt) = phi/d, of which
// increases are (h + max(phi, 0))/d and decreases (h + max(-phi, 0))/d.
func TestSums(t *testing.T) {
	p := Defaults()
	for _, c := range []struct {
		name     string
		packets  int
		queue    core.Bytes
		shuffles bool
	}{
		{"spare capacity", 6, 0, false},
		{"nearly full", 13, 0, true},
		{"full with a short queue", 14, 800, true},
		{"overloaded", 30, 20_000, false},
	} {
		m := newPort()
		m.now.least = c.queue
		list := arrive(m, c.packets, c.queue)
		m.elapse(core.Time(10 * us))
		bytes, shares, squares := sums(list)
		d := squares / shares
		y := bytes / 10e-6
		phi := p.phi(d, 10e9/8-y, float64(c.queue))
		h := max(0, p.Gamma*y*d-math.Abs(phi))
		if h > 0 != c.shuffles {
			t.Errorf("%s: %v shuffled: this is not the case that was meant", c.name, h)
		}
		scale := d / 10e-6 // as many more packets are expected
		near(t, c.name+": xi_p", m.gift.xiP, (h+max(phi, 0))/(d*shares*scale))
		near(t, c.name+": xi_n", m.gift.xiN, (h+max(-phi, 0))/(d*bytes*scale))
		near(t, c.name+": increases", m.gift.give, (h+max(phi, 0))/d)
		near(t, c.name+": decreases", m.gift.take, (h+max(-phi, 0))/d)
		m.gift = newGift(d, h+max(phi, 0), h+max(-phi, 0), shares, bytes) // for these packets only
		total := 0.0
		for _, p := range list {
			total += see(m, 11*us, false, c.queue, p, eager) / p.rtt * 1e6
		}
		near(t, c.name+": sum", total, phi/d)
	}
}

// In a round trip, flows with equal round trips increase their windows by equal amounts, and
// decrease them in proportion to what they send.
func TestShares(t *testing.T) {
	small, large := header{1000, 10e-6, eager}, header{10_000, 10e-6, eager}
	grow, shrink := newGift(10e-6, 5000, 0, 1, 50_000), newGift(10e-6, 0, 5000, 1, 50_000)
	near(t, "growth", 10*grow.feedback(&large, 1000), grow.feedback(&small, 1000))
	near(t, "decrease", 10*shrink.feedback(&large, 1000), 10*shrink.feedback(&small, 1000))
	if g := shrink.feedback(&large, 1000); g >= 0 {
		t.Errorf("a decrease of %v", g)
	}
}

// After an interval without packets there is nobody to give feedback to.
func TestNoPackets(t *testing.T) {
	for _, c := range []struct{ shares, bytes float64 }{{0, 0}, {1e-5, 0}, {0, 10_000}} {
		g := newGift(10e-6, 4000, 1000, c.shares, c.bytes)
		if got := g.feedback(&header{10_000, 10e-6, eager}, 1000); got != 0 {
			t.Errorf("%+v: a packet gets %v", c, got)
		}
	}
}

// An interval's feedback runs out: packets beyond the expected number get nothing.
func TestResidue(t *testing.T) {
	for _, c := range []struct{ grow, shrink float64 }{{4000, 0}, {0, 4000}, {4000, 1000}} {
		p := sent{1000, 10_000, 10}
		g := newGift(10e-6, c.grow, c.shrink, 10*1e-6, 10_000) // for ten of these
		total, last := 0.0, 1.0
		for range 30 {
			last = g.feedback(&header{p.cwnd, p.rtt / 1e6, eager}, p.size)
			total += last
		}
		if near(t, "what 30 packets get", total, c.grow-c.shrink); math.Abs(last) > 1e-9 {
			t.Errorf("the last of 30 packets gets %v", last)
		}
	}
}

// A packet that already carries less keeps it. What it does not take is first counted as a
// decrease, and then left to others.
func TestLessFromElsewhere(t *testing.T) {
	const d = 10e-6
	h := header{10_000, d, 100}
	g := newGift(d, 4000, 0, 1e-5, 10_000) // 400 a packet, nothing to shuffle
	if got := g.feedback(&h, 1000); got != 100 {
		t.Errorf("it gets %v, want the 100 that it asks for", got)
	}
	near(t, "left to give", g.give*d, 3900)
	g = newGift(d, 4000, 250, 1e-5, 10_000) // 400 and -25 a packet
	if got := g.feedback(&h, 1000); got != 100 {
		t.Errorf("it gets %v, want the 100 that it asks for", got)
	}
	near(t, "left to give", g.give*d, 4000-100-250)
	if g.take != 0 {
		t.Errorf("left to take: %v, want 0", g.take)
	}
	h.feedback = -700 // decided elsewhere, and more than is to be taken here
	g = newGift(d, 400, 50, 1e-5, 10_000)
	if got := g.feedback(&h, 1000); got != -700 || g.give != 400/d || g.take != 0 {
		t.Errorf("it gets %v; left %+v", got, g)
	}
}

// The persistent queue is the shortest that a packet found or left.
func TestPersistentQueue(t *testing.T) {
	m, p := newPort(), flows[0]
	m.elapse(core.Time(9 * us))
	m.queue = 30_000
	m.elapse(core.Time(10 * us)) // the next interval begins with 30 KB
	for i, queue := range []core.Bytes{29_000, 28_000, 7000, 8000, 50_000} {
		see(m, 11*us+core.Duration(i)*us, i&1 == 0, queue, p, eager)
	}
	if m.now.least != 7000 {
		t.Errorf("the persistent queue is %v, want 7KB", m.now.least)
	}
	m.elapse(core.Time(20 * us))
	if m.now.least != 51_000 {
		t.Errorf("the next interval begins with %v, want the 50KB found and the packet", m.now.least)
	}
}

// A queue that a failed link has lost is not a persistent one.
func TestLostQueue(t *testing.T) {
	m := newPort()
	m.elapse(core.Time(10 * us))
	see(m, 11*us, true, 20_000, flows[0], eager)
	m.now.least = 20_000 // the interval began with it
	m.Clear(core.Time(12 * us))
	see(m, 13*us, true, 64, flows[0], eager)
	if m.now.least != 0 {
		t.Errorf("the persistent queue of the interval of the loss is %v, want none", m.now.least)
	}
	m.elapse(core.Time(20 * us))
	if want := core.Bytes(64 + 1000); m.now.least != want {
		t.Errorf("the next interval begins with %v, want the %v since", m.now.least, want)
	}
}

// Packets of other schemes only count as traffic; a packet without a header gets none.
func TestOthers(t *testing.T) {
	m := newPort()
	var k algorithms.Mark
	for _, c := range []struct {
		own bool
		h   header
	}{{false, header{10_000, 1e-5, 1}}, {true, header{}}, {true, header{10_000, 0, 1}}, {true, header{0, 1e-5, 1}}} {
		s := algorithms.Sight{Now: core.Time(us), Own: c.own, Enqueue: true, Packet: &core.Packet{Size: 1000, Aux: c.h.pack()}}
		m.Step(&s, &k)
		s.Enqueue = false
		m.Step(&s, &k)
	}
	if want := (tally{arrived: 4000}); m.now != want || k.SetAux {
		t.Errorf("%+v, marked %v; want %+v and nothing written", m.now, k.SetAux, want)
	}
}

// Many empty intervals at once have the same effect as one by one.
func TestEmptyIntervals(t *testing.T) {
	lazy, eager := newPort(), newPort()
	for _, m := range []*marker{lazy, eager} {
		arrive(m, 12, 5000)
	}
	const end = 3 * core.Millisecond
	for d := us; d <= end; d += us {
		eager.elapse(core.Time(d))
	}
	lazy.elapse(core.Time(end))
	if lazy.gift != eager.gift || lazy.now != eager.now || lazy.due != eager.due || lazy.interval != eager.interval {
		t.Errorf("at once %+v, one by one %+v", lazy, eager)
	}
}

func BenchmarkMarker(b *testing.B) {
	m := newPort()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		see(m, core.Duration(i/2)*us, i&1 == 0, 10_000, flows[i/2%len(flows)], eager)
	}
}
