package reproduce

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

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
func (t *track) Swept(at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction) {
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
// after the fall of the rates at 8.5 s, for thresholds of 12 and 6 s.
const sweepInterval = 1.2

// dynamicCases run until all flows have ended, and some seconds more.
func dynamicCases(quick bool) (cases []Case) {
	c := clockOf(quick)
	scaled := func(n float64) string { return fmt.Sprint(int64(n * c.second.Seconds())) }
	for _, threshold := range []int{12, 6} {
		cases = append(cases, Case{
			Name: fmt.Sprintf("threshold-%d", threshold), Every: c.second / 10, Follow: everyFlow, Queues: []sim.PortRef{portOfD(), linkS1()}, Seen: &manager{},
			Set: testbed("cc.params.ccti_timer", "75", "stop", c.text(120), "dcms.sweep", c.text(sweepInterval), "dcms.t_i", fmt.Sprint(threshold),
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
		t := r.track(fmt.Sprintf("threshold-%d", threshold))
		m := t.Case.Seen.(*manager)
		low, reset := m.actions(r, c, threshold)
		id := map[int]string{12: "figure-5", 6: "figure-6"}[threshold]
		r.draw(throughputs(id+"a", fmt.Sprintf("Threshold %d s", threshold), t))
		r.draw(m.counterRates(c, id+"b", fmt.Sprintf("Counters, threshold %d s", threshold)))
		if threshold == 6 {
			r.measure("action.6.reset", reset)
			continue
		}
		r.measure("action.12.low", low)
		r.measure("action.12.reset", reset)
		r.scenario1(c, t, m, low)
		r.beside(c, t, m, low)
		r.recovery(c, t, reset)
	}
}

// actions lists the manager's actions, and returns when it first lowered and first reset the
// marking rate.
func (m *manager) actions(r *Result, c clock, threshold int) (low, reset float64) {
	low, reset = math.Inf(1), math.Inf(1)
	for i, at := range m.at {
		s := float64(at) / float64(c.second)
		r.also(fmt.Sprintf("action.%d.%d", threshold, i), fmt.Sprintf("threshold %d s, marking rate set to %d", threshold, m.rates[i]), "s", s)
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

// most is the largest growth of a counter in the sweeps that end by a time, in seconds of the clock.
func (m *manager) most(c clock, counter []float64, by float64) (value float64) {
	for i, at := range m.swept {
		if at <= c.nanos(by) {
			value = max(value, counter[i])
		}
	}
	return value
}

// words is the growth of PortXmitData of (S1, 15) a second between two times, in seconds of the clock.
func (t *track) words(c clock, from, to float64) float64 {
	return t.growth(t.Words[1], c.nanos(from), c.nanos(to)) * 1e9
}

// scenario1 measures the values of figure 5 before and after the manager's first action.
func (r *Result) scenario1(c clock, t *track, m *manager, low float64) {
	contributors := [3]int{0, 2, 3}
	r.measure("victim.before", t.meanRate(c, 1, 7.1, low))
	r.measure("victim.after", t.meanRate(c, 1, low+1, low+6))
	r.measure("contributor.after", t.contributors(c, contributors, low+1, low+6)/3)
	r.measure("end.12", t.end(c, 1))
	r.measure("data.idle", m.growth(c, m.data, 6.9))
	// Every sweep that covers C-D begins before it, or ends while A-D runs.
	r.measure("cong.before", t.growth(t.Congested, c.nanos(5.1), c.nanos(7))/tick.Seconds())
	r.measure("wait.before", m.growth(c, m.wait, low))
	r.measure("data.before", m.growth(c, m.data, low))
	r.measure("data.after", m.growth(c, m.data, low+6))
}

// beside measures who shares what in figure 5 up to the manager's first action, and when that shows.
func (r *Result) beside(c clock, t *track, m *manager, low float64) {
	r.measure("B-D.alone", t.meanRate(c, 0, 0.1, 2))
	r.measure("X-Y.alone", t.meanRate(c, 1, 2.1, 5))
	r.measure("B-D.with-C-D", t.meanRate(c, 0, 5.1, 7))
	r.measure("C-D.with-C-D", t.meanRate(c, 2, 5.1, 7))
	r.measure("X-Y.with-C-D", t.meanRate(c, 1, 5.1, 7))
	r.measure("cong.rises", t.congestedFrom(c))
	r.measure("wait.idle", m.most(c, m.wait, 6.9))
	for name, k := range dynamicContributors() {
		r.measure(name+".before", t.meanRate(c, k, 7.1, low))
	}
	r.measure("contributors.fall", t.falls(c, []int{0, 2, 3}, 3*(2.67+1.23)/2, 7))
}

func dynamicContributors() map[string]int { return map[string]int{"B-D": 0, "C-D": 2, "A-D": 3} }

// congestedFrom is the time, in seconds of the clock, from which on the first port is congested for most of half a
// second, by its tenths; infinite if it never is.
func (t *track) congestedFrom(c clock) float64 {
	var share []float64
	for i := 1; i < len(t.Times); i++ {
		share = append(share, (t.Congested[i]-t.Congested[i-1])/(t.Times[i]-t.Times[i-1]))
	}
	return lasts(t.Times[1:], share, 0.5, 5) / c.nanos(1)
}

// recovery measures the values of figure 5 from the manager's first reset on, until the flows have ended one after
// another.
func (r *Result) recovery(c clock, t *track, reset float64) {
	endB, endC, endA := t.end(c, 0), t.end(c, 2), t.end(c, 3)
	for name, k := range dynamicContributors() {
		r.measure(name+".recovered", t.meanRate(c, k, reset, endB))
	}
	r.measure("contributors.recovered", t.contributors(c, [3]int{0, 2, 3}, reset, endB))
	r.measure("data.recovered", t.words(c, reset, endB))
	r.measure("data.without-B-D", t.words(c, endB, endC))
	r.measure("A-D.alone", t.meanRate(c, 3, endC, endA))
	r.measure("data.alone", t.words(c, endC, endA))
	r.measure("data.ended", t.words(c, endA, math.Inf(1)))
}
