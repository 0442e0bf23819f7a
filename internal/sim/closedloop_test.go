package sim_test

import (
	"fmt"
	"slices"
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
	for cc, order := range map[string]string{"hpcc": "entity", "dcqcn": "entity", "cubic": "entity", "swift": "schedule"} {
		listed, err := sim.Build(setup(t, table, "topology", "star:n=5", "cc", cc, "options.order", order), nobody{})
		if err != nil {
			t.Fatal(err)
		}
		for listed.Step(core.Never, 1000) {
		}
		for _, ahead := range []core.Duration{0, 3 * core.Microsecond, core.Second} {
			n := closedLoop(t, firstLines(table, 2), "cc", cc, "options.order", order)
			for _, f := range listed.Setup.Flows[2:] {
				if at := f.Start.Add(-ahead); at > n.Now() {
					n.Step(at, 1<<30)
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
		n.BreakAt = sim.Ends
		const messages = 20
		alone := core.Duration(0)
		for i := range messages {
			if !n.Step(core.AtNanos(1e9), 1<<30) || n.Ended() != i+1 {
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
	if !n.Step(later, 1<<30) || n.Now() != later || !n.AwaitsFlows() {
		t.Errorf("stopped at %v, awaits flows: %v", n.Now(), n.AwaitsFlows())
	}
	n.Add(sim.Flow{Src: 1, Dst: 2, Bytes: 1000, Start: later + 7, Prio: 3, DstPort: 100})
	if n.AwaitsFlows() {
		t.Error("a flow has been added, but others are awaited")
	}
	if n.Step(core.Never, 1<<30) || n.Now() > later+core.Time(core.Millisecond) || n.Halted() {
		t.Errorf("ended at %v, halted: %v", n.Now(), n.Halted())
	}
	if n.Halt(); !n.Halted() {
		t.Error("not halted")
	}
	for _, order := range []string{"entity", "schedule"} {
		n = closedLoop(t, "0,1,1000,0,\n", "stop", "1ms", "options.order", order)
		if n.Step(later, 1<<30) || n.Now() != core.AtNanos(1e6) || !n.Halted() {
			t.Errorf("%s: at the end of the scenario it is %v, halted: %v", order, n.Now(), n.Halted())
		}
	}
}

// The end of a flow is not that of a run that has its own: flows may follow it.
func TestClosedLoopGoesOnAfterAnEnd(t *testing.T) {
	for _, until := range []core.Time{core.AtNanos(500e3), core.AtNanos(1e6), core.AtNanos(2e6), core.Never} {
		n := closedLoop(t, "0,1,1000,0,\n1,2,1000,30000,\n", "stop", "1ms")
		n.BreakAt = sim.Ends
		for i := range 2 {
			if !n.Step(until, 1<<30) || n.Ended() != i+1 || n.Halted() {
				t.Errorf("until %v: over at %v after %d ends, halted: %v", until, n.Now(), n.Ended(), n.Halted())
			}
		}
		if more := n.Step(until, 1<<30); more != (until < core.AtNanos(1e6)) || n.Now() != min(until, core.AtNanos(1e6)) {
			t.Errorf("until %v: at %v the run continues: %v", until, n.Now(), more)
		}
	}
}

// Of a closed loop, as of any run, no more is expected than has been set up or added.
func TestClosedLoopExpects(t *testing.T) {
	n := closedLoop(t, "0,1,1000,0,\n")
	n.Step(core.AtNanos(1e6), 1<<30)
	if n.Expects(n.Now()) {
		t.Error("flows are expected that nobody has added")
	}
	n.Add(sim.Flow{Src: 1, Dst: 2, Bytes: 1000, Start: n.Now(), Prio: 3, DstPort: 100})
	if !n.Expects(n.Now()) {
		t.Error("a flow that has been added is not expected")
	}
	if n.Step(core.AtNanos(2e6), 1<<30); n.Expects(n.Now()) || n.Ended() != 2 {
		t.Errorf("flows are expected when %d of 2 have ended", n.Ended())
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
	n.Step(core.AtNanos(20e3), 1<<30)
	n.Add(sim.Flow{Src: 2, Dst: 1, Bytes: 1000000, Start: n.Now(), Prio: 3, DstPort: 100})
	n.Step(core.AtNanos(60e3), 1<<30)
	if most := flows(n); most != 2 {
		t.Errorf("at most %v flows at a time, want 2", most)
	}
	for n.Step(core.Never, 1000) {
	}
}

// However often the series of a closed loop are asked for, also when all flows have ended, they go on: with flows that are
// added and without.
func TestClosedLoopSeriesGoOn(t *testing.T) {
	points := func(n *sim.Network) string {
		var b strings.Builder
		for _, s := range n.Series() {
			fmt.Fprintln(&b, s.Metric, s.Node, s.Port, s.Flow)
			for i := range s.Len() {
				fmt.Fprintln(&b, s.Point(i))
			}
		}
		return b.String()
	}
	run := func(ask func(n *sim.Network)) (idle, end string) {
		n := closedLoop(t, "0,1,100000,0,\n", "series.interval", "1us", "series.ports", "all", "series.fairness", "2us", "options.rto", "0s")
		step := func(until core.Time) {
			for n.Step(until, 1<<20) && n.Now() < until {
			}
			ask(n)
		}
		step(core.Never)
		step(n.Now() + core.AtNanos(5e3))
		step(core.Never)
		idle = points(n)
		n.Add(sim.Flow{Src: 2, Dst: 1, Bytes: 100000, Start: n.Now(), Prio: 3, DstPort: 100})
		ask(n)
		step(core.Never)
		return idle, points(n)
	}
	wantIdle, wantEnd := run(func(*sim.Network) {})
	if idle, end := run(func(n *sim.Network) { n.Series() }); idle != wantIdle || end != wantEnd {
		t.Errorf("asked for in between: %d and %d bytes of series instead of %d and %d", len(idle), len(end), len(wantIdle), len(wantEnd))
	}
}

// The ends of flows are told once each, in their order, and with BreakAt when they have come.
func TestTakeEnd(t *testing.T) {
	n := closedLoop(t, "0,1,300000,0,\n2,3,1000,0,\n4,1,20000,0,\n")
	for n.Step(core.Never, 1000) {
	}
	n.BreakAt = sim.Ends
	for i := range 2 {
		n.Add(sim.Flow{Src: 0, Dst: 1, Bytes: int64(100000 - 90000*i), Start: n.Now(), Prio: 3, DstPort: 100})
	}
	var ends []int
	take := func() {
		for flow, ok := n.TakeEnd(); ok; flow, ok = n.TakeEnd() {
			ends = append(ends, flow)
		}
	}
	for _, want := range []string{"[1 2 0]", "[1 2 0 4]", "[1 2 0 4 3]"} {
		if take(); fmt.Sprint(ends) != want {
			t.Errorf("%v have ended, want %v", ends, want)
		}
		n.Step(core.Never, 1<<30)
	}
}

// A message that is added when the one before it has arrived does the same as one that waits for it, whose source receives
// that. The arrivals are told once each, in their order.
func TestArrivals(t *testing.T) {
	const messages = 40
	flow := func(i int) sim.Flow {
		return sim.Flow{Src: core.NodeID(i % 4), Dst: core.NodeID((i + 1) % 4), Bytes: 10000, Prio: 3, DstPort: 100}
	}
	for _, order := range []string{"entity", "schedule"} {
		for _, cc := range []string{"none", "hpcc", "cubic"} {
			const first = "0,1,10000,0,\n4,2,700000,0,\n"
			pairs := []string{"cc", cc, "options.order", order}
			s := setup(t, first, append([]string{"topology", "star:n=5"}, pairs...)...)
			for i := 1; i < messages; i++ {
				f := flow(i)
				f.After = []int32{int32(len(s.Flows) - 1)}
				if i == 1 {
					f.After[0] = 0
				}
				s.Flows = append(s.Flows, f)
			}
			listed, err := sim.Build(s, nobody{})
			if err != nil {
				t.Fatal(err)
			}
			for listed.Step(core.Never, 1000) {
			}
			n := closedLoop(t, first, pairs...)
			n.BreakAt = sim.Arrivals
			var arrivals []int
			for last, more := 0, true; more; {
				more = n.Step(core.Never, 1<<30)
				for i, ok := n.TakeArrival(); ok; i, ok = n.TakeArrival() {
					arrivals = append(arrivals, i)
					if i == last && len(n.Setup.Flows) <= messages {
						f := flow(len(n.Setup.Flows) - 1)
						f.Start = n.Now()
						last = n.Add(f)
					}
				}
			}
			if got, want := results(n), results(listed); got != want {
				t.Errorf("%s %s: got\n%s\nwant\n%s", order, cc, got, want)
			}
			if slices.Sort(arrivals); len(arrivals) != messages+1 || len(slices.Compact(arrivals)) != messages+1 {
				t.Errorf("%s %s: %d arrivals", order, cc, len(arrivals))
			}
		}
	}
}

// What a failed link loses does not arrive.
func TestNoArrival(t *testing.T) {
	n := closedLoop(t, "0,1,1000,0,\n", "links", "[{at: 100ns, down: 0-5}]")
	n.BreakAt = sim.Arrivals
	for n.Step(core.Never, 1<<30) {
	}
	if _, ok := n.TakeArrival(); ok {
		t.Error("a flow has arrived by a link that has failed")
	}
}

// What a closed loop cannot take is refused: a flow of the past, and one that waits for another; and a run that is no
// closed loop takes none.
func TestAddRefuses(t *testing.T) {
	open, err := sim.Build(setup(t, "0,1,1000,0,\n", "topology", "star:n=5"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	closed := closedLoop(t, "0,1,1000,0,\n")
	for _, n := range []*sim.Network{open, closed} {
		n.Step(core.AtNanos(50), 1000)
	}
	now := core.AtNanos(50)
	for name, add := range map[string]func(){
		"earlier":        func() { closed.Add(sim.Flow{Src: 1, Dst: 2, Bytes: 1, Start: now - 1}) },
		"after another":  func() { closed.Add(sim.Flow{Src: 1, Dst: 2, Bytes: 1, Start: now, After: []int32{0}}) },
		"no closed loop": func() { open.Add(sim.Flow{Src: 1, Dst: 2, Bytes: 1, Start: now}) },
	} {
		func() {
			defer func() {
				if recover() != "sim: a flow that cannot be added" {
					t.Errorf("%s: not refused", name)
				}
			}()
			add()
		}()
	}
	if open.Step(core.Never, 1000); open.AwaitsFlows() {
		t.Error("a run that is no closed loop awaits flows")
	}
}

// A look at the series between two flows does not change what they become.
func TestClosedLoopSeriesBetweenFlows(t *testing.T) {
	end := func(look bool) string {
		n := closedLoop(t, "0,1,100000,0,\n2,1,100000,0,\n", "series.interval", "50us")
		for n.Step(core.Never, 1000) {
		}
		if look {
			n.Series()
		}
		n.Add(sim.Flow{Src: 2, Dst: 3, Bytes: 1000, Start: n.Now(), Prio: 3, DstPort: 100})
		n.Step(core.AtNanos(400e3), 1<<30)
		var b strings.Builder
		for _, s := range n.Series() {
			for i := range s.Len() {
				fmt.Fprintln(&b, s.Metric, s.Node, s.Port, s.Point(i))
			}
		}
		return b.String()
	}
	if got, want := end(true), end(false); got != want {
		t.Errorf("after a look\n%s\nwithout\n%s", got, want)
	}
}
