package qcn

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// joinFairness runs a flow and one that joins it halfway; it returns the fairness in the
// last quarter.
func joinFairness(t *testing.T, name string, line core.Rate, d core.Duration) float64 {
	t.Helper()
	s, err := variants[name](nil)
	if err != nil {
		t.Fatal(err)
	}
	b := algotest.NewBottleneck(2, d)
	b.Line = line
	b.Flows[1].From = core.Time(d / 2)
	r := b.Run(s)
	if u := r.Utilisation(); u < 0.95 {
		t.Errorf("%s at %v uses %.0f%% of the link\n%s", name, line, 100*u, r.Plot())
	}
	return r.Fairness()
}

// A flow joins another at 10 Gb/s. 25 to 50 ms later QCN's shares are fair by Jain's index
// but not equal: its convergence is slow (QCN-T, section 1). Telling the faster flows more
// (AF-QCN, FQCN), and cycles of the same length for all (QCN-T), make it faster.
func TestConvergence(t *testing.T) {
	slow := joinFairness(t, "qcn", 10*core.Gbps, 100*core.Millisecond)
	if slow < 0.95 {
		t.Errorf("qcn: fairness %.4f, want at least 0.95", slow)
	}
	for _, name := range []string{"af-qcn", "fqcn", "qcn-t"} {
		if fair := joinFairness(t, name, 10*core.Gbps, 100*core.Millisecond); fair <= slow || fair < 0.98 {
			t.Errorf("%s: fairness %.4f, want at least 0.98 and more than qcn's %.4f", name, fair, slow)
		}
	}
}

// The scaled preset is stable at 100 Gb/s too.
func TestConvergenceAt100G(t *testing.T) {
	if fair := joinFairness(t, "qcn", 100*core.Gbps, 6*core.Millisecond); fair < 0.9 {
		t.Errorf("qcn: fairness %.4f, want at least 0.9", fair)
	}
}
