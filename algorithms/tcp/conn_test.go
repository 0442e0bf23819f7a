package tcp

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// An ACK that fills a hole acknowledges a window, most of which had come before: it counts as one of so many packets
// as its receiver acknowledges at once (RFC 5681, eqs. 2 and 3), so that a time-out is followed by slow start.
func TestAckThatFillsAHole(t *testing.T) {
	reno, err1 := NewReno(RenoDefaults())
	cubic, err2 := NewCubic(CubicDefaults())
	delayed, err3 := NewDCTCP(DCTCPDefaults())
	for _, c := range []struct {
		scheme  algorithms.Scheme
		err     error
		loss    *algorithms.Signal
		windows []core.Bytes // after the loss, after the ACK
	}{
		{reno, err1, timeout(90_000), []core.Bytes{1000, 2000}},
		{cubic, err2, timeout(90_000), []core.Bytes{1000, 2000}},
		{delayed, err3, timeout(90_000), []core.Bytes{1000, 3000}},
		{reno, err1, nack(90_000), []core.Bytes{50_000, 50_020}},
		{delayed, err3, nack(90_000), []core.Bytes{50_000, 50_040}},
	} {
		m, answer := begin(t, c.scheme, c.err)
		for i := range int64(90) {
			m.Step(ack(1000*(i+1)), answer)
		}
		var windows []core.Bytes
		filled := ack(189_000)
		filled.Bytes = 99_000
		for _, s := range []*algorithms.Signal{c.loss, filled} {
			m.Step(s, answer)
			windows = append(windows, answer.Window)
		}
		if !slices.Equal(windows, c.windows) {
			t.Errorf("%s: windows %v after a loss and an ACK of 99 packets, want %v", c.scheme.Traits().Name, windows, c.windows)
		}
	}
}

// all are the schemes, with first windows of so many packets.
func all(t *testing.T, first float64) map[string]algorithms.Scheme {
	reno, cubic, vegas, dctcp := RenoDefaults(), CubicDefaults(), VegasDefaults(), DCTCPDefaults()
	reno.FirstWindow, cubic.FirstWindow, vegas.FirstWindow, dctcp.FirstWindow = first, first, first, first
	return map[string]algorithms.Scheme{
		"reno": algotest.Make(t, NewReno, reno), "cubic": algotest.Make(t, NewCubic, cubic),
		"vegas": algotest.Make(t, NewVegas, vegas), "dctcp": algotest.Make(t, NewDCTCP, dctcp),
	}
}

// A flow that something else holds back keeps its window, in slow start and after a loss.
func TestUnusedWindowDoesNotGrow(t *testing.T) {
	for name, s := range all(t, 10) {
		for _, slow := range []bool{true, false} {
			m, c := begin(t, s, nil)
			if !slow {
				m.Step(nack(0), c)
			}
			before := c.Window
			for i := range int64(100) {
				s := ack(1000 * (i + 1))
				s.InFlight = 3000
				if slow {
					s.InFlight = 2000
				}
				m.Step(s, c)
			}
			if c.Window != before {
				t.Errorf("%s, slow start %v: from %v to %v", name, slow, before, c.Window)
			}
		}
	}
}

// A loss counts once for all that was sent before it was found, also by a sender that has gone back since.
func TestOneReductionPerWindow(t *testing.T) {
	for name, s := range all(t, 100) {
		part := 0.5
		if name == "cubic" {
			part = 0.7
		}
		m, c := begin(t, s, nil)
		m.Step(ack(1000), c) // 101,000 bytes have been sent
		back := ack(2000)
		back.Next, back.InFlight = 5000, 3000
		m.Step(back, c)
		want := float64(c.Window)
		for _, loss := range []struct {
			acked int64
			news  bool
		}{{3000, true}, {3000, false}, {101_000, false}, {101_001, true}} {
			if loss.news {
				want *= part
			}
			if m.Step(nack(loss.acked), c); !near(float64(c.Window), want, 1) {
				t.Errorf("%s: a NACK of %d leaves a window of %v, want %v", name, loss.acked, c.Window, want)
			}
		}
	}
}

// Slow start ends at its threshold.
func TestEndOfSlowStart(t *testing.T) {
	k := conn{cwnd: 9, ssthresh: 10}
	for _, want := range []float64{9.75, 10, 10.075} {
		if k.grow(0.75); !near(k.cwnd, want, 1e-12) {
			t.Errorf("window %v, want %v", k.cwnd, want)
		}
	}
}

// In slow start the window is full if more than half of it was in flight at some time of this round trip or of the one
// before; it is unused if a packet more had been possible at all times of both.
func TestFlight(t *testing.T) {
	k := conn{cwnd: 20, ssthresh: 1e9, mss: 1000, perAck: 1}
	for i, step := range []struct {
		flight       core.Bytes
		ends         bool // the round trip before
		full, unused bool
	}{
		{10_000, true, false, true}, {10_001, true, true, true}, {3000, false, true, true},
		{3000, true, true, true}, {3000, true, false, true},
		{19_000, false, true, true}, {19_001, false, true, false}, {3000, false, true, false},
		{3000, true, true, false}, {3000, true, false, true},
	} {
		s := &algorithms.Signal{Acked: k.turn, Next: k.turn + 100_000, InFlight: step.flight - 1000, Bytes: 1000}
		if step.ends {
			s.Acked++
		}
		if k.hear(s); k.full != step.full || k.unused() != step.unused {
			t.Errorf("step %d, %+v: full %v, unused %v", i, step, k.full, k.unused())
		}
	}
}

// In slow start the window is ahead of what is in flight, by twice the most of this round trip and the one before.
func TestSlowStartAheadOfTheFlight(t *testing.T) {
	s, err := NewReno(RenoDefaults())
	m, c := begin(t, s, err)
	for i, step := range []struct{ flight, want core.Bytes }{{10_000, 11_000}, {5000, 12_000}, {5000, 12_000}} {
		s := ack(int64(1000 * (i + 1)))
		s.Next, s.InFlight = s.Acked, step.flight-s.Bytes // the next ACK ends a round trip
		if m.Step(s, c); c.Window != step.want {
			t.Errorf("with %v in flight in round trip %d: window %v, want %v", step.flight, i+1, c.Window, step.want)
		}
	}
}
