package qcn

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// BenchmarkStep: 100 packets sent for every CNM, as in steady congestion.
func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"qcn", "qcn-abc", "qcn-t"} {
		b.Run(name, func(b *testing.B) {
			algotest.BenchmarkStep(b, variants[name], func(i int, s *algorithms.Signal) {
				s.Kind, s.Feedback = algorithms.Sent, 0
				if i%100 == 0 {
					s.Kind, s.Feedback = algorithms.Switch, 3
				}
			})
		})
	}
}

// BenchmarkMarker: packets of 64 flows meet a queue above the set point.
func BenchmarkMarker(b *testing.B) {
	for _, p := range []Params{Defaults(), AFDefaults(), FQCNDefaults()} {
		b.Run(p.name, func(b *testing.B) {
			m := newMarker(b, p)
			q := algorithms.Sight{Enqueue: true, Own: true, Queue: 40_000, Packet: &core.Packet{Kind: core.Data, Size: 1048}}
			var k algorithms.Mark
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Packet.Src = core.NodeID(i * 7 & 63)
				k.Reset()
				m.Step(&q, &k)
			}
		})
	}
}
