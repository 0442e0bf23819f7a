package algotest

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// BenchmarkStep measures the digestion of one signal in steady state: a packet of 1000 B of
// a flow of 100 Gb/s every 0.1 us, 5 hops of it, the signal's kind and what is particular to
// it set by fill.
func BenchmarkStep(b *testing.B, factory Factory, fill func(i int, s *algorithms.Signal)) {
	sender, flow := factory.Plain(b).NewSender(), NewFlow(1)
	var c algorithms.Control
	sender.Start(0, flow, &c)
	hops := make([]core.Hop, 5)
	for i := range hops {
		hops[i].Line = flow.Line
	}
	s := &algorithms.Signal{Bytes: 1000, RTT: 15 * core.Microsecond, Hops: hops}
	s.Born = core.Never
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Now += core.Time(100 * core.Nanosecond)
		s.Acked += 1000
		s.Next = s.Acked + 150_000
		for k := range hops {
			hops[k].At += 100_000
			hops[k].Tx += 1090
			hops[k].Queue = uint64(i&7) << 10
		}
		fill(i, s)
		sender.Step(s, &c)
		c.Do = 0
	}
}
