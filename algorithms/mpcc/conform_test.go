package mpcc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/mpcc"
)

var factory = algotest.NewFactory(mpcc.Defaults, mpcc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "horizon=0", "horizon=65", "wq=0", "wq=NaN", "wr=-1", "wr=1e13", "every=0",
		"min_window=-1", "header=-1", "flow_timeout=-1us")
}
