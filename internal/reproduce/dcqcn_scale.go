package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

// converged is the paper's bound (section 6.3): a buffer that stays above 200 KB has failed to
// converge.
const converged = 200e3

// failureFlows are numbers of flows between which the paper's of section 3.2 lie. The list is ours.
func failureFlows() []int { return []int{20, 40, 80, 160, 320} }

// zhuDCQCN is DCQCN with the parameters of the ConnectX-4 in the simulator of its first author, which section 3.2 uses:
// alpha is updated before the decrease that uses it, and hyper increase begins when both counters reach 5.
func zhuDCQCN() []string {
	return []string{"cc", "dcqcn-paper", "cc.params.preset", "connectx4", "cc.params.alpha_first", "true", "cc.params.stage_ge", "true"}
}

// convergenceCases are section 3.2.
func convergenceCases(quick bool) (cases []Case) {
	stop := "500ms"
	if quick {
		stop = "10ms"
	}
	for _, rate := range []string{"10G", "40G"} {
		for _, n := range failureFlows() {
			cases = append(cases, Case{
				Name: fmt.Sprintf("%s-%d", rate, n), Every: 20 * core.Microsecond, Queues: starQueue(9), Flows: fanIn(n, 0),
				Set: starOf(9, rate+"bps", with(zhuDCQCN(), "stop", stop)...),
			})
		}
	}
	return cases
}

func convergence(r *Result) {
	for i, rate := range []string{"10G", "40G"} {
		f := queueFigure(fmt.Sprintf("figure-%d", 2+i), "DCQCN at "+rate+"b/s")
		fails := math.Inf(1)
		for _, n := range failureFlows() {
			t := r.track(fmt.Sprintf("%s-%d", rate, n))
			level := percentile(late(t), 50)
			r.also(fmt.Sprintf("queue.%s.%d", rate, n), fmt.Sprintf("%d flows at %sb/s, median queue of the last half", n, rate), "B", level)
			if level > converged {
				fails = min(fails, float64(n))
			}
			f.Line(fmt.Sprintf("%d flows", n), t.Times, t.Queue[0])
		}
		r.measure("fails."+rate, fails)
		r.draw(thin(f))
	}
}

// scaleVariant is one of tables 2 and 3.
type scaleVariant struct {
	name   string
	params func(flows int) []string
}

func scaleVariants() []scaleVariant {
	return []scaleVariant{
		{"dcqcn", func(int) []string { return nil }},
		{"adjusted", adjusted},
	}
}

// adjusted are the three changes of section 6.3. The NIC's interface takes whole numbers of Mb/s,
// at least 1.
func adjusted(flows int) []string {
	return []string{
		"cc.params.cnp_interval", "40us",
		"cc.params.rate_timer", strconv.Itoa(int(math.Round(3.1*float64(flows)))) + "us",
		"cc.params.ai", strconv.Itoa(int(max(1, math.Round(256/float64(flows))))) + "Mbps",
	}
}

// scaleTimes are the times of a run: the period in which its flows start, the beginning of the later part, the time
// between readings of the buffer in it, and the periods of probes and of samples.
type scaleTimes struct {
	starts                 core.Duration
	late                   core.Time
	reading, probe, sample core.Duration
}

// readings is how often the buffer was read (section 6.3).
const readings = 7

// end is the end of a run.
func (s scaleTimes) end() core.Time { return s.late.Add(readings * s.reading) }

// scaleTimesOf has flows that start within a second (section 3.1) and readings from 10 s on, 10 s apart, as in the
// paper.
func scaleTimesOf(quick bool) scaleTimes {
	if quick {
		return scaleTimes{2 * core.Millisecond, core.Time(20 * core.Millisecond), 2 * core.Millisecond, core.Millisecond, 100 * core.Microsecond}
	}
	return scaleTimes{core.Second, core.Time(10 * core.Second), 10 * core.Second, 50 * core.Millisecond, core.Millisecond}
}

func scaleFlows() []int { return []int{80, 160, 240, 320, 400, 480, 560, 640, 720} }

// probes are messages of 2 B, the default of ib_send_lat, which every sending host of fanIn sends periodically.
func probes(from, to core.Time, every core.Duration) (list []traces.Flow) {
	for at := from; at < to; at = at.Add(every) {
		for src := range 8 {
			list = append(list, flow(src, 8, 2, at, "probe"))
		}
	}
	return list
}

// scaleCases are tables 2 and 3. Probes are sent in the later part.
func scaleCases(quick bool) (cases []Case) {
	times := scaleTimesOf(quick)
	for _, v := range scaleVariants() {
		for _, n := range scaleFlows() {
			flows := append(fanIn(n, times.starts), probes(times.late, times.end(), times.probe)...)
			set := sn2700(9, "stop", core.Duration(times.end()).String())
			cases = append(cases, Case{
				Name: fmt.Sprintf("%s-%d", v.name, n), Set: with(set, v.params(n)...), Flows: flows,
				Every: times.sample, Queues: starQueue(9),
			})
		}
	}
	return cases
}

