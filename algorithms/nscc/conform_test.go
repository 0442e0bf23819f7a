package nscc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/nscc"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(nscc.Defaults, nscc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "target_qdelay=-1us", "target_qdelay=1001s", "gamma=0", "gamma=1.1", "max_md_jump=0", "max_md_jump=1", "alpha=-1", "alpha=NaN", "alpha=2e18",
		"fi=-1B", "fi_scale=-1", "eta=-1B", "zero_qdelay=-1us", "adjust_bytes_threshold=-1B", "adjust_period_threshold=-1us",
		"qa_threshold=-1us", "qa_gate=-1", "qa_gate=63", "max_wnd=-1B")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) { s.Kind = algorithms.Ack })
}

// Equal increases and decreases in proportion to the window.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 20*core.Millisecond, func(b *algotest.Bottleneck) { b.KMin, b.KMax, b.PMax = 30_000, 120_000, 1 })
}
