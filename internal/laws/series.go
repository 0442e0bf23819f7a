package laws

import (
	"cmp"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// sending is the start of a transmission.
type sending struct {
	at    core.Time
	after int64 // bytes that the port has sent, with it
}

// sentBefore returns the bytes whose transmission began before a time.
func (w *wire) sentBefore(at core.Time) int64 {
	i, _ := slices.BinarySearchFunc(w.sendings, at, func(s sending, at core.Time) int { return cmp.Compare(s.at, at) })
	if i == 0 {
		return 0
	}
	return w.sendings[i-1].after
}

// checkSeries compares the throughput of ports over time with what they have sent.
func (l *laws) checkSeries() {
	for _, s := range l.n.Series() {
		if s.Metric != sim.PortThroughput {
			continue
		}
		w := l.wires[s.Node][s.Port]
		for i := range s.Len() {
			p := s.Point(i)
			want := w.sentBefore(p.At.Add(p.Span)) - w.sentBefore(p.At)
			got := p.Mean * p.Span.Seconds() / 8
			w.check(p.At, math.Abs(got-float64(want)) < 0.5, "is said to send %v bytes in %v; it has sent %d", got, p.Span, want)
		}
	}
}
