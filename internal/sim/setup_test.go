package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// No flow is faster than alone, and a flow without a path, which has no ideal time, still has a numeric slowdown.
func TestSlowdown(t *testing.T) {
	for _, c := range []struct {
		fct, ideal core.Duration
		want       float64
	}{{15, 10, 1.5}, {9, 10, 1}, {10, 10, 1}, {0, 10, 1}, {1, 1, 1}, {3, 1, 3}, {7, 0, 7}, {0, 0, 1}} {
		if got := (&FlowRecord{FCT: c.fct, Ideal: c.ideal}).Slowdown(); got != c.want {
			t.Errorf("%d of %d: %v, want %v", c.fct, c.ideal, got, c.want)
		}
	}
}

// Traffic begins with the first flow that waits for none.
func TestBegin(t *testing.T) {
	for _, c := range []struct {
		flows []Flow
		want  core.Time
	}{{nil, 0}, {[]Flow{{Start: 7}}, 7}, {[]Flow{{Start: 7}, {Start: 5}, {Start: 3, After: []int32{0}}}, 5}} {
		if got := (&Setup{Flows: c.flows}).begin(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.flows, got, c.want)
		}
	}
}
