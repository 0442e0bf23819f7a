package xcp_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/xcp"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(xcp.Defaults, xcp.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "alpha=0", "alpha=NaN", "beta=-1", "beta=11", "gamma=-0.1", "gamma=1.1",
		"first_window=-1", "desired_rate=-1Mbps", "rtt_gain=0", "rtt_gain=NaN")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Aux = algorithms.Ack, uint64(i&1)<<31|0x41000000
	})
}

// All flows of a link get equal shares of its capacity.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 4*core.Millisecond, nil)
}
