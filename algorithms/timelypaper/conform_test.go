package timelypaper_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/timelypaper"
	"github.com/qbb-sim/qbb/core"
)

var factories = map[string]algotest.Factory{
	"paper":   algotest.NewFactory(timelypaper.Defaults, timelypaper.New),
	"patched": algotest.NewFactory(timelypaper.PatchedDefaults, timelypaper.NewPatched),
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

func FuzzPaper(f *testing.F)   { algotest.FuzzSender(f, factories["paper"]) }
func FuzzPatched(f *testing.F) { algotest.FuzzSender(f, factories["patched"]) }

func TestParametersOutOfRange(t *testing.T) {
	for _, factory := range factories {
		algotest.Refuses(t, factory, "t_low=-1us", "t_high=-1us", "min_rtt=0", "ewma=0", "ewma=NaN", "beta=2",
			"ai=-1Mbps", "min_rate=-1Mbps", "first_rate=-1Mbps", "segment=-1")
	}
	algotest.Refuses(t, factories["paper"], "hai_after=-1")
	algotest.Refuses(t, factories["patched"], "beta_p=0", "t_low=0")
}

// The patched form has one fixed point, with equal shares; the other has practically none, so the
// test does not ask for one.
func TestPatchedConvergence(t *testing.T) {
	algotest.Fair(t, factories["patched"], 40*core.Millisecond, nil)
}
