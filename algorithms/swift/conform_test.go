package swift_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/swift"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(swift.Defaults, swift.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "base_target=-1us", "per_hop=-1us", "endpoint_target=0", "ai=0", "ai=NaN", "beta=2", "max_mdf=1",
		"fs_range=-1us", "fs_min=0", "fs_max=0.1", "min_cwnd=0", "max_cwnd=0.5", "first_cwnd=-1", "retx_reset=0")
	for most, wrong := range map[string]bool{"99": true, "100": false, "0": false} {
		_, err := factory(map[string]string{"min_cwnd": "100", "max_cwnd": most})
		if (err != nil) != wrong {
			t.Errorf("windows of 100 to %s: got %v", most, err)
		}
	}
}

// Small windows tolerate more delay, so shares become equal, with a queue of about the target.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 8*core.Millisecond, nil)
}
