package tcp

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func begin(t *testing.T, s algorithms.Scheme, err error) (algorithms.Sender, *algorithms.Control) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	m, c := s.NewSender(), new(algorithms.Control)
	m.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, MTU: 1000, BaseRTT: 100 * us}, c)
	return m, c
}

// ack is an ACK of one packet that finds the window full.
func ack(acked int64) *algorithms.Signal {
	return &algorithms.Signal{Kind: algorithms.Ack, Bytes: 1000, Acked: acked, Next: acked + 100_000, InFlight: 1 << 40, RTT: 100 * us}
}

func nack(acked int64) *algorithms.Signal {
	return &algorithms.Signal{Kind: algorithms.Ack, Flags: algorithms.IsNack, Acked: acked, Next: acked}
}

func timeout(acked int64) *algorithms.Signal {
	return &algorithms.Signal{Kind: algorithms.Loss, Flags: algorithms.Timeout, Acked: acked}
}

// Slow start, congestion avoidance, one halving for all losses of a window, and a time-out
// (RFC 5681, eqs. 2 to 4).
func TestReno(t *testing.T) {
	s, err := NewReno(RenoDefaults())
	m, c := begin(t, s, err)
	for i := range int64(30) {
		m.Step(ack(1000*(i+1)), c)
	}
	if c.Window != 40_000 {
		t.Fatalf("after 30 ACKs of slow start: %v, want 40KB", c.Window)
	}
	m.Step(nack(31_000), c)
	m.Step(nack(50_000), c) // of the same window
	if c.Window != 20_000 {
		t.Errorf("after a loss: %v, want 20KB", c.Window)
	}
	m.Step(ack(131_000), c)
	if c.Window != 20_050 {
		t.Errorf("after an ACK of congestion avoidance: %v, want 20050B", c.Window)
	}
	m.Step(nack(132_000), c)
	if c.Window != 10_025 {
		t.Errorf("after a loss in the next window: %v, want 10025B", c.Window)
	}
	for range 10 { // the further ones of a packet that has been sent again change nothing: RFC 5681, section 3.1
		m.Step(timeout(132_000), c)
		if c.Window != 1000 || m.(*reno).ssthresh != 10.025/2 {
			t.Fatalf("after a time-out: %v and a threshold of %v, want 1KB and 5.0125", c.Window, m.(*reno).ssthresh)
		}
	}
	m.Step(timeout(133_000), c)
	if c.Window != 1000 || m.(*reno).ssthresh != leastWindow {
		t.Errorf("after that of another packet: %v and a threshold of %v", c.Window, m.(*reno).ssthresh)
	}
}

// In congestion avoidance a window that has room for one packet more is not full, and does not grow (RFC 7661, section 4.3).
func TestFullWindow(t *testing.T) {
	k := &conn{cwnd: 20, ssthresh: 20, mss: 1000, perAck: 1}
	for flight, want := range map[core.Bytes]bool{19_000: false, 19_001: true, 20_000: true} {
		s := ack(1000)
		s.InFlight = flight - s.Bytes
		if k.hear(s); k.full != want {
			t.Errorf("%v of 20 packets in flight: full %v", flight, k.full)
		}
	}
}

// Vegas (Brakmo et al., SIGCOMM 1994): one packet more below alpha, one less above beta, and slow start every
// other round trip, until there is a queue.
func TestVegas(t *testing.T) {
	p := VegasDefaults()
	for _, c := range []struct{ diff, want float64 }{{1.9, 21}, {2, 20}, {4, 20}, {4.1, 19}} {
		v := &vegas{p: &p, conn: conn{cwnd: 20, ssthresh: 10, full: true}}
		if v.round(c.diff); v.cwnd != c.want {
			t.Errorf("%v packets in the queue: window %v, want %v", c.diff, v.cwnd, c.want)
		}
	}
	v := &vegas{p: &p, conn: conn{cwnd: 20, ssthresh: math.Inf(1)}}
	v.round(0.5)
	if v.round(0.5); v.still || v.cwnd != 20 {
		t.Errorf("%+v: slow start pauses for every other round trip", v)
	}
	if v.round(1); !math.IsInf(v.ssthresh, 1) {
		t.Error("slow start ends with gamma packets in the queue")
	}
	v.round(1.5)
	if v.ssthresh != 20 {
		t.Errorf("threshold %v, want slow start to end at 20", v.ssthresh)
	}
	low := &vegas{p: &p, conn: conn{cwnd: 20, ssthresh: 10}}
	if low.round(5); low.cwnd != 19 || low.ssthresh != 10 {
		t.Errorf("window %v and threshold %v, want 19 and 10", low.cwnd, low.ssthresh)
	}
	if v.round(5); v.cwnd >= v.ssthresh+1 || v.cwnd < v.ssthresh {
		t.Errorf("window %v and threshold %v: slow start would begin again", v.cwnd, v.ssthresh)
	}
}

