package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// closedLoop makes a network of a star of hosts to which flows may be added.
func closedLoop(t *testing.T, flows string, pairs ...string) *sim.Network {
	t.Helper()
	s := setup(t, flows, append([]string{"topology", "star:n=5"}, pairs...)...)
	s.ClosedLoop = true
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// results are all that is known of flows and ports at the end.
func results(n *sim.Network) string {
	var b strings.Builder
	for i := range n.Setup.Flows {
		r := n.Record(i)
		r.Flow = nil
		fmt.Fprintf(&b, "%+v\n", r)
	}
	for id, ports := range n.Ports() {
		for i := range ports {
			fmt.Fprintf(&b, "%d:%d %+v\n", id, i, n.Counters(core.NodeID(id), i))
		}
	}
	return b.String()
}

// firstLines are the first lines of a text.
func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[:n], "")
}

// Flows that are added when they start, or before, do the same as those of a file.
func TestAddedAsListed(t *testing.T) {
	table := "0,4,300000,5,\n1,4,200000,5,\n2,4,1000,9000,\n3,4,50000,9001,\n0,1,70000,40000,\n"
	for _, cc := range []string{"hpcc", "dcqcn", "cubic"} {
		listed, err := sim.Build(setup(t, table, "topology", "star:n=5", "cc", cc), nobody{})
		if err != nil {
			t.Fatal(err)
		}
		for listed.Step(core.Never, 1000) {
		}
		for _, ahead := range []core.Duration{0, 3 * core.Microsecond, core.Second} {
			n := closedLoop(t, firstLines(table, 2), "cc", cc)
			for _, f := range listed.Setup.Flows[2:] {
				if at := f.Start.Add(-ahead); at > n.Now() {
					n.Step(at, 1<<40)
				}
				n.Add(f)
			}
			for n.Step(core.Never, 1000) {
			}
			if got, want := results(n), results(listed); got != want {
				t.Errorf("%s, %v ahead: got\n%s\nwant\n%s", cc, ahead, got, want)
			}
		}
	}
}

// Two hosts answer each other: an answer starts in the very moment in which the message before it has ended, so all of
// them take n times as long as one.
func TestPingPong(t *testing.T) {
	for _, order := range []string{"entity", "schedule"} {
		n := closedLoop(t, "0,1,10000,0,\n", "cc", "none", "options.order", order)
		n.BreakAtEnds = true
		const messages = 20
		alone := core.Duration(0)
		for i := range messages {
			if !n.Step(core.AtNanos(1e9), 1<<40) || n.Ended() != i+1 {
				t.Fatalf("%s: message %d has not ended at %v", order, i, n.Now())
			}
			if r := n.Record(i); r.FCT != r.Ideal {
				t.Errorf("%s: message %d takes %v instead of %v", order, i, r.FCT, r.Ideal)
			}
			alone += n.Record(i).Ideal
			if n.Now() != core.Time(alone) {
				t.Errorf("%s: message %d ends at %v instead of %v", order, i, n.Now(), alone)
			}
			if i+1 < messages {
				n.Add(sim.Flow{Src: core.NodeID(1 - i%2), Dst: core.NodeID(i % 2), Bytes: 10000, Start: n.Now(), Prio: 3, DstPort: 100})
			}
		}
	}
}

// A closed loop lasts while it is told until when; without that, until its flows have ended; and after the end of the
// scenario no flow can be added.
func TestClosedLoopLasts(t *testing.T) {
	n := closedLoop(t, "0,1,1000,0,\n")
	later := core.AtNanos(5e9) // longer than anything is waited for
	if !n.Step(later, 1<<40) || n.Now() != later || !n.AwaitsFlows() {
		t.Errorf("stopped at %v, awaits flows: %v", n.Now(), n.AwaitsFlows())
	}
	n.Add(sim.Flow{Src: 1, Dst: 2, Bytes: 1000, Start: later + 7, Prio: 3, DstPort: 100})
	if n.AwaitsFlows() {
		t.Error("a flow has been added, but others are awaited")
	}
	if n.Step(core.Never, 1<<40) || n.Now() > later+core.Time(core.Millisecond) || n.Halted() {
		t.Errorf("ended at %v, halted: %v", n.Now(), n.Halted())
	}
	for _, order := range []string{"entity", "schedule"} {
		n = closedLoop(t, "0,1,1000,0,\n", "stop", "1ms", "options.order", order)
		if n.Step(later, 1<<40) || n.Now() != core.AtNanos(1e6) || !n.Halted() {
			t.Errorf("%s: at the end of the scenario it is %v, halted: %v", order, n.Now(), n.Halted())
		}
	}
}

// The end of a flow is not that of a run that has its own: flows may follow it.
func TestClosedLoopGoesOnAfterAnEnd(t *testing.T) {
	for _, until := range []core.Time{core.AtNanos(500e3), core.AtNanos(1e6), core.AtNanos(2e6), core.Never} {
		n := closedLoop(t, "0,1,1000,0,\n1,2,1000,30000,\n", "stop", "1ms")
		n.BreakAtEnds = true
		for i := range 2 {
			if !n.Step(until, 1<<40) || n.Ended() != i+1 || n.Halted() {
				t.Errorf("until %v: over at %v after %d ends, halted: %v", until, n.Now(), n.Ended(), n.Halted())
			}
		}
		if more := n.Step(until, 1<<40); more != (until < core.AtNanos(1e6)) || n.Now() != min(until, core.AtNanos(1e6)) {
			t.Errorf("until %v: at %v the run continues: %v", until, n.Now(), more)
		}
	}
}

// Flows are added to the series, too, and to the number of those that run.
func TestClosedLoopSeries(t *testing.T) {
	flows := func(n *sim.Network) (most float64) {
		for _, s := range n.Series() {
			if s.Metric == sim.NetFlows {
				for i := range s.Len() {
					most = max(most, s.Point(i).Max)
				}
			}
		}
		return most
	}
	n := closedLoop(t, "0,1,1000000,0,\n", "series.flows", "all", "series.fairness", "10us")
	n.Step(core.AtNanos(20e3), 1<<40)
	n.Add(sim.Flow{Src: 2, Dst: 1, Bytes: 1000000, Start: n.Now(), Prio: 3, DstPort: 100})
	n.Step(core.AtNanos(60e3), 1<<40)
	if most := flows(n); most != 2 {
		t.Errorf("at most %v flows at a time, want 2", most)
	}
	for n.Step(core.Never, 1000) {
	}
}
