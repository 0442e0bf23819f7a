package rcp_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/rcp"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(rcp.Defaults, rcp.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "alpha=0", "alpha=NaN", "beta=-1", "beta=11", "period=-1us", "period=1ps",
		"min_rate=-1Mbps", "first_rate=-1Mbps")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Aux = algorithms.Ack, uint64(1_000_000+i&7)
	})
}

// All flows of a queue get the same rate.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 4*core.Millisecond, nil)
}
