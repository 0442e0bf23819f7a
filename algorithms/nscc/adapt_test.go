package nscc

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Quick adapt sets the window to what has arrived in a period of base round trip and target if that is less than an
// eighth of the largest window, 28,125 bytes, and a loss or a delay of more than 4 targets shows why (UE 1.0,
// section 3.6.13.6).
func TestQuickAdapt(t *testing.T) {
	for _, c := range []struct {
		about    string
		achieved float64
		trigger  bool
		delay    core.Duration
		at       core.Duration
		off      bool
		want     float64 // 0: as before
	}{
		{"a loss", 20_000, true, 0, 24 * us, false, 20_000},
		{"a long delay", 20_000, false, 48*us + 1, 24 * us, false, 20_000},
		{"no more than 4 targets", 20_000, false, 48 * us, 24 * us, false, 0},
		{"before the end", 20_000, true, 49 * us, 24*us - 1, false, 0},
		{"an eighth", 28_125, true, 49 * us, 24 * us, false, 0},
		{"almost", 28_124, true, 49 * us, 24 * us, false, 28_124},
		{"hardly anything", 10, true, 0, 100 * us, false, 1000},
		{"switched off", 20_000, true, 49 * us, 24 * us, true, 0},
	} {
		p := Defaults()
		p.DisableQA = c.off
		s, _ := started(t, reference(), p, 0)
		if s.quickAdapt(0, 0, true, core.Duration(core.Second)) || s.cwnd != 225_000 {
			t.Errorf("%s: the first ACK only begins a period", c.about)
		}
		s.adapt.achieved, s.adapt.trigger, s.inc, s.received = c.achieved, c.trigger, 1, 1
		done := s.quickAdapt(core.Time(c.at), 77_000, false, c.delay)
		if done != (c.want != 0) {
			t.Errorf("%s: adapts: %v", c.about, done)
		}
		if !done {
			if s.cwnd != 225_000 || s.inc != 1 {
				t.Errorf("%s: window %v, increases %v", c.about, s.cwnd, s.inc)
			}
			continue
		}
		if a := s.adapt; s.cwnd != c.want || a.ignore != 77_000 || a.ignored != 0 || a.trigger || a.achieved != 0 || s.inc != 0 || s.received != 0 {
			t.Errorf("%s: window %v, want %v; %+v", c.about, s.cwnd, c.want, a)
		}
	}
}

// A period without quick adapt is followed by another, in which what has arrived counts afresh; a loss is remembered.
// Periods are those of the least round trip that was measured, and the target.
func TestNextPeriod(t *testing.T) {
	p := Defaults()
	p.TargetQDelay = 16 * us
	s, _ := started(t, reference(), p, 0)
	s.measure(8 * us)
	s.quickAdapt(core.Time(us), 0, false, 0)
	s.adapt.achieved, s.adapt.trigger = 50_000, true
	if s.quickAdapt(core.Time(25*us), 0, false, 0) || s.adapt.achieved != 0 {
		t.Errorf("%+v", s.adapt)
	}
	s.adapt.achieved = 5000
	if s.quickAdapt(core.Time(49*us)-1, 0, false, 0) {
		t.Error("the second period is as long as the first")
	}
	if !s.quickAdapt(core.Time(49*us), 0, false, 0) || s.cwnd != 5000 {
		t.Errorf("window %v", s.cwnd)
	}
}

// After quick adapt, marked packets change nothing until as much has arrived or been lost as was in flight, and others do.
func TestIgnoredPackets(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 50_000)
	s.adapt.running, s.adapt.end = true, core.Never
	s.adapt.ignore, s.adapt.ignored = 3000, 2999
	s.inc, s.received = 1, 1
	if s.quickAdapt(0, 0, false, 0) || s.inc != 1 {
		t.Error("a packet without a mark is ignored")
	}
	if !s.quickAdapt(0, 0, true, 0) || s.inc != 0 || s.received != 0 {
		t.Error("a marked packet is not ignored")
	}
	if s.adapt.heard(1); s.quickAdapt(0, 0, true, 0) {
		t.Error("a marked packet is ignored though all that was in flight has arrived")
	}
}
