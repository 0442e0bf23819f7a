package reproduce

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
)

// qcn lists the experiments of Shu et al., "Analysing and improving convergence of quantized
// congestion notification in Data Center Ethernet", Computer Networks, 2017. Its public part ends
// in section 2.2 and has no figures; QCN-T is a reconstruction, see package qcn.
func qcn() []Experiment {
	const paper = "Shu et al., Computer Networks 2017, "
	return []Experiment{
		{"qcn-stages", "the three stages of QCN's way to fairness, and a model of the third", paper + "section 1", "10 s", "1 s", stageCases, stages},
		{"qcn-convergence", "time to fairness by senders, step, byte counter, delay, capacity; QCN against QCN-T (reconstruction), AF-QCN, FQCN, adaptive byte counter", paper + "abstract, section 1", "1 min", "1 s", fairTimeCases, fairTime},
		{"qcn-stability", "deviation of the queue by senders and by delay, QCN against QCN-T (reconstruction)", paper + "section 1", "1 min", "1 s", stabilityCases, stability},
	}
}

// joining is the time at which the first sender of a QCN experiment joins the others.
const joining = core.Time(500 * core.Millisecond)

// helpers hold the link until then, so that shares are unequal at first.
const helpers = 8

// qcnCase has the given number of senders at a switch, whose target rate every feedback moves (section 2.2, equation 2).
// All but the first begin beside helpers, which send what the link carries until the joining; then the first joins, at the
// line rate, senders that have a ninth of it or less.
func qcnCase(name string, senders int, rate, delay string, stop core.Duration, params ...string) Case {
	hosts := senders + helpers + 1
	c := Case{
		Name: name, Every: core.Millisecond, Queues: starQueue(hosts), Follow: "sender",
		Set: with([]string{
			"topology", fmt.Sprintf("star:n=%d,rate=%s,delay=%s", hosts, rate, delay), "workload", "none",
			"cc", "qcn", "cc.params.target", "always", "ecn", "off", "stop", stop.String(),
		}, params...),
	}
	line, err := core.ParseRate(rate)
	if err != nil {
		panic(err)
	}
	carried := float64(line) / 8 * core.Duration(joining).Seconds() * 1000 / 1062
	for i := range helpers {
		c.Flows = append(c.Flows, flow(senders+i, hosts-1, core.Bytes(carried)/core.Bytes(helpers+senders-1), 0, "helper"))
	}
	for src := 1; src < senders; src++ {
		c.Flows = append(c.Flows, flow(src, hosts-1, endless, 0, "sender"))
	}
	c.Flows = append(c.Flows, flow(0, hosts-1, endless, joining, "sender"))
	return c
}

// qcnStop is the end of a run.
func qcnStop(quick bool, full core.Duration) core.Duration {
	if quick {
		return core.Duration(joining) + 200*core.Millisecond
	}
	return full
}

// timeToFairness is the time from the joining to the first of ten windows in a row that are fair, ns;
// infinite if there are none.
func timeToFairness(t *track) float64 {
	times, fair := fairnessOf(t)
	return lasts(times, fair, fairEnough, lasting) - core.Duration(joining).Nanos()
}

// fairnessOf is the fairness over windows that begin with the joining.
func fairnessOf(t *track) (times, fair []float64) {
	var x []float64
	rates := make([][]float64, len(t.Flows))
	for k := range t.Flows {
		x, rates[k] = t.flowRates(k, 1)
	}
	times, fair = fairnessOver(x, rates, fairWindow)
	for len(times) > 0 && times[0] <= core.Duration(joining).Nanos() {
		times, fair = times[1:], fair[1:]
	}
	return times, fair
}

func rateFigure(id, title string, t *track) figure.Figure {
	f := figure.Figure{
		ID: id, Kind: figure.Lines, Title: title,
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Rate", Unit: figure.Rate, From: figure.At(0)},
	}
	for k := range min(len(t.Flows), figure.MaxNames) {
		x, y := t.flowRates(k, 10)
		f.Line(fmt.Sprintf("sender %d", k+1), x, y)
	}
	return thin(f)
}

func stageSeeds() []int { return []int{1, 2, 3, 4, 5} }

// judgedByMedian are the cases whose ratios are published. Their times to fairness and deviations scatter.
func judgedByMedian() []string {
	names := []string{"variant-0-2", "variant-1-2", "step-2.5Mbps", "step-5Mbps", "delay-0-10us", "delay-1-10us"}
	for _, d := range marginDelays()[4:] {
		names = append(names, "delay-0-"+d, "delay-1-"+d)
	}
	return names
}

