package powertcp_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
)

func BenchmarkStep(b *testing.B) {
	ack := func(_ int, s *algorithms.Signal) { s.Kind = algorithms.Ack }
	b.Run("int", func(b *testing.B) { algotest.BenchmarkStep(b, factories["int"], ack) })
	b.Run("theta", func(b *testing.B) { algotest.BenchmarkStep(b, factories["theta"], ack) })
}
