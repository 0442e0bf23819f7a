package dcqcnplus

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// Two flows that share a link, one of which joins late, reach fair shares: DCQCN+ claims to equal
// DCQCN in small incasts (section 1).
func TestConvergence(t *testing.T) {
	s := factory.Plain(t)
	b := algotest.NewBottleneck(2, 40*core.Millisecond)
	b.Line, b.KMin, b.KMax, b.PMax = 40*core.Gbps, 5_000, 200_000, 0.01
	b.Flows[1].From = core.Time(5 * core.Millisecond)
	r := b.Run(s)
	if f, u := r.Fairness(), r.Utilisation(); f < 0.95 || u < 0.85 {
		t.Errorf("fairness %.3f, utilisation %.2f; want at least 0.95 and 0.85\n%s", f, u, r.Plot())
	}
}
