package reproduce

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// dcms lists the experiments of Mizero, Veeraraghavan, Liu, Russell and Dennis, "A Dynamic
// Congestion Management System for InfiniBand Networks", Supercomputing Frontiers and Innovations.
func dcms() []Experiment {
	const paper = "DCMS paper, "
	return []Experiment{
		{"dcms-marking", "contributors and a victim by CCTI_Timer and Marking_Rate", paper + "experiment I, figures 3, 4a", "3 min", "3 s", markingRateCases, markingRates},
		{"dcms-sweep", "Marking_Rate from 0 to 128 by CCTI_Timer", paper + "experiment I, figure 4", "10 s", "1 s", sweepCases, sweep},
		{"dcms-dynamic", "the manager with thresholds of 12 s and 6 s", paper + "experiment II, figures 5, 6", "1 min", "1 s", dynamicCases, dynamic},
	}
}

// Nodes of figure 2; (S1, 15) leads to S2 at 32 Gb/s, (S2, 23) to D.
const (
	nodeX = iota
	nodeA
	nodeY
	nodeB
	nodeC
	nodeD
)

func linkS1() sim.PortRef { return sim.PortRef{Node: 6, Port: 2} }

func portOfD() sim.PortRef { return sim.PortRef{Node: 7, Port: 4} }

// testbed is figure 2 with frames of InfiniBand: LRH 8, BTH 12, ICRC 4 and VCRC 2 bytes, and 4 of
// AETH in an acknowledgement, which leave 7.9 of 8 Gb/s for messages, as in the paper.
func testbed(more ...string) []string {
	return with([]string{
		"topology", "dumbbell:n=2,right=4,rate=8Gbps,bottleneck=32Gbps,delay=100ns", "workload", "none", "flow_control", "credits",
		"mtu", "2048B", "host.header", "26B", "host.ack_header", "30B", "host.min_packet", "30B",
		"cc", "ib-cc", "cc.params.preset", "dcms",
	}, more...)
}

// clock scales times and sizes: a quick run has seconds of 10 ms.
type clock struct{ second core.Duration }

func clockOf(quick bool) clock {
	if quick {
		return clock{10 * core.Millisecond}
	}
	return clock{core.Second}
}

func (c clock) at(s float64) core.Time { return core.Time(float64(c.second) * s) }

// nanos is a time, or infinite, in ns.
func (c clock) nanos(s float64) float64 {
	if math.IsInf(s, 0) {
		return s
	}
	return core.Duration(c.at(s)).Nanos()
}

func (c clock) text(s float64) string { return core.Duration(c.at(s)).String() }

// scale is the number of its seconds in a second.
func (c clock) scale() float64 { return float64(core.Second) / float64(c.second) }

// bytes returns the bytes of a number of messages of 128 MiB.
func (c clock) bytes(messages int) core.Bytes {
	return core.Bytes(float64(messages) * (128 << 20) * c.second.Seconds())
}

// marks is a pair of figure 3: CCTI_Timer-Marking_Rate.
type marks struct{ timer, rate int }

func (m marks) String() string { return fmt.Sprintf("%d-%d", m.timer, m.rate) }

func (m marks) set() []string {
	return []string{"cc.params.ccti_timer", fmt.Sprint(m.timer), "cc.params.marking_rate", fmt.Sprint(m.rate)}
}

func figure3() []marks { return []marks{{75, 0}, {300, 0}, {75, 2048}} }

// betweenThem is the third pair of which section 4.2 gives numbers at marking rate 0.
func betweenThem() marks { return marks{150, 0} }

// markingRateCases have 300 messages a flow where the paper says 140: with 140 the flow X-Y would end after 19 s,
// before A-D starts, and not after 40.32 s at 7.9 Gb/s, which are 297 messages. The cases run until all flows have
// ended.
func markingRateCases(quick bool) (cases []Case) {
	c := clockOf(quick)
	for _, m := range append(figure3(), betweenThem()) {
		cases = append(cases, Case{
			Name: m.String(), Set: testbed(m.set()...),
			Every: c.second / 10, Queues: []sim.PortRef{portOfD()}, Follow: everyFlow,
			Flows: []traces.Flow{
				flow(nodeX, nodeY, c.bytes(300), 0, "X-Y"), flow(nodeB, nodeD, c.bytes(300), c.at(8), "B-D"),
				flow(nodeC, nodeD, c.bytes(300), c.at(13), "C-D"), flow(nodeA, nodeD, c.bytes(300), c.at(28), "A-D"),
			},
		})
	}
	return cases
}

