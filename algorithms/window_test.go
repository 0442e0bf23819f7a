package algorithms

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

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
