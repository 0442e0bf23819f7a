package nscc

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// ack is the answer to a packet that has waited for a time on its way, to a sender that has sent 200,000 bytes.
func ack(bytes core.Bytes, acked int64, delay core.Duration, flags algorithms.SignalFlags) *algorithms.Signal {
	return &algorithms.Signal{
		Kind: algorithms.Ack, Bytes: bytes, Acked: acked, Next: 200_000, InFlight: core.Bytes(200_000 - acked), RTT: 12*us + delay, Flags: flags,
	}
}

// The time in the receiving host is no queueing delay.
func TestHostTime(t *testing.T) {
	s, c := started(t, reference(), Defaults(), 100_000)
	sig := ack(9000, 9000, 12*us, 0)
	sig.HostTime = 9 * us
	if s.Step(sig, c); s.avgDelay != float64(3*us)*0.0125 || c.Window != 100_270 {
		t.Errorf("mean delay %v, window %v; want the part of 3 us, and 100,270", s.avgDelay, c.Window)
	}
}

// A packet beyond a gap counts when it arrives, and what closes the gap counts alone, not with what has come before.
func TestArrivals(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 0)
	for i, c := range []struct {
		bytes core.Bytes
		acked int64
		want  float64
		ahead int64
	}{
		{1000, 1000, 1000, 0},
		{0, 1000, 1000, 1000},    // the third
		{0, 1000, 1000, 2000},    // the fifth
		{2000, 3000, 1000, 1000}, // the second
		{2000, 5000, 1000, 0},    // the fourth
		{3000, 8000, 3000, 0},    // three, of which two ACKs were lost
		{0, 199_500, 500, 500},   // no more than is in flight
		{0, 199_500, 0, 500},
		{500, 200_000, 500, 0}, // the last
		{0, 200_000, 0, 0},     // all has arrived, or the host has gone back
	} {
		if got := s.arrived(ack(c.bytes, c.acked, 0, 0)); got != c.want || s.ahead != c.ahead {
			t.Errorf("ACK %d: %v arrived, %v ahead; want %v, %v", i, got, s.ahead, c.want, c.ahead)
		}
	}
}

// A NACK takes a packet off the window, to which a packet remains, triggers quick adapt, and counts in the mean delay as
// the packet that was trimmed: by a base round trip. Further NACKs for the same byte are those of other packets.
func TestLoss(t *testing.T) {
	s, c := started(t, reference(), Defaults(), 10_000)
	for _, step := range []struct {
		acked  int64
		flags  algorithms.SignalFlags
		window core.Bytes
		mean   core.Duration
	}{
		{0, algorithms.ECE, 10_000, 0}, {0, algorithms.IsNack | algorithms.ECE, 9000, 1}, {0, algorithms.IsNack | algorithms.ECE, 9000, 0},
		{4000, algorithms.IsNack | algorithms.ECE, 8000, 1}, {4000, algorithms.ECE, 8000, 0},
	} {
		s.avgDelay, s.adapt.trigger = 0, false
		before := s.cwnd
		s.Step(ack(0, step.acked, 0, step.flags), c)
		lost := step.mean > 0
		mean := 0.0
		if lost {
			mean = float64(12*us) * 2 * 1000 / before
		}
		if c.Window != step.window || s.adapt.trigger != lost || !near(1+s.avgDelay, 1+mean) {
			t.Errorf("%+v: window %v, trigger %v, mean %v", step, c.Window, s.adapt.trigger, s.avgDelay)
		}
	}
	s.cwnd = 1500
	if s.Step(ack(0, 6000, 0, algorithms.IsNack|algorithms.ECE), c); c.Window != 1000 {
		t.Errorf("window %v, want a packet", c.Window)
	}
}

// Quick adapt comes before the packet that a loss takes off, and in what is ignored after it nothing is taken off.
func TestLossAndQuickAdapt(t *testing.T) {
	s, c := started(t, reference(), Defaults(), 100_000)
	s.Step(ack(1000, 1000, 0, 0), c)
	s.Step(ack(4000, 5000, 0, 0), c)
	nack := ack(0, 5000, 0, algorithms.IsNack)
	nack.Now = core.Time(24 * us)
	if s.Step(nack, c); c.Window != 5000 || s.adapt.ignore != 194_000 {
		t.Errorf("window %v, %v to be ignored; want 5000, and what is in flight but for the packet beyond the gap", c.Window, s.adapt.ignore)
	}
	s.adapt.end = core.Never
	nack = ack(2000, 7000, 50*us, algorithms.IsNack)
	if s.Step(nack, c); c.Window != 5000 || s.adapt.ignored != 2000 {
		t.Errorf("window %v, %v ignored; want 5000, and the packets that have arrived and been lost", c.Window, s.adapt.ignored)
	}
}

// Each packet that is trimmed takes itself off the window and counts in the mean delay, but for one that ends a period, in
// which quick adapt acts.
func TestTrimmedPackets(t *testing.T) {
	s, c := started(t, reference(), Defaults(), 10_000)
	trim := &algorithms.Signal{Kind: algorithms.Loss, Next: 10_000, InFlight: 10_000}
	for i, want := range []core.Bytes{9000, 8000, 7000} {
		s.avgDelay, s.adapt.trigger = 0, false
		if s.Step(trim, c); c.Window != want || !s.adapt.trigger || s.avgDelay == 0 || s.adapt.ignored != float64(1000*(i+1)) {
			t.Errorf("window %v, want %v; mean delay %v, %+v", c.Window, want, s.avgDelay, s.adapt)
		}
	}
	s.Step(ack(3000, 3000, 0, 0), c)
	trim.Now = core.Time(24 * us)
	if s.Step(trim, c); c.Window != 3000 || s.adapt.ignore != 10_000 {
		t.Errorf("window %v, %v to be ignored; want what has arrived, and what is in flight", c.Window, s.adapt.ignore)
	}
}

// After a time-out all counts as lost that window and flow allow to be in flight.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		size   core.Bytes
		acked  int64
		window core.Bytes
		lost   float64
	}{{0, 500_000, 1000, 100_000}, {1_000_000, 500_000, 1000, 100_000}, {1_000_000, 980_000, 80_000, 20_000}, {1000, 5000, 100_000, 0}} {
		f := reference()
		f.Size = c.size
		s, a := started(t, f, Defaults(), 100_000)
		s.Step(&algorithms.Signal{Kind: algorithms.Loss, Flags: algorithms.Timeout, Acked: c.acked, Next: c.acked}, a)
		if a.Window != c.window || s.adapt.ignored != c.lost || s.adapt.trigger {
			t.Errorf("%v of %v acknowledged: window %v, %v lost; want %+v", c.acked, c.size, a.Window, s.adapt.ignored, c)
		}
		if s.Step(ack(0, c.acked, 0, algorithms.IsNack|algorithms.ECE), a); a.Window != c.window {
			t.Errorf("a NACK for the same byte takes another packet off: %v", a.Window)
		}
	}
}

// Other signals change nothing.
func TestOtherSignals(t *testing.T) {
	s, c := started(t, reference(), Defaults(), 0)
	want := *s
	for _, kind := range []algorithms.SignalKind{algorithms.Timer, algorithms.Sent, algorithms.Notify, algorithms.Path} {
		if s.Step(&algorithms.Signal{Kind: kind, Bytes: 1000, Flags: algorithms.ECE}, c); *s != want || c.Window != 225_000 {
			t.Errorf("signal %v: %+v", kind, c)
		}
	}
}