// In slow start Vegas doubles its window in the first round trip, keeps it for one, and so on (Brakmo et al.,
// SIGCOMM 1994, section 3.3).
func TestVegasSlowStart(t *testing.T) {
	s, err := NewVegas(VegasDefaults())
	m, c := begin(t, s, err)
	acked, sent := int64(0), int64(c.Window)
	for i, want := range []core.Bytes{20_000, 20_000, 40_000, 40_000, 80_000} {
		for end := sent; acked < end; {
			acked += 1000
			s := ack(acked)
			s.Next, s.InFlight = sent, core.Bytes(sent-acked)
			m.Step(s, c)
			sent = acked + int64(c.Window)
		}
		if c.Window != want {
			t.Errorf("after %d round trips: window %v, want %v", i+1, c.Window, want)
		}
	}
}

// Vegas keeps an unused window, and at least two packets; a loss halves the window.
func TestVegasBounds(t *testing.T) {
	p := VegasDefaults()
	v := &vegas{p: &p, conn: conn{cwnd: 20, ssthresh: 10}}
	if v.round(0); v.cwnd != 20 {
		t.Errorf("a window that is not used grows to %v", v.cwnd)
	}
	if v.Step(nack(1), new(algorithms.Control)); v.cwnd != 10 {
		t.Errorf("after a loss: %v, want 10", v.cwnd)
	}
	v.cwnd, v.ssthresh = 2.5, 2
	if v.round(5); v.cwnd != 2 {
		t.Errorf("window %v, want 2", v.cwnd)
	}
}

// Vegas measures its packets in the queue as (cwnd/base - cwnd/RTT) base, RTT the least of a round
// trip: expected and actual rate (Brakmo et al., SIGCOMM 1994, section 3.2).
func TestVegasQueue(t *testing.T) {
	s, err := NewVegas(VegasDefaults())
	m, c := begin(t, s, err)
	v := m.(*vegas)
	v.ssthresh = 2
	first := ack(1000)
	m.Step(first, c) // base 100 us
	for i, rtt := range []core.Duration{200 * us, 150 * us, 160 * us} {
		s := ack(2000 + 1000*int64(i))
		s.RTT = rtt
		m.Step(s, c)
	}
	cwnd := v.cwnd
	end := ack(200_000)
	end.RTT = 500 * us
	if m.Step(end, c); v.cwnd != cwnd || !near(cwnd/3, 3.33, 0.01) {
		t.Errorf("window %v after %v: 3.33 packets in the queue change nothing", v.cwnd, cwnd)
	}
}

// Check case 6.1: alpha = 1 and a quarter of the bytes marked give alpha = 0.953125, and a
// window of 100 packets becomes 52.34375 (SIGCOMM 2010, eqs. 1 and 2; RFC 8257, section 3.3).
func TestDCTCPCheckCase1(t *testing.T) {
	s, err := NewDCTCP(DCTCPDefaults())
	m, c := begin(t, s, err)
	d := m.(*dctcp)
	d.cwnd, d.ssthresh, d.last, d.acked, d.marked = 100, 50, 5000, 3000, 0
	marked := ack(6000)
	marked.Flags, marked.Marked = algorithms.ECE, 1000
	m.Step(marked, c)
	if d.alpha != 0.953125 || d.cwnd != 52.34375 || d.ssthresh != d.cwnd {
		t.Errorf("alpha %v, window %v; want 0.953125 and 52.34375", d.alpha, d.cwnd)
	}
	again := ack(7000)
	again.Flags, again.Marked = algorithms.ECE, 1000
	m.Step(again, c)
	if d.cwnd != 52.34375 {
		t.Errorf("a second echo of the same window: %v", d.cwnd)
	}
	for range 20 {
		d.cwnd = 1
		d.reduce(again, 0.5)
	}
	if d.cwnd != 2 {
		t.Errorf("least window %v, want 2", d.cwnd)
	}
}

