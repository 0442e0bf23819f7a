package reproduce

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
)

// converged is the paper's bound (section 6.3): a buffer that stays above 200 KB has failed to
// converge.
const converged = 200e3

func failureFlows() []int { return []int{20, 40, 80, 160, 320} }

// convergenceCases are section 3.2: DCQCN as published with the parameters of the ConnectX-4.
func convergenceCases(quick bool) (cases []Case) {
	stop := "500ms"
	if quick {
		stop = "10ms"
	}
	for _, rate := range []string{"10G", "40G"} {
		for _, n := range failureFlows() {
			cases = append(cases, Case{
				Name: fmt.Sprintf("%s-%d", rate, n), Every: 20 * core.Microsecond, Queues: starQueue(9), Flows: fanIn(n, 0),
				Set: starOf(9, rate+"bps", "cc", "dcqcn-paper", "cc.params.preset", "connectx4", "stop", stop),
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
			t := r.Track(fmt.Sprintf("%s-%d", rate, n))
			level := percentile(late(t), 50)
			r.Also(fmt.Sprintf("queue.%s.%d", rate, n), fmt.Sprintf("%d flows at %sb/s, median queue of the last half", n, rate), "B", level)
			if level > converged {
				fails = min(fails, float64(n))
			}
			f.Line(fmt.Sprintf("%d flows", n), t.Times, t.Queue[0])
		}
		r.Measure("fails."+rate, fails)
		r.Draw(thin(f))
	}
}

// late is the queue in the last half of a run.
func late(t *Track) []float64 { return lastHalf(t.Queue[0]) }

// thin keeps some thousand points of every curve, the largest of each stretch.
func thin(f figure.Figure) figure.Figure {
	const points = 1000
	for i := range f.Series {
		s := &f.Series[i]
		step := (len(s.X) + points - 1) / points
		if step < 2 {
			continue
		}
		kept := figure.Series{Name: s.Name, Variant: s.Variant}
		for k := 0; k < len(s.X); k += step {
			end := min(len(s.X), k+step)
			kept.X = append(kept.X, s.X[k])
			kept.Y = append(kept.Y, slices.MaxFunc(s.Y[k:end], cmp.Compare[figure.Num]))
		}
		*s = kept
	}
	return f
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

// adjusted are the three changes of section 6.3. The interface of the NIC takes whole numbers of
// Mb/s, of which 1 is the least.
func adjusted(flows int) []string {
	return []string{
		"cc.params.decrease_timer", "40us",
		"cc.params.increase_timer", strconv.Itoa(int(math.Round(3.1*float64(flows)))) + "us",
		"cc.params.ai", strconv.Itoa(int(max(1, math.Round(256/float64(flows))))) + "Mbps",
	}
}

// scaleTimes are those of a run: over how long its flows start, where the later part begins, the time
// between readings of the buffer in it, and the period of probes.
type scaleTimes struct {
	starts         core.Duration
	late           core.Time
	reading, probe core.Duration
}

// readings is how often the buffer was read (section 6.3).
const readings = 7

// end is that of a run.
func (s scaleTimes) end() core.Time { return s.late.Add(readings * s.reading) }

// scaleTimesOf has flows that start within a second (section 3.1) and readings from 10 s on, as the
// paper, but 400 ms and not 10 s apart.
func scaleTimesOf(quick bool) scaleTimes {
	if quick {
		return scaleTimes{2 * core.Millisecond, core.Time(20 * core.Millisecond), 2 * core.Millisecond, core.Millisecond}
	}
	return scaleTimes{core.Second, core.Time(10 * core.Second), 400 * core.Millisecond, 10 * core.Millisecond}
}

func scaleFlows() []int { return []int{80, 160, 240, 320, 400, 480, 560, 640, 720} }

// scaleCases are tables 2 and 3. In the later part every host sends a message of 2 B now and then, the
// default of ib_send_lat.
func scaleCases(quick bool) (cases []Case) {
	times := scaleTimesOf(quick)
	for _, v := range scaleVariants() {
		for _, n := range scaleFlows() {
			flows := fanIn(n, times.starts)
			for at := times.late; at < times.end(); at = at.Add(times.probe) {
				for src := range 8 {
					flows = append(flows, flow(src, 8, 2, at, "probe"))
				}
			}
			set := sn2700(9, "stop", core.Duration(times.end()).String())
			cases = append(cases, Case{
				Name: fmt.Sprintf("%s-%d", v.name, n), Set: with(set, v.params(n)...), Flows: flows,
				Every: 100 * core.Microsecond, Queues: starQueue(9),
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
		var x, buffer, latency []float64
		for _, n := range scaleFlows() {
			t := r.Track(fmt.Sprintf("%s-%d", v.name, n))
			later := t.Between(t.Queue[0], from, math.Inf(1))
			x = append(x, float64(n))
			buffer = append(buffer, most(times.read(t)))
			latency = append(latency, probeLatency(t))
			measure := func(what string, value float64) { r.Measure(fmt.Sprintf("%s.%s.%d", v.name, what, n), value) }
			measure("start", most(t.Between(t.Queue[0], 0, from/2))/1e3)
			measure("buffer", buffer[len(buffer)-1]/1e3)
			measure("latency", latency[len(latency)-1]/1e3)
			also := func(name, what, unit string, value float64) {
				r.Also(fmt.Sprintf("%s.%s.%d", v.name, name, n), fmt.Sprintf("%s, %d flows, %s", v.name, n, what), unit, value)
			}
			also("mean", "mean buffer of the later part", "KB", mean(later)/1e3)
			also("most", "most buffer at any time of it", "KB", most(later)/1e3)
		}
		buffers.Line(v.name+", simulation", x, buffer)
		latencies.Line(v.name+", simulation", x, latency)
	}
	r.Draw(buffers)
	r.Draw(latencies)
}

// read returns the buffer at the times at which it is read.
func (s scaleTimes) read(t *Track) (values []float64) {
	for k := range readings {
		at := core.Duration(s.late.Add(core.Duration(k) * s.reading)).Nanos()
		values = append(values, t.Between(t.Queue[0], at, math.Inf(1))[0])
	}
	return values
}

// probeLatency is the figure of ib_send_lat, ns: half of the mean time between the sending of a message
// and its acknowledgement, of a host that sends the next one when the last has been acknowledged. Its
// messages are the more, the shorter they take, so that it is the harmonic mean of those that are
// sent at regular times. It is averaged over the hosts, as in the tables.
func probeLatency(t *Track) float64 {
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

// plusCases are section 6.4: all flows start within 0.1 s. DCQCN, for comparison, is that of the
// convergence experiment, and at 10 Gb/s also with fewer flows, for the capacity.
func plusCases(quick bool) (cases []Case) {
	stop, over := "500ms", 100*core.Millisecond
	if quick {
		stop, over = "20ms", 5*core.Millisecond
	}
	add := func(scheme, rate string, flows int, params ...string) {
		set := starOf(9, rate+"bps", with([]string{"cc", scheme}, params...)...)
		cases = append(cases, Case{
			Name: fmt.Sprintf("%s-%s-%d", scheme, rate, flows), Set: with(set, "cc.params.min_rate", "1Mbps", "stop", stop),
			Flows: fanIn(flows, over), Every: 50 * core.Microsecond, Queues: starQueue(9),
		})
	}
	for _, rate := range []string{"10G", "40G"} {
		for _, n := range plusFlows() {
			add("dcqcn-plus", rate, n)
		}
		add("dcqcn-paper", rate, 800, "cc.params.preset", "connectx4")
	}
	for _, n := range append(failureFlows(), 480) {
		add("dcqcn-paper", "10G", n, "cc.params.preset", "connectx4")
	}
	add("dcqcn-plus", "10G", 480)
	return cases
}

func plus(r *Result) {
	level := func(scheme, rate string, flows int) []float64 {
		return late(r.Track(fmt.Sprintf("%s-%s-%d", scheme, rate, flows)))
	}
	for i, rate := range []string{"10G", "40G"} {
		queue := queueFigure(fmt.Sprintf("figure-%d", 13+2*i), "DCQCN+ at "+rate+"b/s")
		through := figure.Figure{ID: fmt.Sprintf("figure-%d", 14+2*i), Kind: figure.Lines, Title: "DCQCN+ at " + rate + "b/s",
			X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Throughput", Unit: figure.Rate, From: figure.At(0)}}
		good := 0
		for _, n := range plusFlows() {
			t := r.Track(fmt.Sprintf("dcqcn-plus-%s-%d", rate, n))
			if percentile(late(t), 50) <= converged {
				good++
			}
			queue.Line(fmt.Sprintf("%d flows", n), t.Times, t.Queue[0])
			x, y := t.SentRate(100)
			through.Line(fmt.Sprintf("%d flows", n), x, y)
			r.Also(fmt.Sprintf("queue.%s.%d", rate, n), fmt.Sprintf("DCQCN+, %d flows at %sb/s, mean queue of the last half", n, rate), "B", mean(late(t)))
			r.Also(fmt.Sprintf("use.%s.%d", rate, n), fmt.Sprintf("DCQCN+, %d flows at %sb/s, throughput of the last half", n, rate), "Gb/s", mean(y[len(y)/2:])/1e9)
		}
		r.Measure("converged."+rate, float64(good))
		r.Measure("queue."+rate, mean(level("dcqcn-paper", rate, 800))/mean(level("dcqcn-plus", rate, 800)))
		r.Draw(thin(queue))
		r.Draw(through)
	}
	// A packet of 1062 B crosses two links of 1 us besides the queue.
	latency := func(scheme string) float64 { return mean(level(scheme, "10G", 480))/1.25 + 2000 + 2*1062/1.25 }
	r.Measure("latency", latency("dcqcn-paper")/latency("dcqcn-plus"))
	largest := func(scheme string, flows []int) (n float64) {
		for _, k := range flows {
			if percentile(level(scheme, "10G", k), 50) <= converged {
				n = float64(k)
			}
		}
		return n
	}
	r.Measure("capacity", largest("dcqcn-plus", slices.Concat([]int{480}, plusFlows()))/largest("dcqcn-paper", slices.Concat(failureFlows(), []int{480, 800})))
}
