package mpcc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/mpcc"
)

// BenchmarkStep is one control action at horizon 10, with a queue at one of five hops.
func BenchmarkStep(b *testing.B) {
	params := mpcc.Defaults()
	params.Horizon = 10
	f := algotest.NewFactory(func() mpcc.Params { return params }, mpcc.New)
	algotest.BenchmarkStep(b, f, func(i int, s *algorithms.Signal) {
		s.Kind = algorithms.Ack
		for k := range s.Hops {
			s.Hops[k].Flows = 8
		}
		s.Hops[2].Queue = 3000 + uint64(i&7)<<10
	})
}
