package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

func horizons() []int { return []int{3, 5, 10, 20} }

func horizonCases(bool) (cases []Case) {
	for _, p := range horizons() {
		cases = append(cases, controlled(fmt.Sprintf("horizon-%d", p), strconv.Itoa(p), "1:10"))
	}
	return cases
}

// horizon measures the time of a control step on this machine; the thesis had qpOASES in NS-3.
func horizon(r *Result) {
	var drains, steps, publishedSteps, x []float64
	for _, p := range horizons() {
		t := r.track(fmt.Sprintf("horizon-%d", p))
		drains = append(drains, t.drained(t.Queue[0]))
		steps, x = append(steps, stepTime(p, r.Quick)), append(x, float64(p))
		solve := fmt.Sprintf("solve.%d", p)
		r.measure(solve, steps[len(steps)-1])
		publishedSteps = append(publishedSteps, r.published(solve))
		r.also(fmt.Sprintf("drain.%d", p), fmt.Sprintf("queue empty, horizon %d", p), "ns", drains[len(drains)-1])
	}
	r.measure("solve.rise", steps[len(steps)-1]/steps[0])
	r.measure("spread", slices.Max(drains)/slices.Min(drains))
	f := figure.Figure{
		ID: "section-5.2.2", Kind: figure.Lines, Title: "Time of a control step", Marks: true,
		X: figure.Axis{Label: "Prediction horizon", Unit: figure.Count}, Y: figure.Axis{Label: "Time", Unit: figure.Time, Scale: figure.Log},
	}
	f.Line("qbb, here", x, steps)
	f.Line("qpOASES, published", x, publishedSteps)
	r.draw(f)
}

// stepTime is the mean time of a control step, ns of wall clock.
func stepTime(horizon int, quick bool) float64 {
	scheme, err := catalog.New("mpcc", map[string]string{"horizon": strconv.Itoa(horizon)})
	if err != nil {
		panic(err)
	}
	sender, c := scheme.NewSender(), new(algorithms.Control)
	hops := []core.Hop{{Line: core.Gbps, Flows: 4}, {Line: core.Gbps, Flows: 4}}
	sender.Start(0, &algorithms.Flow{
		Line: core.Gbps, BaseRTT: 34752 * core.Nanosecond, MTU: 1000, Size: 1e9, Hops: 3, INT: core.FullINT(5),
	}, c)
	s := &algorithms.Signal{Kind: algorithms.Ack, Bytes: 1000, Hops: hops}
	n := 200_000
	if quick {
		n = 1000
	}
	began := time.Now()
	for i := range n {
		s.Now += core.Time(10 * core.Microsecond)
		s.Acked += 1000
		s.Next = s.Acked + 4000
		hops[0].Queue = uint64(i&7) << 10
		sender.Step(s, c)
	}
	return float64(time.Since(began)) / float64(n)
}

// fairnessFlows are the flows of section 5.3 with sizes in MB: the thesis says 4.9, 2.4, 1.4 and
// 0.3 GB, which would take 72 s at 1 Gb/s, although starts are 10 ms apart. In MB they take 72 ms
// and end one after another; the text speaks of flows that complete.
func fairnessFlows() (flows []traces.Flow) {
	for src, bytes := range []core.Bytes{4_900_000, 2_400_000, 1_400_000, 300_000} {
		flows = append(flows, flow(src, 4, bytes, core.Time(core.Duration(src)*10*core.Millisecond), "flow"))
	}
	return flows
}

// fairnessSchemes are those of figure 5.3. HPCC has its authors' lowest rate, 1 Gb/s, which here is
// the line rate, and in addition, under another name, one in proportion to the line.
func fairnessSchemes() []string { return []string{"mpcc", "hpcc", "hpcc-scaled"} }

func fairnessCases(bool) (cases []Case) {
	for _, name := range fairnessSchemes() {
		set := dumbbellOf("1us", "stop", "85ms")
		switch name {
		case "mpcc":
			set = with(set, thesisMPCC()...)
		case "hpcc":
			set = with(set, "cc", "hpcc", "cc.params.min_rate", "1Gbps")
		case "hpcc-scaled":
			set = with(set, "cc", "hpcc")
		}
		cases = append(cases, Case{
			Name: name, Set: set, Flows: fairnessFlows(), Every: 10 * core.Microsecond, Queues: dumbbellQueue(), Follow: everyFlow,
		})
	}
	return cases
}

func fairness(r *Result) {
	queues := queueFigure("figure-5.4", "Queue of switch 1")
	for _, name := range fairnessSchemes() {
		t := r.track(name)
		queues.Line(name, t.Times, t.Queue[0])
		packet := 1080.0
		if name != "mpcc" {
			packet = 1090 // HPCC's telemetry takes 42 B
		}
		r.draw(normalizedThroughput("figure-5.3-"+name, "Throughput of "+name, t, packet))
		fair := phaseFairness(t)
		if name == "hpcc-scaled" {
			r.also(name+".plateau.4", "HPCC with a least rate of line/100, median queue with 4 flows", "B", plateau(t, 4))
			r.also(name+".fair", "HPCC with a least rate of line/100, fairness (Jain), least", "", fair)
			continue
		}
		r.measure(name+".fair", fair)
		r.measure(name+".use", lineUse(t, packet))
		if name == "mpcc" {
			for n := 2; n <= 4; n++ {
				r.measure(fmt.Sprintf("mpcc.queue.%d", n), plateau(t, n))
			}
			r.also("mpcc.peak", "MPCC, largest queue", "B", most(t.Queue[0]))
			continue
		}
		for n := 1; n <= 4; n++ {
			r.measure(fmt.Sprintf("hpcc.plateau.%d", n), plateau(t, n))
		}
	}
	r.draw(queues)
}

// lastOfPhase returns the last half of the phase that begins with the n-th flow, ns.
func lastOfPhase(n int) (from, to float64) {
	const ms = 1_000_000
	return float64((10*n - 5) * ms), float64((10*n - 1) * ms)
}

// plateau is the median queue in the last half of the phase that begins with the n-th flow.
func plateau(t *track, n int) float64 {
	from, to := lastOfPhase(n)
	return percentile(t.between(t.Queue[0], from, to), 50)
}

// phaseFairness is the lowest fairness of the bytes that the active flows moved in the last half of
// the phases with 2, 3 and 4 flows.
func phaseFairness(t *track) float64 {
	least := math.Inf(1)
	for n := 2; n <= 4; n++ {
		from, to := lastOfPhase(n)
		var moved []float64
		for _, acked := range t.Acked[:n] {
			moved = append(moved, t.growth(acked, from, to))
		}
		least = min(least, jain(moved))
	}
	return least
}

// lineUse is the share of the line that was used, by packets of the given size, until the last flow ended.
func lineUse(t *track, packet float64) float64 {
	last, bytes := 0.0, 0.0
	for i := range t.Ended {
		r := &t.Ended[i]
		last = max(last, core.Duration(r.Start.Add(r.FCT)).Nanos())
		bytes += float64(r.Flow.Bytes) * packet / 1000
	}
	if len(t.Ended) < len(t.Net.Setup.Flows) {
		last = t.Times[len(t.Times)-1]
	}
	return bytes / (last * gbit)
}
