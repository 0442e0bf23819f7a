package timely

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// evaluated returns a sender of 100 Gb/s at half the line rate that has just seen an RTT.
func evaluated(t *testing.T, rtt core.Duration) (*sender, *algorithms.Control) {
	t.Helper()
	s := algotest.Make(t, New, Defaults())
	m, c := s.NewSender().(*sender), new(algorithms.Control)
	m.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * us, MTU: 1000}, c)
	ack(m, c, 1000, 10_000, rtt)
	m.rate = 50 * core.Gbps
	return m, c
}

func ack(m *sender, c *algorithms.Control, acked, next int64, rtt core.Duration) {
	m.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: acked, Next: next, RTT: rtt}, c)
}

// Check case 7.1: 50 us then 60 us (Mittal et al., SIGCOMM 2015, algorithm 1).
func TestCheckCase1Gradient(t *testing.T) {
	m, c := evaluated(t, 50*us)
	ack(m, c, 11_000, 20_000, 60*us)
	if m.diff != 8750 {
		t.Errorf("smoothed difference %v ns, want 8750", m.diff)
	}
	if got := float64(c.Rate) / 50e9; math.Abs(got-0.65) > 1e-9 {
		t.Errorf("factor %v, want 0.65", got)
	}
}

// Check case 7.2: an RTT above t_high, and one below t_low (algorithm 1).
func TestCheckCase2Thresholds(t *testing.T) {
	m, c := evaluated(t, 1000*us)
	ack(m, c, 11_000, 20_000, 1000*us)
	if got := float64(c.Rate) / 50e9; math.Abs(got-0.6) > 1e-9 {
		t.Errorf("factor at 1 ms %v, want 0.6", got)
	}
	m, c = evaluated(t, 20*us)
	ack(m, c, 11_000, 20_000, 40*us)
	if want := 50*core.Gbps + 100*core.Mbps; c.Rate != want {
		t.Errorf("rate at 40 us %v, want %v", c.Rate, want)
	}
}

// The sixth increase in a row is hyper-active, and a decrease ends the row.
func TestHyperActiveIncrease(t *testing.T) {
	m, c := evaluated(t, 20*us)
	next := int64(10_000)
	step := func(rtt core.Duration) core.Rate {
		before := m.rate
		next += 10_000
		ack(m, c, next-9000, next, rtt)
		return c.Rate - before
	}
	for i := range 7 {
		want := 100 * core.Mbps
		if i >= 5 {
			want = 500 * core.Mbps
		}
		if got := step(20 * us); got != want {
			t.Errorf("increase %d: %v, want %v", i+1, got, want)
		}
	}
	step(600 * us)
	if got := step(20 * us); got != 100*core.Mbps {
		t.Errorf("increase after a decrease: %v, want 100Mbps", got)
	}
}

// Only ACKs beyond what was next to be sent at the last evaluation count.
func TestOncePerRoundTrip(t *testing.T) {
	m, c := evaluated(t, 20*us)
	before := *m
	ack(m, c, 9_000, 18_000, 900*us)
	ack(m, c, 10_000, 19_000, 900*us)
	if *m != before {
		t.Errorf("state changed within a round trip:\n%+v\n%+v", before, *m)
	}
}

// A gradient beyond 1/beta brings the rate down to its floor, not lower.
func TestSteepGradient(t *testing.T) {
	m, c := evaluated(t, 50*us)
	ack(m, c, 11_000, 20_000, 400*us)
	if c.Rate != core.Gbps {
		t.Errorf("rate %v, want the floor of 1Gbps", c.Rate)
	}
}

// An RTT equal to t_low is judged by its gradient (Mittal et al., SIGCOMM 2015, algorithm 1).
func TestLowThreshold(t *testing.T) {
	for rtt, falls := range map[core.Duration]bool{50 * us: true, 50*us - core.Nanosecond: false} {
		m, c := evaluated(t, 40*us)
		before := m.rate
		if ack(m, c, 11_000, 20_000, rtt); (c.Rate < before) != falls {
			t.Errorf("%v after 40us: from %v to %v", rtt, before, c.Rate)
		}
	}
}

// So is one equal to t_high.
func TestHighThreshold(t *testing.T) {
	for rtt, grows := range map[core.Duration]bool{500 * us: true, 500*us + core.Nanosecond: false} {
		m, c := evaluated(t, 600*us)
		before := m.rate
		if ack(m, c, 11_000, 20_000, rtt); (c.Rate > before) != grows {
			t.Errorf("%v after 600us: from %v to %v", rtt, before, c.Rate)
		}
	}
}

// A gradient of 0 lets the rate grow.
func TestNoGradient(t *testing.T) {
	m, c := evaluated(t, 100*us)
	before := m.rate
	if ack(m, c, 11_000, 20_000, 100*us); c.Rate <= before {
		t.Errorf("100us after 100us: from %v to %v", before, c.Rate)
	}
}
