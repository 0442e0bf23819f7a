package bolt_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/bolt"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(bolt.Defaults, bolt.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "threshold=-1", "first_window=-1")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Aux = algorithms.Ack, uint64(i&1)
	})
}

func BenchmarkNotify(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Feedback, s.SentAt = algorithms.Switch, 1000, s.Now.Add(-5*core.Microsecond)
	})
}

// Windows grow by equal steps and shrink in proportion to their share of the queue.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 8*core.Millisecond, nil)
}
