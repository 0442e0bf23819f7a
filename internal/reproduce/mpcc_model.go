package reproduce

import (
	"fmt"
	"math"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// mpcc lists the experiments of Zheng, "Model Predictive Congestion Control in RDMA-Enabled
// High-Speed Datacenter Network", University of Alberta, 2024.
func mpcc() []Experiment {
	const thesis = "MPCC thesis, "
	return []Experiment{
		{"mpcc-buildup", "queue of a 4-to-1 dumbbell without control", thesis + "figure 3.2", "1 s", "1 s", buildupCases, buildup},
		{"mpcc-step", "the same with senders that go on and off at 100 to 1000 Hz", thesis + "figure 3.3", "1 s", "1 s", stepCases, step},
		{"mpcc-window", "the bound that a window sets to the queue", thesis + "figure 3.4", "1 s", "1 s", windowCases, window},
		{"mpcc-delay", "the model with delays against a simulation with links of 1 ms", thesis + "figure 3.5", "1 s", "1 s", delayCases, delay},
		{"mpcc-verification", "the controller empties the queue: time and throughput by weights", thesis + "figure 5.2, section 5.2.1", "1 s", "1 s", verificationCases, verification},
		{"mpcc-horizon", "solver and convergence time by prediction horizon", thesis + "section 5.2.2", "2 s", "1 s", horizonCases, horizon},
		{"mpcc-fairness", "four flows that start apart: MPCC against HPCC", thesis + "figures 5.3, 5.4", "1 s", "1 s", fairnessCases, fairness},
		{"mpcc-websearch", "WebSearch on the fat-tree, five schemes, 30 and 60 %, with and without incast", thesis + "figures 5.6, 5.7", "2 min", "2 s",
			func(quick bool) []Case { return treeCases("websearch", quick) }, tree},
		{"mpcc-hadoop", "Hadoop on the fat-tree, five schemes, 30 and 60 %, with and without incast", thesis + "figures 5.8, 5.9", "2 min", "2 s",
			func(quick bool) []Case { return treeCases("fbhadoop", quick) }, tree},
	}
}

// dumbbellOf is figure 3.1 in the profile of the NS-3 simulator, which the thesis used: windows of
// message bytes, 48 B of headers, to which MPCC adds 32 B of telemetry (appendix A.2).
func dumbbellOf(delay string, more ...string) []string {
	return with([]string{
		"profile", "ns3", "topology", "dumbbell:n=4,right=1,rate=1Gbps,delay=" + delay, "buffer", "64MB", "workload", "none",
		"host.header", "48B",
	}, more...)
}

// bare is the dumbbell without control; the frames have the size that telemetry gives them.
func bare(delay string, more ...string) []string {
	return dumbbellOf(delay, with([]string{"cc", "none", "ecn", "off", "host.header", "80B"}, more...)...)
}

// dumbbellQueue is the egress queue of switch 1: nodes 0 to 3 send, 4 receives, 5 and 6 are the
// switches; port 4 of the first leads to the second.
func dumbbellQueue() []sim.PortRef { return []sim.PortRef{{Node: 5, Port: 4}} }

// together are four flows that start at 0.
func together(bytes core.Bytes) (flows []traces.Flow) {
	for src := range 4 {
		flows = append(flows, flow(src, 4, bytes, 0, "flow"))
	}
	return flows
}

const gbit = 1e9 / 8 / 1e9 // bytes per nanosecond at 1 Gb/s

func buildupCases(bool) []Case {
	return []Case{{
		Name: "buildup", Set: bare("1us", "stop", "1ms"), Flows: together(1e6),
		Every: core.Microsecond, Queues: dumbbellQueue(),
	}}
}

func buildup(r *Result) {
	t := r.track("buildup")
	r.measure("slope", slope(t.Times, t.Queue[0])/gbit)
	f := queueFigure("figure-3.2", "Queue without control")
	f.Line("simulation", t.Times, t.Queue[0])
	f.Line("3 Gb/s", []float64{0, 1e6}, []float64{0, 3e6 * gbit})
	r.draw(f)
}

func stepFrequencies() []int { return []int{100, 200, 500, 1000} }

// stepCases have senders that offer a half period's bytes at the beginning of every period, in whole packets: the
// thesis's all have 1080 B (appendix A.2). The window of one BDP limits the queue, as in the paper, where it makes the
// tops flat.
func stepCases(bool) (cases []Case) {
	for _, hz := range stepFrequencies() {
		period := core.Second / core.Duration(hz)
		share := core.Bytes(period.Nanos()/2*gbit/1080) / 4 * 1000
		var flows []traces.Flow
		for k := range 4 {
			for src := range 4 {
				flows = append(flows, flow(src, 4, share, core.Time(core.Duration(k)*period), "step"))
			}
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("step-%dHz", hz), Set: bare("1us", "host.window", "on", "stop", (4 * period).String()),
			Flows: flows, Every: core.Microsecond, Queues: dumbbellQueue(),
		})
	}
	return cases
}