// byMedian returns a case for each of its seeds: five where a claim refers to it.
func byMedian(c Case, quick bool) []Case {
	if quick || !slices.Contains(judgedByMedian(), c.Name) {
		return seeded(c, 1)
	}
	return seeded(c, 5)
}

// medianOf is the median of a case's value over its seeds.
func medianOf(r *Result, name string, of func(t *track) float64) float64 {
	var values []float64
	for _, t := range r.seeded(name) {
		values = append(values, of(t))
	}
	return percentile(values, 50)
}

func stageCases(quick bool) (cases []Case) {
	for _, seed := range stageSeeds() {
		cases = append(cases, qcnCase(fmt.Sprintf("seed-%d", seed), 2, "1Gbps", "1us", qcnStop(quick, 20*core.Second), "seed", fmt.Sprint(seed)))
	}
	return cases
}

// stages measures the three stages. The first ends when the queue built by the joining has drained
// to the set point, the second when the senders fill the link again, the third with fairness.
func stages(r *Result) {
	var first, second, third, end []float64
	var runs []*track
	for _, seed := range stageSeeds() {
		t := r.track(fmt.Sprintf("seed-%d", seed))
		runs = append(runs, t)
		a, b := fallAndReturn(t)
		fair := timeToFairness(t)
		first, second, third = append(first, a), append(second, b-a), append(third, fair-b)
		_, j := fairnessOf(t)
		end = append(end, mean(j[len(j)/2:]))
		if seed == 1 {
			r.draw(rateFigure("rates", "Rates of two senders under QCN", t))
			r.draw(modelFigure(t, b))
		}
	}
	modelled := thirdByModel(runs, usualStep)
	r.also("first", "first stage", "ms", mean(first)/1e6)
	r.also("second", "second stage", "ms", mean(second)/1e6)
	r.also("third-time", "third stage", "ms", mean(third)/1e6)
	r.also("model-time", "third stage by the numerical model", "ms", modelled/1e6)
	r.measure("fair", mean(end))
	r.measure("third", mean(third)/(mean(first)+mean(second)+mean(third)))
	r.measure("model", modelled/mean(third))
}

// modelFigure draws the fairness of the third stage, which begins the given time after the joining, ns, beside that of
// ten runs of the model from the same rates.
func modelFigure(t *track, begin float64) figure.Figure {
	f := figure.Figure{
		ID: "third-stage", Kind: figure.Lines, Title: "Third stage: simulation and model",
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Fairness (Jain)", Unit: figure.Ratio, To: figure.At(1)},
	}
	times, fair := fairnessOf(t)
	var x, y []float64
	for i := range times {
		if at := times[i] - core.Duration(joining).Nanos() - begin; at > 0 && len(x) < 300 {
			x, y = append(x, at), append(y, fair[i])
		}
	}
	f.Line("simulation", x, y)
	if math.IsInf(begin, 0) {
		return f
	}
	model := make([]float64, len(x))
	const draws = 10
	for draw := range uint64(draws) {
		m := newQCNModel(draw, usualStep, startOfThird(t))
		for i := range model {
			model[i] += m.window() / draws
		}
	}
	f.Line("model, mean of 10", x, model)
	return f
}

// thirdByModel is the duration of the third stage in the numerical model, ns: the mean of ten draws from the rates at
// its beginning in every run; infinite if it has not begun in one.
func thirdByModel(runs []*track, ai float64) float64 {
	var times []float64
	for _, t := range runs {
		if _, begin := fallAndReturn(t); math.IsInf(begin, 0) {
			return begin
		}
		start := startOfThird(t)
		for draw := range uint64(10) {
			times = append(times, newQCNModel(draw, ai, start).run())
		}
	}
	return mean(times)
}

// setPoint of the standard, bytes.
const setPoint = 26e3

// fallAndReturn returns the times after the joining at which the queue has fallen from its peak to
// the set point, and at which it has reached it again, ns.
func fallAndReturn(t *track) (fall, again float64) {
	joined := core.Duration(joining).Nanos()
	peak, top := 0, 0.0
	for i, q := range t.Queue[0] {
		if t.Times[i] >= joined && q > top && t.Times[i] < joined+100e6 {
			peak, top = i, q
		}
	}
	i := peak
	for ; i < len(t.Times) && t.Queue[0][i] > setPoint; i++ {
	}
	k := i
	for ; k < len(t.Times) && t.Queue[0][k] < setPoint; k++ {
	}
	if i == len(t.Times) || k == len(t.Times) {
		return math.Inf(1), math.Inf(1)
	}
	return t.Times[i] - joined, t.Times[k] - joined
}