// alpha moves once a window, by the marks of that window alone (RFC 8257, section 3.3): windows of ten packets here, but
// for the first ACK.
func TestDCTCPAlpha(t *testing.T) {
	s, err := NewDCTCP(DCTCPDefaults())
	m, c := begin(t, s, err)
	d := m.(*dctcp)
	want, acked := 1.0, int64(0)
	for _, window := range []struct{ packets, marked int }{{1, 0}, {10, 4}, {10, 0}, {10, 10}} {
		for i := range window.packets {
			if !near(d.alpha, want, 1e-12) {
				t.Fatalf("at byte %d: alpha %v, want %v", acked, d.alpha, want)
			}
			acked += 1000
			s := ack(acked)
			if s.Next = acked + 9000; i < window.marked {
				s.Marked = 1000
			}
			m.Step(s, c)
		}
		want = want*15/16 + float64(window.marked)/float64(window.packets)/16
	}
	if !near(d.alpha, want, 1e-12) {
		t.Errorf("in the end: alpha %v, want %v", d.alpha, want)
	}
}

// After an echo the window does not grow before what was in flight is acknowledged.
func TestDCTCPNoGrowthInReduction(t *testing.T) {
	s, err := NewDCTCP(DCTCPDefaults())
	m, c := begin(t, s, err)
	d := m.(*dctcp)
	d.cwnd, d.ssthresh = 64, 64
	echo := ack(1000) // 101,000 bytes have been sent
	echo.Flags = algorithms.ECE
	m.Step(echo, c)
	cut := d.cwnd
	for acked, grown := range map[int64]float64{2000: 0, 101_000: 0, 101_001: 1 / cut} {
		d.cwnd = cut
		if m.Step(ack(acked), c); !near(d.cwnd, cut+grown, 1e-12) {
			t.Errorf("after an ACK of %d: window %v, want %v", acked, d.cwnd, cut+grown)
		}
	}
}

// An ACK that ends a window and acknowledges nothing new, as after a sender has gone back, leaves alpha as it is.
func TestDCTCPEmptyWindow(t *testing.T) {
	s, err := NewDCTCP(DCTCPDefaults())
	m, c := begin(t, s, err)
	empty := ack(1000)
	empty.Bytes = 0
	if m.Step(empty, c); m.(*dctcp).alpha != 1 {
		t.Errorf("alpha %v, want 1", m.(*dctcp).alpha)
	}
}

// A window is reduced once for all its losses and marks (RFC 8257, section 3.5; RFC 3168, section 6.1.2), except for a
// time-out, which always counts.
func TestDCTCPOneReductionPerWindow(t *testing.T) {
	s, err := NewDCTCP(DCTCPDefaults())
	m, c := begin(t, s, err)
	d := m.(*dctcp)
	d.cwnd, d.ssthresh = 64, 64
	echo := func(acked int64) *algorithms.Signal {
		s := ack(acked)
		s.Flags, s.Marked = algorithms.ECE, s.Bytes
		d.alpha = 1
		return s
	}
	for _, step := range []struct {
		what   string
		signal *algorithms.Signal
		want   core.Bytes
	}{
		{"an echo", echo(1000), 32_000},
		{"a loss of the same window", nack(101_000), 32_000},
		{"a loss of the next one", nack(101_001), 16_000},
		{"an echo of what had been sent", echo(101_001), 16_000},
		{"an echo of what was sent later", echo(102_000), 8000},
		{"a time-out", timeout(101_001), 1000},
		{"an echo of what had been sent", echo(202_000), 1000},
		{"an echo of what was sent later", echo(203_000), 2000},
		{"a time-out while it is in flight", timeout(203_000), 1000},
		{"an ACK of that, in slow start", ack(204_000), 2000},
	} {
		if m.Step(step.signal, c); c.Window != step.want {
			t.Errorf("after %s: %v, want %v", step.what, c.Window, step.want)
		}
	}
}

// Check case 6.2: at 10 Gb/s and 100 us a threshold of C RTT/7 = 17857 B (SIGCOMM 2010, eq. 13); with it the link is
// kept busy, with a tenth of it less so.
func TestDCTCPCheckCase2Threshold(t *testing.T) {
	k := 10e9 / 8 * 100e-6 / 7
	if !near(k, 17857, 0.5) {
		t.Errorf("K = %v, want 17857", k)
	}
	run := func(k core.Bytes) float64 {
		s := algotest.Make(t, NewDCTCP, DCTCPDefaults())
		b := algotest.NewBottleneck(2, 40*core.Millisecond)
		b.Line, b.BaseRTT, b.KMin, b.KMax, b.PMax = 10*core.Gbps, 100*us, k, k, 1
		return b.Run(s).Utilisation()
	}
	enough, little := run(core.Bytes(k)), run(core.Bytes(k/10))
	if enough < 0.95 || little >= enough {
		t.Errorf("used %.3f with K and %.3f with a tenth of it", enough, little)
	}
}