func scale(r *Result) {
	times := scaleTimesOf(r.Quick)
	from := core.Duration(times.late).Nanos()
	axis := figure.Axis{Label: "Flows", Unit: figure.Count}
	buffers := figure.Figure{ID: "figure-11", Kind: figure.Lines, Title: "Most buffer in the later part", Marks: true,
		X: axis, Y: figure.Axis{Label: "Buffer", Unit: figure.Bytes, From: figure.At(0)}}
	latencies := figure.Figure{ID: "figure-12", Kind: figure.Lines, Title: "Latency", Marks: true,
		X: axis, Y: figure.Axis{Label: "Latency", Unit: figure.Time, Scale: figure.Log}}
	for _, v := range scaleVariants() {
		var x, buffer, latency, publishedBuffer, publishedLatency []float64
		for _, n := range scaleFlows() {
			t := r.track(fmt.Sprintf("%s-%d", v.name, n))
			x = append(x, float64(n))
			buffer, latency = append(buffer, most(times.read(t))), append(latency, probeLatency(t))
			measure := func(what string, value float64) (published float64) {
				name := fmt.Sprintf("%s.%s.%d", v.name, what, n)
				r.measure(name, value/1e3)
				return r.published(name) * 1e3
			}
			measure("start", most(t.between(t.Queue[0], 0, from/2)))
			publishedBuffer = append(publishedBuffer, measure("buffer", buffer[len(buffer)-1]))
			publishedLatency = append(publishedLatency, measure("latency", latency[len(latency)-1]))
			also := func(name, what string, value float64) {
				r.also(fmt.Sprintf("%s.%s.%d", v.name, name, n), fmt.Sprintf("%s, %d flows, %s", v.name, n, what), "KB", value/1e3)
			}
			later := t.between(t.Queue[0], from, math.Inf(1))
			also("mean", "mean buffer of the later part", mean(later))
			also("most", "most buffer at any time of it", most(later))
			if v.name == "dcqcn" {
				r.section31(t, n, core.Duration(times.starts).Nanos())
			}
		}
		buffers.LineOf(v.name, "simulation", x, buffer)
		buffers.LineOf(v.name, "published", x, publishedBuffer)
		latencies.LineOf(v.name, "simulation", x, latency)
		latencies.LineOf(v.name, "published", x, publishedLatency)
	}
	r.draw(buffers)
	r.draw(latencies)
}

// section31 measures what section 3.1 says of DCQCN: under 400 flows the queue goes down, over 400 it stays high. The
// flows start until the given time, ns.
func (r *Result) section31(t *track, flows int, started float64) {
	down := firstBelow(t.Times, t.Queue[0], started, converged) / 1e9
	r.also(fmt.Sprintf("dcqcn.down.%d", flows), fmt.Sprintf("dcqcn, %d flows, first time below 200 KB once all have started", flows), "s", down)
	least := slices.Min(t.between(t.Queue[0], started, math.Inf(1))) / 1e3
	settles := settled(t.Times, t.Queue[0], converged) / 1e9
	if flows < 400 {
		r.measure(fmt.Sprintf("dcqcn.settled.%d", flows), settles)
	} else {
		r.also(fmt.Sprintf("dcqcn.settled.%d", flows), fmt.Sprintf("dcqcn, %d flows, time from which on the buffer is below 200 KB", flows), "s", settles)
	}
	if flows > 400 {
		r.measure(fmt.Sprintf("dcqcn.least.%d", flows), least)
	} else {
		r.also(fmt.Sprintf("dcqcn.least.%d", flows), fmt.Sprintf("dcqcn, %d flows, least buffer once all have started", flows), "KB", least)
	}
}

// settled is the first x from which on y is below a bound; infinite if its last value is not.
func settled(x, y []float64, bound float64) float64 {
	first := math.Inf(1)
	for i := len(y) - 1; i >= 0 && y[i] < bound; i-- {
		first = x[i]
	}
	return first
}

// firstBelow is the first x, no less than the given one, at which y is below a bound; infinite if there is none.
func firstBelow(x, y []float64, from, bound float64) float64 {
	for i := range y {
		if x[i] >= from && y[i] < bound {
			return x[i]
		}
	}
	return math.Inf(1)
}

// read returns the buffer at the times of its readings.
func (s scaleTimes) read(t *track) (values []float64) {
	for k := range readings {
		at := core.Duration(s.late.Add(core.Duration(k) * s.reading)).Nanos()
		values = append(values, t.between(t.Queue[0], at, math.Inf(1))[0])
	}
	return values
}

// probeLatency is ib_send_lat's result, ns: half of the mean time from the sending of a message to its acknowledgement,
// for a host that sends the next one when the last has been acknowledged. It sends more messages the shorter they take,
// so this is the harmonic mean of those sent at regular times. It is averaged over the hosts, as in the tables.
func probeLatency(t *track) float64 {
	var speeds, counts [8]float64
	for i := range t.Ended {
		if r := &t.Ended[i]; r.Flow.Tag == "probe" && r.Finished {
			speeds[r.Flow.Src] += 1 / r.FCT.Nanos()
			counts[r.Flow.Src]++
		}
	}
	var hosts []float64
	for i := range speeds {
		if counts[i] > 0 {
			hosts = append(hosts, counts[i]/speeds[i]/2)
		}
	}
	return mean(hosts)
}

