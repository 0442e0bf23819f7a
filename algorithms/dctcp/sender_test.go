package dctcp

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

func newSender(t *testing.T) (*sender, *algorithms.Control) {
	t.Helper()
	s := algotest.Make(t, New, Defaults())
	m, c := s.NewSender().(*sender), new(algorithms.Control)
	m.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000}, c)
	return m, c
}

func ack(m *sender, c *algorithms.Control, acked, next int64, echo bool) {
	s := algorithms.Signal{Kind: algorithms.Ack, Acked: acked, Next: next}
	if echo {
		s.Flags = algorithms.ECE
	}
	m.Step(&s, c)
}

// Check case 6.3: the rate form, a batch of 21 packets with 10 echoes (SIGCOMM 2010, eq. 1).
func TestCheckCase3Batch(t *testing.T) {
	m, c := newSender(t)
	ack(m, c, 1000, 20_000, false)
	if m.batch != 21 {
		t.Errorf("first batch of %d packets, want 21", m.batch)
	}
	for i := range int64(10) {
		ack(m, c, 2000+1000*i, 20_000, true)
	}
	ack(m, c, 21_000, 40_000, false)
	if math.Abs(m.alpha-0.967262) > 1e-6 {
		t.Errorf("alpha %.6f, want 0.967262", m.alpha)
	}
	if m.batch != 20 || m.echoes != 0 {
		t.Errorf("next batch of %d packets with %d echoes, want 20 and 0", m.batch, m.echoes)
	}
}

// A batch with fewer packets than echoes counts as entirely marked (HPCC authors' variant: at most 1).
func TestMoreEchoesThanPackets(t *testing.T) {
	m, c := newSender(t)
	m.alpha = 0
	ack(m, c, 1000, 3000, false)
	for range 9 {
		ack(m, c, 2000, 3000, true)
	}
	ack(m, c, 4000, 5000, false)
	if m.alpha != 1./16 {
		t.Errorf("alpha %v after nine echoes in a batch of four, want 1/16", m.alpha)
	}
}

// An ACK beyond what has been sent since the sender went back does not turn alpha into NaN: alpha
// decays.
func TestAckBeyondNext(t *testing.T) {
	m, c := newSender(t)
	ack(m, c, 1000, 20_000, false)
	ack(m, c, 23_000, 22_000, false)
	ack(m, c, 24_000, 30_000, false)
	if want := 15.0 / 16 * 15 / 16; math.Abs(m.alpha-want) > 1e-12 {
		t.Errorf("alpha %v, want %v", m.alpha, want)
	}
	if ack(m, c, 31_000, 40_000, true); c.Rate <= 0 || c.Rate > m.line {
		t.Errorf("rate %v", c.Rate)
	}
}

// The first echo of a reduction halves the rate while alpha is 1 (SIGCOMM 2010, eq. 2); later ones change nothing until
// an ACK passes what was in flight.
func TestOneReductionPerWindow(t *testing.T) {
	m, c := newSender(t)
	ack(m, c, 1000, 20_000, true)
	if c.Rate != 50*core.Gbps {
		t.Fatalf("rate after the first echo %v, want 50Gbps", c.Rate)
	}
	ack(m, c, 2000, 21_000, true)
	ack(m, c, 20_000, 39_000, true)
	if c.Rate != 50*core.Gbps {
		t.Errorf("rate within the reduction %v, want 50Gbps", c.Rate)
	}
	ack(m, c, 20_001, 40_000, false)
	if want := 50*core.Gbps + m.ai; c.Rate != want {
		t.Errorf("rate after it %v, want %v", c.Rate, want)
	}
}

// The default increase is one MTU per base round trip: the 615 Mb/s of 1000 B per 13 us.
func TestDefaultIncrease(t *testing.T) {
	m, _ := newSender(t)
	if m.ai/core.Mbps != 615 {
		t.Errorf("ai %v, want 615 Mb/s and a fraction", m.ai)
	}
}

// An echo at the end of a batch suppresses the batch's increase.
func TestReductionSuppressesIncrease(t *testing.T) {
	m, c := newSender(t)
	ack(m, c, 1000, 20_000, false)
	m.rate = 40 * core.Gbps
	ack(m, c, 21_000, 40_000, true)
	if want := (40 * core.Gbps).Scale(1 - m.alpha/2); c.Rate != want {
		t.Errorf("rate %v, want %v", c.Rate, want)
	}
}
