package dcqcnpaper

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// Two flows that share a link of 40 Gb/s, one of which joins late, reach fair shares with the
// thresholds of the paper (SIGCOMM 2015, section 5).
func TestConvergence(t *testing.T) {
	s := factory.Plain(t)
	b := algotest.NewBottleneck(2, 40*core.Millisecond)
	b.Line, b.KMin, b.KMax, b.PMax = 40*core.Gbps, 5_000, 200_000, 0.01
	b.Flows[1].From = core.Time(5 * core.Millisecond)
	r := b.Run(s)
	if f, u := r.Fairness(), r.Utilisation(); f < 0.95 || u < 0.8 {
		t.Errorf("fairness %.3f, utilisation %.2f; want at least 0.95 and 0.8\n%s", f, u, r.Plot())
	}
}