// step measures the slopes. Each sender's bytes are a quarter of those of a half period, so that
// the line that they share is busy for a half period and idle for the other.
func step(r *Result) {
	for i, hz := range stepFrequencies() {
		t := r.track(fmt.Sprintf("step-%dHz", hz))
		q := t.Queue[0]
		rise, fall, flat := edges(t.Times, q)
		r.measure(fmt.Sprintf("rise.%dHz", hz), rise/gbit)
		r.measure(fmt.Sprintf("fall.%dHz", hz), fall/gbit)
		if hz == 100 {
			r.measure("flat", flat)
		} else {
			r.measure(fmt.Sprintf("flat.%dHz", hz), flat)
		}
		r.measure(fmt.Sprintf("frequency.%dHz", hz), frequency(t.Times, q, flat/2))
		f := queueFigure("figure-3.3"+string(rune('a'+i)), fmt.Sprintf("Step input at %d Hz", hz))
		f.Line("simulation", t.Times, q)
		r.draw(f)
	}
}

// edges returns the slopes of the first rise and the first fall of a queue, bytes per ns, and the
// level between them, the median.
func edges(times, q []float64) (rise, fall, flat float64) {
	first, end := 0, 0
	for first < len(q) && q[first] == 0 {
		first++
	}
	for end = first; end < len(q) && q[end] > 0; end++ {
	}
	top := percentile(q[first:end], 50)
	up, down := first, end
	for up < end && q[up] < top {
		up++
	}
	for down > up && q[down-1] < top {
		down--
	}
	return slope(times[first:up+1], q[first:up+1]), slope(times[down:end], q[down:end]), top
}

// frequency is how often a queue rises to a level, Hz; 0 if it does not do so twice.
func frequency(times, q []float64, level float64) float64 {
	var rises []float64
	for i := 1; i < len(q); i++ {
		if q[i-1] < level && q[i] >= level {
			rises = append(rises, times[i])
		}
	}
	if len(rises) < 2 {
		return 0
	}
	return float64(len(rises)-1) * 1e9 / (rises[len(rises)-1] - rises[0])
}

func windowCases(bool) []Case {
	c := func(name, on string) Case {
		return Case{
			Name: name, Set: bare("1us", "host.window", on, "stop", "1ms"), Flows: together(1e6),
			Every: core.Microsecond, Queues: dumbbellQueue(),
		}
	}
	return []Case{c("window", "on"), c("no-window", "off")}
}

func window(r *Result) {
	bound, free := r.track("window"), r.track("no-window")
	r.measure("bound", most(bound.Queue[0]))
	r.measure("slope", slope(free.Times, free.Queue[0])/gbit)
	f := queueFigure("figure-3.4", "Queue with and without a window")
	f.Line("with a window", bound.Times, bound.Queue[0])
	f.Line("without", free.Times, free.Queue[0])
	r.draw(f)
}

func delayCases(bool) []Case {
	return []Case{{
		Name: "delay", Set: bare("1ms", "stop", "10ms"), Flows: together(2e6),
		Every: 10 * core.Microsecond, Queues: dumbbellQueue(), Follow: everyFlow,
	}}
}

// delay uses the time of the first acknowledgement as that of the first telemetry.
func delay(r *Result) {
	t := r.track("delay")
	q := t.Queue[0]
	r.measure("input", firstAbove(t.Times, q, 0)/1e6)
	r.measure("feedback", firstAbove(t.Times, t.Acked[0], 0)/1e6)
	from := 0
	for from < len(q) && q[from] == 0 {
		from++
	}
	r.measure("slope", slope(t.Times[from:], q[from:])/gbit)
	var model, known, worst []float64
	shift := func(at, by float64) float64 { return max(0, 3*gbit*(at-by)) }
	for i, at := range t.Times {
		model, known = append(model, shift(at, 0)), append(known, shift(at, 6e6))
		worst = append(worst, math.Abs(q[i]-shift(at, 1e6)))
	}
	r.also("model", "largest distance of the simulation from eq. 3.5 with its delay", "B", most(worst))
	f := queueFigure("figure-3.5", "Queue with links of 1 ms")
	f.Line("model without delay", t.Times, model)
	f.Line("simulation", t.Times, q)
	f.Line("model, as the sender hears", t.Times, known)
	r.draw(f)
}

