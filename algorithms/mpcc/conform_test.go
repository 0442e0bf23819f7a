package mpcc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/mpcc"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(mpcc.Defaults, mpcc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "horizon=0", "horizon=65", "wq=0", "wq=NaN", "wr=-1", "wr=1e13", "every=0",
		"min_window=-1", "header=-1", "flow_timeout=-1us")
}

// Fair shares, and a queue near zero once the flows have found them.
func TestConvergence(t *testing.T) {
	r := algotest.Fair(t, factory, 2*core.Millisecond, nil)
	if q := r.QueueAfter(0.5); q > 20_000 {
		t.Errorf("the queue still reaches %v\n%s", q, r.Plot())
	}
}
