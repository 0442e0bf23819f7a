package rcp

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// Check case 16 RCP: R = 1 Gb/s at a link of 10 Gb/s with arrivals of 9 Gb/s, 1 MB queued and T = d = 0.1 s, becomes
// 1.038192 Gb/s (IWQoS 2005, the rate equation). A tenth of T makes a tenth of the step; the rate stays within its
// bounds.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		name            string
		now, y, queue   float64
		period          float64
		want, tolerance float64
	}{
		{"check case", 1e9, 9e9, 1e6, 0.1, 1.038192e9, 1},
		{"T is a tenth of d", 1e9, 9e9, 1e6, 0.01, 1.0038192e9, 1},
		{"idle", 1e9, 0, 0, 0.1, 1.4e9, 1},
		{"never above the line", 9e9, 0, 0, 0.1, 10e9, 0},
		{"a long queue", 1e9, 10e9, 1e9, 0.1, 1e6, 0},
		{"in equilibrium", 2e9, 10e9, 0, 0.1, 2e9, 1},
	} {
		r := rate{now: c.now, high: 10e9, low: 1e6, alpha: 0.4, beta: 0.226, period: c.period, rtt: 0.1}
		if r.next(c.y/8*c.period, c.queue); math.Abs(r.now-c.want) > c.tolerance {
			t.Errorf("%s: %v, want %v", c.name, r.now, c.want)
		}
	}
}

// newPort is a congestion point of 10 Gb/s in a network whose largest base round trip is 10 us.
func newPort() *marker {
	p := Defaults()
	p.MinRate = 10 * core.Mbps
	m := &marker{p: &p}
	m.Start(0, &algorithms.Port{Line: 10 * core.Gbps, MaxRTT: 10 * us, MTU: 1000})
	return m
}

// The period is the given one, otherwise the largest base round trip.
func TestPeriodOfPort(t *testing.T) {
	for given, want := range map[core.Duration]core.Duration{0: 10 * us, 3 * us: 3 * us} {
		p := Defaults()
		p.Period = given
		m := &marker{p: &p}
		m.Start(core.Time(us), &algorithms.Port{Line: 10 * core.Gbps, MaxRTT: 10 * us, MTU: 1000})
		if m.period != want || m.due != core.Time(us+want) {
			t.Errorf("given %v: period %v, due %v", given, m.period, m.due)
		}
	}
}

// The lowest rate is a packet a round trip where windows limit what many flows at that rate would
// send.
func TestLowestRate(t *testing.T) {
	for _, c := range []struct {
		set    core.Rate
		window bool
		line   core.Rate
		want   float64
	}{
		{0, true, 10 * core.Gbps, 800e6}, {0, true, 400 * core.Gbps, 800e6}, {0, true, 100 * core.Mbps, 100e6},
		{0, false, 10 * core.Gbps, 10e6}, {core.Gbps, true, 10 * core.Gbps, 1e9},
	} {
		p := Defaults()
		p.MinRate, p.Window = c.set, c.window
		m := &marker{p: &p}
		if m.Start(0, &algorithms.Port{Line: c.line, MaxRTT: 10 * us, MTU: 1000}); m.rate.low != c.want {
			t.Errorf("%+v: lowest rate %v", c, m.rate.low)
		}
	}
}

// see shows a packet to the port and returns the rate that it then carries.
func see(m *marker, at core.Duration, enqueue, own bool, queue core.Bytes, aux uint64) uint64 {
	var k algorithms.Mark
	m.Step(&algorithms.Sight{
		Now: core.Time(at), Own: own, Enqueue: enqueue, Queue: queue,
		Packet: &core.Packet{Kind: core.Data, Size: 1000, Aux: aux},
	}, &k)
	if k.SetAux {
		return k.Aux
	}
	return aux
}

// A period ends with the queue that the last packet before its end left, whenever the next packet
// comes; later arrivals belong to the next period.
func TestPeriods(t *testing.T) {
	m := newPort()
	for i := range core.Duration(20) {
		see(m, i*us/4, true, true, core.Bytes(1000*i), 0)
	}
	see(m, 9*us, false, true, 7000, 0)
	if m.rate.now != 10e9 || m.arrived != 20_000 {
		t.Fatalf("before the period's end: rate %v, %v arrived", m.rate.now, m.arrived)
	}
	want := 10e9 * (1 + (0.4*(10e9-16e9)-0.226*56_000/10e-6)/10e9)
	if see(m, 11*us, true, true, 50_000, 0); math.Abs(m.rate.now-want) > 1 || m.arrived != 1000 {
		t.Errorf("rate %v with %v arrived since, want %v and 1KB", m.rate.now, m.arrived, want)
	}
}

