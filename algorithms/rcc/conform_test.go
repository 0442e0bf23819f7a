package rcc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/rcc"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(rcc.Defaults, rcc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "saturation=0", "saturation=2", "ref_delay=0", "kp=-1", "ki=NaN", "kd=1e9", "step=1")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) { s.Kind, s.Aux = algorithms.Grant, uint64(20_000+i&7) })
}

// The receiver assigns equal windows.
func TestConvergence(t *testing.T) {
	r := algotest.Fair(t, factory, 2*core.Millisecond, nil)
	if q := r.QueueAfter(0.5); q > 20_000 {
		t.Errorf("the queue still reaches %v\n%s", q, r.Plot())
	}
}