// firstAbove returns the first x whose y exceeds a bound; infinite if none does.
func firstAbove(x, y []float64, bound float64) float64 {
	for i := range x {
		if y[i] > bound {
			return x[i]
		}
	}
	return math.Inf(1)
}

// weights are the ratios wq:wr of section 5.2.1.
func weights() []string { return []string{"1:1", "1:10", "1:100", "10:1", "1:1000"} }

// thesisMPCC is MPCC whose control step contains the queueing delay: its D is the RTT of eq. 2.2 (appendix A.2).
func thesisMPCC() []string { return []string{"cc", "mpcc", "cc.params.dt_uses_queue", "true"} }

// controlled is a case of the dumbbell under MPCC.
func controlled(name, horizon, ratio string) Case {
	wq, wr, _ := strings.Cut(ratio, ":")
	return Case{
		Name: name, Flows: together(1e6), Every: 100 * core.Nanosecond, Queues: dumbbellQueue(), Follow: everyFlow,
		Set: dumbbellOf("1us", with(thesisMPCC(), "cc.params.wq", wq, "cc.params.wr", wr, "cc.params.horizon", horizon, "stop", "2ms")...),
	}
}

// verificationCases end after the first period in which the paper samples throughput, except for the one in figure
// 5.2b, which goes on for as long as all four flows last.
func verificationCases(bool) (cases []Case) {
	for _, w := range weights() {
		cases = append(cases, controlled("weights-"+strings.ReplaceAll(w, ":", "-"), "5", w))
	}
	long := controlled("throughput", "5", "1:10")
	long.Every, long.Set = throughputPeriod, with(long.Set, "stop", "34ms")
	return append(cases, long)
}

const throughputPeriod = 2 * core.Millisecond

// normalizedThroughput draws the share of a line of 1 Gb/s that every flow's packets, of the given size, take in each
// of the paper's sampling periods.
func normalizedThroughput(id, title string, t *track, packet float64) figure.Figure {
	f := figure.Figure{
		ID: id, Kind: figure.Lines, Title: title, Marks: true,
		X: figure.Axis{Label: "Time", Unit: figure.Time},
		Y: figure.Axis{Label: "Throughput over the line rate", Unit: figure.Ratio, From: figure.At(0)},
	}
	for k := range t.Flows {
		x, y := t.flowRates(k, int(throughputPeriod/t.Case.Every))
		for i := range y {
			y[i] *= packet / 1000 / 1e9
		}
		f.Line(fmt.Sprintf("flow %d", k+1), x, y)
	}
	return f
}

// verification measures the throughput as the share of the line that a flow's packets take in the
// first sampling period, the mean of the four.
func verification(r *Result) {
	f := queueFigure("figure-5.2a", "Queue under MPCC")
	drains, rest, fair := make(map[string]float64), 0.0, 1.0
	for _, w := range weights() {
		t := r.track("weights-" + strings.ReplaceAll(w, ":", "-"))
		drains[w] = t.drained(t.Queue[0])
		rest = max(rest, t.afterDrained(t.Queue[0]))
		r.measure("drain."+w, drains[w])
		f.Line(w, t.Times[:min(len(t.Times), 3000)], t.Queue[0][:min(len(t.Times), 3000)])
		var moved []float64
		for _, acked := range t.Acked {
			moved = append(moved, acked[len(acked)-1])
		}
		fair = min(fair, jain(moved))
		r.measure("throughput."+w, mean(moved)*1080/1000/(throughputPeriod.Nanos()*gbit))
	}
	r.measure("drain.ratio", drains["1:100"]/drains["1:1"])
	r.measure("rest", rest)
	r.measure("fair", fair)
	r.draw(f)
	r.draw(normalizedThroughput("figure-5.2b", "Throughput under MPCC", r.track("throughput"), 1080))
}
