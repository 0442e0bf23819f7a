package tcp

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
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

// A flow that something else holds back keeps its window.
func TestUnusedWindowDoesNotGrow(t *testing.T) {
	s, err := NewReno(RenoDefaults())
	m, c := begin(t, s, err)
	for i := range int64(100) {
		s := ack(1000 * (i + 1))
		s.InFlight = 3000
		m.Step(s, c)
	}
	if c.Window != 10_000 {
		t.Errorf("window %v, want 10KB", c.Window)
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
