package timelypaper_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
)

func BenchmarkStep(b *testing.B) {
	for name, factory := range factories {
		b.Run(name, func(b *testing.B) {
			algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) { s.Kind, s.Bytes = algorithms.Ack, 16_000 })
		})
	}
}
