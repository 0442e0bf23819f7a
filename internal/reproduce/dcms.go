package reproduce

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// dcmsExperiments lists the experiments of Mizero, Veeraraghavan, Liu, Russell and Dennis, "A Dynamic
// Congestion Management System for InfiniBand Networks", Supercomputing Frontiers and Innovations.
func dcmsExperiments() []Experiment {
	const paper = "DCMS paper, "
	return []Experiment{
		{"dcms-marking", "contributors and a victim by CCTI_Timer and Marking_Rate", paper + "experiment I, figure 3", "2 min", "3 s", markingRateCases, markingRates},
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

func (c clock) nanos(s float64) float64 { return core.Duration(c.at(s)).Nanos() }

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

// markingRateCases have 300 messages a flow where the paper says 140: with 140 the flow X-Y would end after 19 s,
// before A-D starts, and not after 40.32 s at 7.9 Gb/s, which are 297 messages. The cases run until all flows have
// ended.
func markingRateCases(quick bool) (cases []Case) {
	c := clockOf(quick)
	for _, m := range figure3() {
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
func (t *Track) meanRate(c clock, flow int, from, to float64) float64 {
	return float64(8 * t.growth(t.Acked[flow], c.nanos(from), c.nanos(to)))
}

// contributors is the total rate of the three flows to D, as in meanRate.
func (t *Track) contributors(c clock, flows [3]int, from, to float64) (sum float64) {
	for _, k := range flows {
		sum += t.meanRate(c, k, from, to)
	}
	return sum
}

// throughputs draws the rates of the followed flows.
func throughputs(id, title string, t *Track) figure.Figure {
	f := figure.Figure{
		ID: id, Kind: figure.Lines, Title: title,
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Throughput", Unit: figure.Rate, From: figure.At(0)},
	}
	for k, i := range t.Flows {
		x, y := t.Rates(k, 5)
		f.Line(t.Net.Setup.Flows[i].Tag, x, y)
	}
	return f
}

// end is the time at which a flow ended, in seconds of the clock; infinite if it did not.
func (t *Track) end(c clock, flow int) float64 {
	for i := range t.Ended {
		if r := &t.Ended[i]; r.ID == flow && r.Finished {
			return float64(r.Start.Add(r.FCT)) / float64(c.second)
		}
	}
	return math.Inf(1)
}

const tick = 22 * core.Nanosecond // of the testbed's counters

func (t *Track) xmitWait(p sim.PortRef) float64 {
	c := t.Net.Counters(p.Node, p.Port)
	return float64(c.XmitWait(tick))
}

func (t *Track) congTime(p sim.PortRef) float64 {
	c := t.Net.Counters(p.Node, p.Port)
	return float64(c.XmitCongTime(tick))
}

func markingRates(r *Result) {
	c, contributors := clockOf(r.Quick), [3]int{1, 2, 3}
	for i, m := range figure3() {
		t := r.Track(m.String())
		// X-Y shares with all others from 28 s on, and ends after 40 s; for a marking rate of 0 the paper gives the
		// rate of the others from then on.
		from, to := 32.0, 38.0
		r.Measure("victim."+m.String(), t.meanRate(c, 0, from, to))
		if m.rate == 0 {
			from, to = t.end(c, 0), min(t.end(c, 1), t.end(c, 2), t.end(c, 3))
		}
		r.Measure("contributors."+m.String(), t.contributors(c, contributors, from, to))
		r.Also("congtime."+m.String(), m.String()+", PortXmitCongTime of (S2,23) at the end", "ticks", t.congTime(portOfD())*c.scale())
		r.Draw(throughputs("figure-3"+string(rune('a'+i)), m.String(), t))
	}
	r.Measure("time.75-0", r.Track("75-0").end(c, 0))
	r.Measure("time.75-2048", r.Track("75-2048").end(c, 0))
	r.Measure("wait.75-0", r.Track("75-0").xmitWait(linkS1()))
	slow := r.Track("75-2048")
	r.Measure("wait.75-2048", slow.xmitWait(linkS1())*c.scale())
	r.Also("wait.X.75-2048", "75-2048, PortXmitWait of X", "ticks", slow.xmitWait(sim.PortRef{Node: nodeX})*c.scale())
	r.Also("wait.A.75-2048", "75-2048, PortXmitWait of A", "ticks", slow.xmitWait(sim.PortRef{Node: nodeA})*c.scale())
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
			t := r.Track(sweepName(timer, rate))
			end := t.Times[len(t.Times)-1]
			later := func(k int) float64 { return float64(8 * t.growth(t.Acked[k], end/2, end)) }
			sum := later(1) + later(2) + later(3)
			// X-Y moves 297 messages: 28 s at full rate, the rest beside A-D, as in figure 3.
			bits := 297 * (128 << 20) * 8 / 1e9
			x, rates, times = append(x, float64(rate)), append(rates, sum*1e9), append(times, (28+(bits-28*7.9)/later(0))*1e9)
			if rate == 0 || rate == 64 {
				r.Measure(fmt.Sprintf("total.%d.%d", timer, rate), sum)
			}
			r.Also(fmt.Sprintf("victim.%d.%d", timer, rate), fmt.Sprintf("timer %d, marking rate %d, victim", timer, rate), "Gb/s", later(0))
			r.Also(fmt.Sprintf("congtime.%d.%d", timer, rate), fmt.Sprintf("timer %d, marking rate %d, PortXmitCongTime of (S2,23)", timer, rate), "ticks", t.congTime(portOfD()))
		}
		victim.Line(fmt.Sprintf("CCTI_Timer %d", timer), x, times)
		total.Line(fmt.Sprintf("CCTI_Timer %d", timer), x, rates)
	}
	r.Draw(victim)
	r.Draw(total)
}

// manager keeps what the congestion manager reads and does.
type manager struct {
	at      []core.Time
	rates   []int
	swept   []float64 // ns
	wait    []float64 // of (S1, 15) in a sweep, ticks
	data    []float64 // words
	congest []float64 // of (S2, 23), ticks
}

// Swept implements sim.ManagerObserver.
func (t *Track) Swept(at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction) {
	m, ok := t.Case.Seen.(*manager)
	if !ok {
		return
	}
	for _, a := range actions {
		m.at, m.rates = append(m.at, at), append(m.rates, a.MarkingRate)
	}
	m.swept = append(m.swept, core.Duration(at).Nanos())
	for i := range ports {
		p := &ports[i]
		switch p.PortRef {
		case linkS1():
			m.wait, m.data = append(m.wait, float64(p.Growth.Wait)), append(m.data, float64(p.Growth.Data))
		case portOfD():
			m.congest = append(m.congest, float64(p.Growth.CongTime))
		}
	}
}

// sweepInterval is the time between sweeps in seconds: figures 5 and 6 have resets 14.5 and 8.5 s
// after the first action, for thresholds of 12 and 6 s.
const sweepInterval = 1.2

func dynamicCases(quick bool) (cases []Case) {
	c := clockOf(quick)
	scaled := func(n float64) string { return fmt.Sprint(int64(n * c.second.Seconds())) }
	for _, threshold := range []int{12, 6} {
		cases = append(cases, Case{
			Name: fmt.Sprintf("threshold-%d", threshold), Every: c.second / 10, Follow: everyFlow, Queues: []sim.PortRef{portOfD()}, Seen: &manager{},
			Set: testbed("cc.params.ccti_timer", "75", "stop", c.text(80), "dcms.sweep", c.text(sweepInterval), "dcms.t_i", fmt.Sprint(threshold),
				"dcms.t_c", scaled(8e6), "dcms.t_w", scaled(27.4e6), "dcms.t_d", scaled(50e6)),
			Flows: []traces.Flow{
				flow(nodeB, nodeD, c.bytes(140), 0, "B-D"), flow(nodeX, nodeY, c.bytes(140), c.at(2), "X-Y"),
				flow(nodeC, nodeD, c.bytes(140), c.at(5), "C-D"), flow(nodeA, nodeD, c.bytes(140), c.at(7), "A-D"),
			},
		})
	}
	return cases
}

// growth is the rate of a counter in the last sweep that ends by a time, both in seconds of the clock.
func (m *manager) growth(c clock, counter []float64, by float64) float64 {
	value := 0.0
	for i, at := range m.swept {
		if at <= core.Duration(c.at(by)).Nanos() {
			value = counter[i]
		}
	}
	return value / (sweepInterval * c.second.Seconds())
}

func dynamic(r *Result) {
	c := clockOf(r.Quick)
	for _, threshold := range []int{12, 6} {
		t := r.Track(fmt.Sprintf("threshold-%d", threshold))
		m := t.Case.Seen.(*manager)
		low, reset := m.actions(r, c, threshold)
		id := map[int]string{12: "figure-5", 6: "figure-6"}[threshold]
		r.Draw(throughputs(id+"a", fmt.Sprintf("Threshold %d s", threshold), t))
		r.Draw(m.counterRates(c, id+"b", fmt.Sprintf("Counters, threshold %d s", threshold)))
		if threshold == 6 {
			r.Measure("action.6.reset", reset)
			continue
		}
		r.Measure("action.12.low", low)
		r.Measure("action.12.reset", reset)
		r.scenario1(c, t, m, low, reset)
	}
}

// actions lists the manager's actions, and returns when it first lowered and first reset the
// marking rate.
func (m *manager) actions(r *Result, c clock, threshold int) (low, reset float64) {
	low, reset = math.Inf(1), math.Inf(1)
	for i, at := range m.at {
		s := float64(at) / float64(c.second)
		r.Also(fmt.Sprintf("action.%d.%d", threshold, i), fmt.Sprintf("threshold %d s, marking rate set to %d", threshold, m.rates[i]), "s", s)
		if m.rates[i] == 0 {
			low = min(low, s)
		} else {
			reset = min(reset, s)
		}
	}
	return low, reset
}

// counterRates draws the rates of the counters by sweep.
func (m *manager) counterRates(c clock, id, title string) figure.Figure {
	f := figure.Figure{ID: id, Kind: figure.Lines, Title: title,
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Ticks or words a second", Unit: figure.Count, From: figure.At(0)}}
	for _, counter := range []struct {
		name  string
		grown []float64
	}{{"PortXmitWait (S1,15)", m.wait}, {"PortXmitData (S1,15)", m.data}, {"PortXmitCongTime (S2,23)", m.congest}} {
		var y []float64
		for _, v := range counter.grown {
			y = append(y, v/(sweepInterval*c.second.Seconds()))
		}
		f.Line(counter.name, m.swept, y)
	}
	return f
}

// scenario1 measures the values of figure 5 before and after the manager's first action, and after its second.
func (r *Result) scenario1(c clock, t *Track, m *manager, low, reset float64) {
	contributors := [3]int{0, 2, 3}
	r.Measure("victim.before", t.meanRate(c, 1, 7.1, low))
	r.Measure("victim.after", t.meanRate(c, 1, low+1, low+6))
	r.Measure("contributor.after", t.contributors(c, contributors, low+1, low+6)/3)
	r.Also("contributor.reset", "threshold 12 s: a contributor from the reset on, until B-D ends", "Gb/s", t.contributors(c, contributors, reset, t.end(c, 0))/3)
	r.Measure("end.12", t.end(c, 1))
	r.Measure("data.idle", m.growth(c, m.data, 6.9))
	// Every sweep that covers C-D begins before it, or ends while A-D runs.
	r.Measure("cong.before", t.growth(t.Congested, c.nanos(5.1), c.nanos(7))/tick.Seconds())
	r.Measure("wait.before", m.growth(c, m.wait, low))
	r.Measure("data.before", m.growth(c, m.data, low))
	r.Measure("data.after", m.growth(c, m.data, low+6))
}
