package qcn

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// unfairness runs a flow and one that joins it, several times with different start times; it
// returns the mean of 1 minus Jain's index in the last quarter.
func unfairness(t *testing.T, name string, line core.Rate, d core.Duration, runs int) float64 {
	t.Helper()
	s := variants[name].Plain(t)
	var sum float64
	for i := range runs {
		b := algotest.NewBottleneck(2, d)
		b.Line = line
		b.Flows[1].From = core.Time(d / 40 * core.Duration(4+i))
		r := b.Run(s)
		if u := r.Utilisation(); u < 0.95 {
			t.Errorf("%s at %v uses %.0f%% of the link\n%s", name, line, 100*u, r.Plot())
		}
		sum += 1 - r.Fairness()
	}
	return sum / float64(runs)
}

// A flow joins another at 10 Gb/s. 30 ms later QCN's shares are fair by Jain's index but not equal:
// its convergence is slow (QCN-T, section 1). More feedback to the faster flows (AF-QCN, FQCN), and
// cycles of the same length for all (QCN-T), at least halve the rest; byte cycles of the same
// length help less.
func TestConvergence(t *testing.T) {
	const d, runs = 40 * core.Millisecond, 6
	slow := unfairness(t, "qcn", 10*core.Gbps, d, runs)
	if slow > 0.05 {
		t.Errorf("qcn: Jain's index %.4f, want above 0.95", 1-slow)
	}
	for name, limit := range map[string]float64{"af-qcn": slow / 2, "fqcn": slow / 2, "qcn-t": slow / 2, "qcn-abc": slow} {
		if u := unfairness(t, name, 10*core.Gbps, d, runs); u > limit {
			t.Errorf("%s: Jain's index %.4f, want above %.4f; qcn's is %.4f", name, 1-u, 1-limit, 1-slow)
		}
	}
}

// The scaled preset is stable at 100 Gb/s too.
func TestConvergenceAt100G(t *testing.T) {
	if u := unfairness(t, "qcn", 100*core.Gbps, 6*core.Millisecond, 1); u > 0.1 {
		t.Errorf("Jain's index %.4f, want above 0.9", 1-u)
	}
}
