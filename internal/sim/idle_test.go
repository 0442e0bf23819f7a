package sim_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// While a flow is still to start, the time after the last packet, which arrives after 12.9 us, is recorded until it has become
// longer than that before it.
func TestSeriesOfIdleEnd(t *testing.T) {
	for stop, want := range map[string]int{"20us": 20, "26us": 26, "27us": 27, "1ms": 27} {
		n, err := sim.Build(setup(t, "0,1,100000,0,\n1,0,1,1000000000,\n", "topology", "star:n=2", "stop", stop, "series.interval", "1us", "series.ports", "all"), nobody{})
		if err != nil {
			t.Fatal(err)
		}
		for n.Step(core.Never, 1000) {
		}
		for _, s := range n.Series() {
			if end := s.Point(s.Len() - 1); s.Port >= 0 && end.At.Add(end.Span) != core.AtNanos(int64(1000*want)) {
				t.Errorf("until %s: a series of node %d ends after %v, want %d us", stop, s.Node, end.At.Add(end.Span), want)
			}
		}
	}
}

// Flows that have waited and start at the same time are as many events in one part as in several.
func TestEventsOfWaitingFlows(t *testing.T) {
	var events [2]int64
	for i := range events {
		s := setup(t, "0,1,1000,0,\n2,3,1000,0,\n0,1,1000,100,0\n2,3,1000,100,1\n", "topology", "leaf-spine:leaves=2,spines=1,hosts=2")
		s.Threads = 1 + i
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		for n.Step(core.Never, 1000) {
		}
		if events[i] = n.Engine.Events(); n.Parts() != 1+i || n.Record(2).Start != n.Record(3).Start {
			t.Errorf("%d parts, flows start at %v and %v", n.Parts(), n.Record(2).Start, n.Record(3).Start)
		}
	}
	if events[0] != events[1] {
		t.Errorf("%d events in one part, %d in two", events[0], events[1])
	}
}
