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
