package dcqcnpaper

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// BenchmarkStep: 99 packets sent for every notification, as in steady congestion.
func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind = algorithms.Sent
		if i%100 == 0 {
			s.Kind = algorithms.Notify
		}
	})
}

// BenchmarkNotify: notifications alone, each after an alpha timer.
func BenchmarkNotify(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) {
		s.Kind = algorithms.Notify
		s.Now += core.Time(60 * core.Microsecond)
	})
}

// BenchmarkReceiver: a marked packet of one of 64 flows every 0.1 us.
func BenchmarkReceiver(b *testing.B) {
	s := algotest.Make(b, New, Defaults())
	var r algorithms.Reply
	n := s.NewReceiver()
	n.Start(0, &algorithms.Port{}, &r)
	a := algorithms.Arrival{CE: true, Bytes: 1000}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.Now += core.Time(100 * core.Nanosecond)
		a.QP = int32(i & 63)
		r.Send = false
		n.Step(&a, &r)
	}
}