// Many periods at once have the same effect as one by one.
func TestIdlePeriods(t *testing.T) {
	for _, c := range []struct {
		queue, arrived core.Bytes
		rate           float64
	}{{0, 0, 10e9}, {100_000, 0, 10e9}, {0, 1_000_000, 10e6}} { // the last one keeps the lowest rate for a period
		lazy, eager := newPort(), newPort()
		for _, m := range []*marker{lazy, eager} {
			m.rate.now, m.arrived = c.rate, c.arrived
			see(m, us, true, true, c.queue+50_000, 0)
			see(m, 2*us, false, true, c.queue, 0)
		}
		const end = 3 * core.Millisecond
		for d := 10 * us; d < end; d += 10 * us {
			eager.elapse(core.Time(d))
		}
		lazy.elapse(core.Time(end))
		eager.elapse(core.Time(end))
		if lazy.rate != eager.rate || lazy.due != eager.due {
			t.Errorf("%+v: at once %v, due %v; one by one %v, due %v", c, lazy.rate.now, lazy.due, eager.rate.now, eager.due)
		}
	}
}

// A departing packet takes the port's rate along unless it carries a lower one; packets of other
// schemes and arrivals take nothing.
func TestStamp(t *testing.T) {
	m := newPort()
	m.rate.now = 2e9
	for _, c := range []struct {
		enqueue, own bool
		aux, want    uint64
	}{
		{false, true, 0, 2_000_000}, {false, true, 3_000_000, 2_000_000}, {false, true, 1_000_000, 1_000_000},
		{false, false, 0, 0}, {true, true, 0, 0},
	} {
		if got := see(m, us, c.enqueue, c.own, 0, c.aux); got != c.want {
			t.Errorf("%+v: carries %d", c, got)
		}
	}
}

// The sender obeys the latest ACK, within the line, with a window to match.
func TestSender(t *testing.T) {
	p := Defaults()
	p.FirstRate = 5 * core.Gbps
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, BaseRTT: 10 * us, MTU: 1000}, c)
	for _, step := range []struct {
		kind   algorithms.SignalKind
		aux    uint64
		rate   core.Rate
		window core.Bytes
		do     algorithms.Orders
	}{
		{algorithms.Timer, 1, 5 * core.Gbps, 6250, 0},
		{algorithms.Ack, 0, 5 * core.Gbps, 6250, 0},
		{algorithms.Ack, 2_000_000, 2 * core.Gbps, 2500, algorithms.Repace},
		{algorithms.Ack, 2_000_000, 2 * core.Gbps, 2500, 0},
		{algorithms.Ack, 1 << 60, 10 * core.Gbps, 12_500, algorithms.Repace},
		{algorithms.Ack, 1, core.Kbps, 1000, algorithms.Repace},
	} {
		c.Do = 0
		s.Step(&algorithms.Signal{Kind: step.kind, Aux: step.aux}, c)
		if c.Rate != step.rate || c.Window != step.window || c.Do != step.do {
			t.Errorf("aux %d: %+v, want %v, %v and orders %b", step.aux, *c, step.rate, step.window, step.do)
		}
	}
}

// Without window the host's own holds, whatever the rate.
func TestWithoutWindow(t *testing.T) {
	p := Defaults()
	p.Window = false
	s, c := algotest.Make(t, New, p).NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, BaseRTT: 10 * us, MTU: 1000}, c)
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, Aux: 2_000_000}, c)
	if c.Window != core.Unlimited || c.Rate != 2*core.Gbps {
		t.Errorf("%+v, want 2 Gb/s without a window", c)
	}
}

// A rate of less than the header's unit is told as one unit: 0 would be no rate, which the next hop would overwrite.
func TestLeastStamp(t *testing.T) {
	m := newPort()
	m.rate.now = 999
	if got := see(m, us, false, true, 0, 0); got != 1 {
		t.Errorf("999 bit/s is told as %d kb/s, want 1", got)
	}
}

func BenchmarkMarker(b *testing.B) {
	m := newPort()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		see(m, core.Duration(i)*core.Microsecond, i&1 == 0, true, 10_000, 0)
	}
}

// A queue that a failed link has lost counts up to then, and not after it. A frame may be ahead of the first packet.
func TestLostQueue(t *testing.T) {
	m, still := newPort(), newPort()
	see(m, us, true, true, 100_000, 0)
	m.Clear(core.Time(core.Millisecond))
	see(still, us, true, true, 100_000, 0)
	still.elapse(core.Time(core.Millisecond))
	if m.rate.now != still.rate.now || m.rate.now != m.rate.low {
		t.Errorf("when a queue of a millisecond is lost: rate %v, want the lowest, %v", m.rate.now, m.rate.low)
	}
	if see(m, core.Second, true, true, 64, 0); m.rate.now != 10e9 {
		t.Errorf("a second after a queue that was lost: rate %v, want the line's", m.rate.now)
	}
}
