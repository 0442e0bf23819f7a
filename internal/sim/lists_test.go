package sim

import (
	"slices"
	"testing"
)

// Whichever flow ends, the others remain.
func TestRunningFlows(t *testing.T) {
	f := fairness{place: make([]int32, 5)}
	for flow := range 5 {
		f.started(flow, false)
	}
	for _, end := range []struct {
		flow int
		left []int32
	}{{0, []int32{1, 2, 3, 4}}, {4, []int32{1, 2, 3}}, {2, []int32{1, 3}}, {3, []int32{1}}, {1, nil}} {
		f.ended(end.flow)
		var left []int32
		for i := range f.flows {
			left = append(left, f.flows[i].flow)
		}
		if slices.Sort(left); !slices.Equal(left, end.left) {
			t.Errorf("flow %d has ended: %v run, want %v", end.flow, left, end.left)
		}
	}
}
