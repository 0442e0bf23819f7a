package rocc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/rocc"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(rocc.Defaults, rocc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "period=0", "min_rate=1Mbps", "q_ref=-1", "q_mid=-1", "q_max=-1",
		"alpha=-1", "beta=NaN", "flow_timeout=-1us", "recovery_timer=0")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Feedback = algorithms.Switch, int32(1<<18|1000+i&7)
	})
}

// All flows of a queue get the same rate. From the lowest rate it takes some 5 ms to rise again,
// while the link is half used: hence the long run.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 25*core.Millisecond, nil)
}
