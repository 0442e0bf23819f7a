package dcqcnplus

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// BenchmarkStep: a notification for every ten timers.
func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Now = algorithms.Timer, s.Now+core.Time(100*us)
		if i%10 == 0 {
			s.Kind, s.Aux = algorithms.Notify, uint64(100*us)
		}
	})
}

// BenchmarkReceiver: a marked packet of one of 64 flows every 0.1 us, and the generator.
func BenchmarkReceiver(b *testing.B) {
	p := newPort(b, nil)
	a := algorithms.Arrival{CE: true, Bytes: 1000}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.Now += core.Time(100 * core.Nanosecond)
		a.QP = int32(i & 63)
		p.reply.Send = false
		p.Step(&a, &p.reply)
	}
}
