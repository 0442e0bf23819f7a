package dcqcn_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// BenchmarkStep: one notification for every ten packets, as in steady congestion.
func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) {
		s.Kind = algorithms.Notify
		s.Now += core.Time(900 * core.Nanosecond)
	})
}

// BenchmarkTimer: the rate is read at every packet, and nothing is marked.
func BenchmarkTimer(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind = algorithms.Timer
		if i == 0 {
			s.Kind = algorithms.Notify
		}
	})
}

// BenchmarkSilence: a notification after every second of silence, in which alpha ticks a million
// times and the rate is raised 3333 times.
func BenchmarkSilence(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) {
		s.Kind = algorithms.Notify
		s.Now += core.Time(core.Second)
	})
}
