package algorithms

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func TestFloor(t *testing.T) {
	for _, c := range []struct{ line, host, own, want core.Rate }{
		{100 * core.Gbps, 0, 0, core.Gbps},
		{100 * core.Gbps, 0, 40 * core.Mbps, 40 * core.Mbps},
		{100 * core.Gbps, 2 * core.Gbps, core.Gbps, 2 * core.Gbps},
		{core.Gbps, 0, 10 * core.Gbps, core.Gbps},
		{10, 0, 0, 1},
	} {
		f := Flow{Line: c.line, MinRate: c.host}
		if got := f.Floor(c.own); got != c.want {
			t.Errorf("line %v, host's floor %v, own %v: got %v, want %v", c.line, c.host, c.own, got, c.want)
		}
	}
}

// In NS-3's arithmetic a floor above the line stays.
func TestCutFloor(t *testing.T) {
	for _, c := range []struct {
		timing    core.Timing
		own, want core.Rate
	}{
		{core.Exact, 10 * core.Gbps, core.Gbps},
		{core.FixedPointNanos, 10 * core.Gbps, 10 * core.Gbps},
		{core.FixedPointNanos, core.Mbps, core.Mbps},
		{core.FixedPointNanos, 0, 10 * core.Mbps},
	} {
		f := Flow{Line: core.Gbps, Timing: c.timing}
		if got := f.CutFloor(c.own); got != c.want {
			t.Errorf("timing %d, floor %v: got %v, want %v", c.timing, c.own, got, c.want)
		}
	}
}

func TestRateWindow(t *testing.T) {
	f := Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000}
	var w RateWindow
	if got := w.Start(&f, true); got != 162500 {
		t.Errorf("at the line rate: %v, want 162500B", got)
	}
	var c Control
	if w.Set(&c, f.Line/2); c.Window != 81250 || c.Rate != f.Line/2 {
		t.Errorf("at half the line rate: %+v, want a window of 81250B", c)
	}
	if w.Set(&c, core.Mbps); c.Window != 1000 {
		t.Errorf("at 1 Mb/s: %v, want one MTU", c.Window)
	}
}

func TestRateWindowOffLeavesWindowAlone(t *testing.T) {
	var w RateWindow
	if got := w.Start(&Flow{Line: core.Gbps, BaseRTT: 1, MTU: 1000}, false); got != core.Unlimited {
		t.Errorf("start: %v, want unlimited", got)
	}
	c := Control{Window: 77}
	if w.Set(&c, core.Mbps); c.Window != 77 || c.Rate != core.Mbps {
		t.Errorf("got %+v, want the window of 77 untouched", c)
	}
}