// meanRate is the mean rate of a followed flow between two times, in seconds of the clock, Gb/s.
func (t *track) meanRate(c clock, flow int, from, to float64) float64 {
	return float64(8 * t.growth(t.Acked[flow], c.nanos(from), c.nanos(to)))
}

// contributors is the total rate of the three flows to D, as in meanRate.
func (t *track) contributors(c clock, flows [3]int, from, to float64) (sum float64) {
	for _, k := range flows {
		sum += t.meanRate(c, k, from, to)
	}
	return sum
}

// last is the time at which the last of some flows ended, as in end.
func (t *track) last(c clock, flows ...int) (at float64) {
	for _, k := range flows {
		at = max(at, t.end(c, k))
	}
	return at
}

// falls is the time, in seconds of the clock and not before another, from which on the total rate of some followed
// flows is at most a bound, Gb/s, for half a second, by its tenths; infinite if it never is.
func (t *track) falls(c clock, flows []int, bound, after float64) float64 {
	var x, y []float64
	for _, k := range flows {
		times, rates := t.flowRates(k, 1)
		if y == nil {
			x, y = times, make([]float64, len(times))
		}
		for i := range y {
			y[i] -= rates[i] / 1e9
		}
	}
	for len(x) > 0 && x[0] <= c.nanos(after) {
		x, y = x[1:], y[1:]
	}
	return lasts(x, y, -bound, 5) / c.nanos(1)
}

// throughputs draws the rates of the followed flows.
func throughputs(id, title string, t *track) figure.Figure {
	f := figure.Figure{
		ID: id, Kind: figure.Lines, Title: title,
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Throughput", Unit: figure.Rate, From: figure.At(0)},
	}
	for k, i := range t.Flows {
		x, y := t.flowRates(k, 5)
		f.Line(t.Net.Setup.Flows[i].Tag, x, y)
	}
	return f
}

// end is the time at which a flow ended, in seconds of the clock; infinite if it did not.
func (t *track) end(c clock, flow int) float64 {
	for i := range t.Ended {
		if r := &t.Ended[i]; r.ID == flow && r.Finished {
			return float64(r.Start.Add(r.FCT)) / float64(c.second)
		}
	}
	return math.Inf(1)
}

const tick = 22 * core.Nanosecond // of the testbed's counters

func (t *track) xmitWait(p sim.PortRef) float64 {
	c := t.Net.Counters(p.Node, p.Port)
	return float64(c.XmitWait(tick))
}

func (t *track) congTime(p sim.PortRef) float64 {
	c := t.Net.Counters(p.Node, p.Port)
	return float64(c.XmitCongTime(tick))
}

func markingRates(r *Result) {
	c, contributors := clockOf(r.Quick), [3]int{1, 2, 3}
	for i, m := range figure3() {
		t := r.track(m.String())
		// X-Y shares with all others from 28 s on, and ends after 40 s; for a marking rate of 0 the paper gives the
		// rate of the others from then on.
		from, to := 32.0, 38.0
		r.measure("victim."+m.String(), t.meanRate(c, 0, from, to))
		if m.rate == 0 {
			from, to = t.end(c, 0), min(t.end(c, 1), t.end(c, 2), t.end(c, 3))
		}
		r.measure("contributors."+m.String(), t.contributors(c, contributors, from, to))
		r.draw(throughputs("figure-3"+string(rune('a'+i)), m.String(), t))
	}
	for _, m := range append(figure3(), betweenThem()) {
		t, name := r.track(m.String()), m.String()
		r.measure("time."+name, t.end(c, 0))
		if congested := t.congTime(portOfD()) * c.scale(); m.rate == 0 {
			r.measure("congtime."+name, congested)
		} else {
			r.also("congtime."+name, name+", PortXmitCongTime of (S2,23) at the end", "ticks", congested)
		}
	}
	for _, name := range []string{"75-0", "300-0"} {
		r.measure("wait."+name, r.track(name).xmitWait(linkS1()))
		r.measure("congtime.S1."+name, r.track(name).congTime(linkS1()))
	}
	r.measure("ends.75-0", r.track("75-0").last(c, 1, 2, 3))
	slow := r.track("75-2048")
	r.measure("alone.75-2048", slow.meanRate(c, 0, 1, 28))
	r.measure("falls.75-2048", slow.falls(c, []int{0}, (7.9+2.6)/2, 28))
	r.measure("A-D.75-2048", slow.meanRate(c, 3, 32, 38))
	r.measure("ends.75-2048", slow.last(c, 0, 1, 2, 3))
	for name, port := range map[string]sim.PortRef{"": linkS1(), "X.": {Node: nodeX}, "A.": {Node: nodeA}} {
		r.measure("wait."+name+"75-2048", slow.xmitWait(port)*c.scale())
	}
}

