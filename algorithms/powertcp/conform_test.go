package powertcp_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/powertcp"
	"github.com/qbb-sim/qbb/core"
)

var factories = map[string]algotest.Factory{
	"int":   algotest.NewFactory(powertcp.Defaults, powertcp.New),
	"theta": algotest.NewFactory(powertcp.Defaults, powertcp.NewTheta),
}

func TestConformance(t *testing.T) {
	for name, factory := range factories {
		t.Run(name, func(t *testing.T) { algotest.Scheme(t, factory) })
	}
}

func TestScripts(t *testing.T) {
	for name, factory := range factories {
		t.Run(name, func(t *testing.T) { algotest.RunScriptsIn(t, "testdata/"+name, factory) })
	}
}

func FuzzPowerTCP(f *testing.F) { algotest.FuzzSender(f, factories["int"]) }
func FuzzTheta(f *testing.F)    { algotest.FuzzSender(f, factories["theta"]) }

func TestParametersOutOfRange(t *testing.T) {
	for _, factory := range factories {
		algotest.Refuses(t, factory, "gamma=0", "gamma=1.1", "flows=0.5", "flows=NaN", "min_arrival=-1", "min_arrival=2", "min_rate=-1Mbps")
	}
}

// The queue holds the additive terms of all flows, whatever their shares, so shares become equal
// and the queue stays a few such terms long.
func TestConvergence(t *testing.T) {
	for name, factory := range factories {
		t.Run(name, func(t *testing.T) {
			r := algotest.Fair(t, factory, 4*core.Millisecond, nil)
			if q := r.QueueAfter(0.5); q > 100_000 {
				t.Errorf("the queue still reaches %v\n%s", q, r.Plot())
			}
		})
	}
}
