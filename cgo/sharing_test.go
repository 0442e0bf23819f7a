//go:build cgo

package main

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// TestHostedSharing runs a busy network whose lossy classes share the memory of switches in each way behind the C interface and
// in the standalone simulator: flows take the same time, another one with each way.
func TestHostedSharing(t *testing.T) {
	var all [][]core.Duration
	for _, keys := range [][][2]string{
		{{"switch.sharing", "dynamic"}}, {{"switch.sharing", "complete"}}, {{"switch.sharing", "abm"}},
		{{"switch.sharing", "abm"}, {"switch.first_alpha", "1"}},
	} {
		s := busy(t, "native", "dcqcn", append(keys, [2]string{"lossy", "3"}, [2]string{"buffer", "600KB"}, [2]string{"switch.lossy_shift", "2"})...)
		both(t, s)
		all = append(all, times(t, s))
	}
	for i := range all {
		if slices.ContainsFunc(all[:i], func(before []core.Duration) bool { return slices.Equal(before, all[i]) }) {
			t.Errorf("flows take the same time in case %d as in one before it: this tests too little", i)
		}
	}
}
