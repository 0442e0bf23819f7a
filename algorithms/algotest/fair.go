package algotest

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Fair demands that eight flows which begin together, and two of which one begins later, have
// equal shares by the last quarter of a run, and use most of the link. It returns the run of
// eight.
func Fair(t *testing.T, factory Factory, d core.Duration, change func(*Bottleneck)) *Result {
	t.Helper()
	const jain, used = 0.95, 0.8
	run := func(n int) *Result {
		b := NewBottleneck(n, d)
		if n == 2 {
			b.Flows[1].From = core.Time(d / 4)
		}
		if change != nil {
			change(b)
		}
		r := b.Run(factory.Plain(t))
		if f, u := r.Fairness(), r.Utilisation(); f < jain || u < used {
			t.Errorf("%d flows: Jain's index %.3f, used %.3f; want at least %v and %v\n%s", n, f, u, jain, used, r.Plot())
		}
		return r
	}
	run(2)
	return run(8)
}
