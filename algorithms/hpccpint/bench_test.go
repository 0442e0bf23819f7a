package hpccpint

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

func BenchmarkStep(b *testing.B) {
	factory := algotest.NewFactory(Defaults, New)
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Aux = algorithms.Ack, 120+uint64(i&15)
	})
}

func BenchmarkMarker(b *testing.B) {
	s := algotest.Make(b, New, Defaults())
	random := core.NewStream(1, core.StreamMarker, 1)
	m := s.NewMarker()
	m.Start(0, &algorithms.Port{Line: 100 * core.Gbps, MaxRTT: 13 * core.Microsecond, Random: random, Shared: random})
	sight := algorithms.Sight{Own: true, Queue: 50_000, Packet: &core.Packet{Kind: core.Data, Size: 1050}}
	var mark algorithms.Mark
	b.ReportAllocs()
	for b.Loop() {
		sight.Now += core.Time(84 * core.Nanosecond)
		mark = algorithms.Mark{}
		m.Step(&sight, &mark)
	}
}
