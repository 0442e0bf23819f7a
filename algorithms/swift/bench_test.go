package swift_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
)

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) { s.Kind = algorithms.Ack })
}