func plusFlows() []int { return []int{800, 1200, 1600, 2000} }

// plusTimes are the times of a run of section 6.4: its end, the period in which its flows start, and the period of
// probes.
type plusTimes struct {
	end         core.Time
	over, probe core.Duration
}

func plusTimesOf(quick bool) plusTimes {
	if quick {
		return plusTimes{core.Time(20 * core.Millisecond), 5 * core.Millisecond, core.Millisecond}
	}
	return plusTimes{core.Time(500 * core.Millisecond), 100 * core.Millisecond, core.Millisecond}
}

// manyFlows is the incast of over 400:1 for which latencies are compared.
const manyFlows = 480

// plusCases are section 6.4: all flows start within 0.1 s. DCQCN, for comparison, is that of the
// convergence experiment, and at 10 Gb/s also with fewer flows, for the capacity. The cases with
// 480 flows have probes in their last half.
func plusCases(quick bool) (cases []Case) {
	times := plusTimesOf(quick)
	add := func(scheme, rate string, n int, cc ...string) {
		flows := fanIn(n, times.over)
		if n == manyFlows {
			flows = append(flows, probes(times.end/2, times.end, times.probe)...)
		}
		set := starOf(9, rate+"bps", cc...)
		cases = append(cases, Case{
			Name: plusName(scheme, rate, n), Flows: flows,
			Set:   with(set, "cc.params.min_rate", "1Mbps", "stop", core.Duration(times.end).String()),
			Every: 50 * core.Microsecond, Queues: starQueue(9),
		})
	}
	for _, rate := range []string{"10G", "40G"} {
		for _, n := range plusFlows() {
			add("dcqcn-plus", rate, n, "cc", "dcqcn-plus")
		}
		add("dcqcn-paper", rate, 800, zhuDCQCN()...)
	}
	for _, n := range append(failureFlows(), manyFlows) {
		add("dcqcn-paper", "10G", n, zhuDCQCN()...)
	}
	add("dcqcn-plus", "10G", manyFlows, "cc", "dcqcn-plus")
	return cases
}

func plusName(scheme, rate string, flows int) string {
	return fmt.Sprintf("%s-%s-%d", scheme, rate, flows)
}

func plus(r *Result) {
	for i, rate := range []string{"10G", "40G"} {
		r.plusFigures(rate, 13+2*i)
		queue := func(scheme string) float64 { return mean(late(r.track(plusName(scheme, rate, 800)))) }
		r.measure("queue."+rate, queue("dcqcn-paper")/queue("dcqcn-plus"))
	}
	latency := func(scheme string) float64 {
		ns := probeLatency(r.track(plusName(scheme, "10G", manyFlows)))
		r.also("latency."+scheme, fmt.Sprintf("%s, %d flows at 10Gb/s, latency", scheme, manyFlows), "us", ns/1e3)
		return ns
	}
	r.measure("latency", latency("dcqcn-paper")/latency("dcqcn-plus"))
	largest := func(scheme string, flows ...int) (n float64) {
		for _, k := range flows {
			if percentile(late(r.track(plusName(scheme, "10G", k))), 50) <= converged {
				n = float64(k)
			}
		}
		return n
	}
	r.measure("capacity", largest("dcqcn-plus", append([]int{manyFlows}, plusFlows()...)...)/largest("dcqcn-paper", append(failureFlows(), manyFlows, 800)...))
}

// plusFigures draws queue and throughput of DCQCN+, beginning with the figure of the given number, and counts how often
// it converges.
func (r *Result) plusFigures(rate string, number int) {
	queue := queueFigure(fmt.Sprintf("figure-%d", number), "DCQCN+ at "+rate+"b/s")
	through := figure.Figure{ID: fmt.Sprintf("figure-%d", number+1), Kind: figure.Lines, Title: "DCQCN+ at " + rate + "b/s",
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Throughput", Unit: figure.Rate, From: figure.At(0)}}
	good := 0
	for _, n := range plusFlows() {
		t := r.track(plusName("dcqcn-plus", rate, n))
		if percentile(late(t), 50) <= converged {
			good++
		}
		queue.Line(fmt.Sprintf("%d flows", n), t.Times, t.Queue[0])
		x, y := t.sentRates(100)
		through.Line(fmt.Sprintf("%d flows", n), x, y)
		r.also(fmt.Sprintf("queue.%s.%d", rate, n), fmt.Sprintf("DCQCN+, %d flows at %sb/s, mean queue of the last half", n, rate), "B", mean(late(t)))
		r.also(fmt.Sprintf("use.%s.%d", rate, n), fmt.Sprintf("DCQCN+, %d flows at %sb/s, throughput of the last half", n, rate), "Gb/s", mean(lastHalf(y))/1e9)
	}
	r.measure("converged."+rate, float64(good))
	r.draw(thin(queue))
	r.draw(through)
}