// startOfThird returns the rates with which the third stage begins, bit/s.
func startOfThird(t *track) []float64 {
	_, at := fallAndReturn(t)
	var rates []float64
	for k := range t.Flows {
		part := t.between(t.Acked[k], core.Duration(joining).Nanos()+at, core.Duration(joining).Nanos()+at+20e6)
		rates = append(rates, (part[len(part)-1]-part[0])*8/20e-3)
	}
	return rates
}

// qcnVariants are the kinds of QCN.
func qcnVariants() []variant {
	return []variant{
		{"QCN", nil},
		{"QCN-T, reconstruction", []string{"cc.params.rp", "timer"}},
		{"AF-QCN", []string{"cc.params.cp", "af"}},
		{"FQCN", []string{"cc.params.cp", "fqcn"}},
		{"adaptive byte counter", []string{"cc.params.rp", "adaptive"}},
	}
}

// qcnSweep is a sweep of the convergence experiment.
type qcnSweep struct {
	axis   string
	values []string
	make   func(value, name string, stop core.Duration) Case
}

func qcnSweeps() []qcnSweep {
	param := func(key string) func(value, name string, stop core.Duration) Case {
		return func(value, name string, stop core.Duration) Case {
			return qcnCase(name, 2, "1Gbps", "1us", stop, key, value)
		}
	}
	return []qcnSweep{
		{"step", []string{"2.5Mbps", "5Mbps", "10Mbps"}, param("cc.params.ai")},
		{"byte-counter", []string{"75KB", "150KB", "300KB"}, param("cc.params.byte_reset")},
		{"delay", []string{"1us", "50us", "200us"}, func(value, name string, stop core.Duration) Case {
			return qcnCase(name, 2, "1Gbps", value, stop)
		}},
		{"capacity", []string{"1Gbps", "2Gbps", "4Gbps"}, func(value, name string, stop core.Duration) Case {
			return qcnCase(name, 2, value, "1us", stop, "cc.params.preset", "mib")
		}},
	}
}

func senderNumbers() []int { return []int{2, 4, 8} }

func fairTimeCases(quick bool) (cases []Case) {
	stop := qcnStop(quick, 20*core.Second)
	for i, v := range qcnVariants() {
		for _, n := range senderNumbers() {
			cases = append(cases, byMedian(qcnCase(fmt.Sprintf("variant-%d-%d", i, n), n, "1Gbps", "1us", stop, v.set...), quick)...)
		}
	}
	for _, s := range qcnSweeps() {
		for _, value := range s.values {
			cases = append(cases, byMedian(s.make(value, s.axis+"-"+value, stop), quick)...)
		}
	}
	return cases
}

func fairTime(r *Result) {
	f := figure.Figure{
		ID: "senders", Kind: figure.Lines, Title: "Time to fairness", Marks: true,
		X: figure.Axis{Label: "Senders", Unit: figure.Count}, Y: figure.Axis{Label: "Time to fairness", Unit: figure.Time, From: figure.At(0)},
	}
	at := make(map[string]float64)
	for i, v := range qcnVariants() {
		var x, y []float64
		for _, n := range senderNumbers() {
			ns := medianOf(r, fmt.Sprintf("variant-%d-%d", i, n), timeToFairness)
			r.also(fmt.Sprintf("variant-%d-%d", i, n), fmt.Sprintf("%s, %d senders", v.name, n), "ms", ns/1e6)
			at[fmt.Sprintf("%d-%d", i, n)] = ns
			if !math.IsInf(ns, 0) {
				x, y = append(x, float64(n)), append(y, ns)
			}
		}
		f.Line(v.name, x, y)
	}
	r.draw(f)
	steps := make(map[string]float64)
	for _, s := range qcnSweeps() {
		for _, value := range s.values {
			ns := medianOf(r, s.axis+"-"+value, timeToFairness)
			steps[value] = ns
			r.also(s.axis+"-"+value, "QCN, 2 senders, "+s.axis+" "+value, "ms", ns/1e6)
		}
	}
	r.measure("qcnt", at["0-2"]/at["1-2"])
	// The paper's statement on the step is the result of its model of the third stage (abstract, section 1).
	usual := r.seeded("step-5Mbps")
	r.measure("step", thirdByModel(usual, usualStep/2)/thirdByModel(usual, usualStep))
	r.also("step-simulated", "the same in the simulation, all stages", "times", steps["2.5Mbps"]/steps["5Mbps"])
}