func sweepRates() []int { return []int{0, 8, 16, 32, 64, 128} }

func sweepTimers() []int { return []int{75, 150, 300} }

func sweepName(timer, rate int) string { return fmt.Sprintf("timer-%d-rate-%d", timer, rate) }

// sweepCases measure only the steady state, in a second: CCTI falls from its limit to 0 within 40
// ms.
func sweepCases(quick bool) (cases []Case) {
	stop := "1s"
	if quick {
		stop = "60ms"
	}
	for _, timer := range sweepTimers() {
		for _, rate := range sweepRates() {
			c := Case{
				Name: sweepName(timer, rate), Every: core.Millisecond, Follow: everyFlow, Queues: []sim.PortRef{portOfD()},
				Set: testbed(with(marks{timer, rate}.set(), "stop", stop)...),
			}
			for _, pair := range [][2]int{{nodeX, nodeY}, {nodeB, nodeD}, {nodeC, nodeD}, {nodeA, nodeD}} {
				c.Flows = append(c.Flows, flow(pair[0], pair[1], endless, 0, "flow"))
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func sweep(r *Result) {
	axis := figure.Axis{Label: "Marking rate", Unit: figure.Count}
	victim := figure.Figure{ID: "figure-4a", Kind: figure.Lines, Title: "Completion time of X-Y", Marks: true,
		X: axis, Y: figure.Axis{Label: "Completion time", Unit: figure.Time, From: figure.At(0)}}
	total := figure.Figure{ID: "figure-4b", Kind: figure.Lines, Title: "Contributors together", Marks: true,
		X: axis, Y: figure.Axis{Label: "Throughput", Unit: figure.Rate, From: figure.At(0)}}
	for _, timer := range sweepTimers() {
		var x, times, rates []float64
		for _, rate := range sweepRates() {
			t := r.track(sweepName(timer, rate))
			end := t.Times[len(t.Times)-1]
			later := func(k int) float64 { return float64(8 * t.growth(t.Acked[k], end/2, end)) }
			sum := later(1) + later(2) + later(3)
			// X-Y moves 297 messages: 28 s at full rate, the rest beside A-D, as in figure 3.
			bits := 297 * (128 << 20) * 8 / 1e9
			x, rates, times = append(x, float64(rate)), append(rates, sum*1e9), append(times, (28+(bits-28*7.9)/later(0))*1e9)
			if rate == 0 || rate == 64 {
				r.measure(fmt.Sprintf("total.%d.%d", timer, rate), sum)
			}
			if rate == 128 { // the highest of figure 4
				r.measure(fmt.Sprintf("time.%d.%d", timer, rate), times[len(times)-1]/1e9)
			}
			r.also(fmt.Sprintf("victim.%d.%d", timer, rate), fmt.Sprintf("timer %d, marking rate %d, victim", timer, rate), "Gb/s", later(0))
			r.also(fmt.Sprintf("congtime.%d.%d", timer, rate), fmt.Sprintf("timer %d, marking rate %d, PortXmitCongTime of (S2,23)", timer, rate), "ticks", t.congTime(portOfD()))
		}
		victim.Line(fmt.Sprintf("CCTI_Timer %d", timer), x, times)
		total.Line(fmt.Sprintf("CCTI_Timer %d", timer), x, rates)
	}
	r.draw(victim)
	r.draw(total)
}
