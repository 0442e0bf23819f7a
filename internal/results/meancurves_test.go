package results

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

// draw makes the figure of a kind.
func draw(name string, runs ...*Run) figure.Figure {
	kinds := Kinds()
	return kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })].Figure(runs)
}

// seriesOf is a run whose traffic starts at a time, in ns, with one series of a metric.
func seriesOf(start float64, metric string, of subject, points ...seriesPoint) *Run {
	r := &Run{Name: "x", ports: leafSpine(), series: make(map[string][]track)}
	r.Summary.Traffic.FromNs = start
	if points != nil {
		r.series[metric] = []track{{of, points}}
	}
	return r
}

// withSeeds joins runs by hand.
func withSeeds(runs ...*Run) *Run {
	runs[0].others = runs[1:]
	return runs[0]
}

// interval is the mean of two values with its interval: 12.706 is Student's t of one degree.
func interval(a, b float64) (mean, half float64) {
	return (a + b) / 2, 12.706204736 * math.Abs(a-b) / 2
}

// Curves over time of several seeds are their means, each seed counted from its first flow on, in the coarsest seed's
// parts of time; a seed is idle when its flows have ended. Bands are confidence intervals within what is possible.
func TestMeansOverTime(t *testing.T) {
	port, network := subject{10, 0, -1}, subject{-1, -1, -1}
	fine := []seriesPoint{{1000, 50, 10, 0, 20}, {1050, 50, 30, 0, 40}, {1100, 50, 30, 0, 90}}
	for name, c := range map[string]struct {
		figure string
		run    *Run
		most   float64
		want   [][3]float64 // middle of a part of time, values of both seeds
	}{
		"fine and coarse": {"throughput", withSeeds(
			seriesOf(1000, traces.MetricThroughput, port, fine...),
			seriesOf(500, traces.MetricThroughput, port, seriesPoint{500, 100, 20, 0, 0}, seriesPoint{600, 100, 40, 0, 0}, seriesPoint{700, 20, 60, 0, 0}),
		), math.Inf(1), [][3]float64{{50, 20, 20}, {150, 15, 40}, {250, 0, 12}}},
		"parts that begin earlier": {"queue", withSeeds(
			seriesOf(0, traces.MetricQueue, port, seriesPoint{0, 100, 4, 0, 0}, seriesPoint{100, 100, 8, 0, 0}),
			seriesOf(25, traces.MetricQueue, port, seriesPoint{0, 100, 4, 0, 0}, seriesPoint{100, 100, 8, 0, 0}),
		), math.Inf(1), [][3]float64{{50, 4, 5}, {150, 8, 6}}},
		"idle networks are fair": {"fairness", withSeeds(
			seriesOf(0, traces.MetricFairness, network, seriesPoint{0, 100, 0.5, 0, 0}, seriesPoint{100, 100, 0.25, 0, 0}),
			seriesOf(0, traces.MetricFairness, network, seriesPoint{0, 50, 0.5, 0, 0}),
		), 1, [][3]float64{{50, 0.5, 0.75}, {150, 0.25, 1}}},
	} {
		f := draw(c.figure, c.run)
		if len(f.Series) != 1 || len(f.Series[0].X) != len(c.want) || f.Note != "" {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		for i, w := range c.want {
			s := &f.Series[0]
			mean, half := interval(w[1], w[2])
			for _, v := range [][2]float64{
				{float64(s.X[i]), w[0]}, {float64(s.Y[i]), mean}, {float64(s.Low[i]), max(0, mean-half)}, {float64(s.High[i]), min(c.most, mean+half)},
			} {
				if math.Abs(v[0]-v[1]) > 1e-6 {
					t.Errorf("%s, point %d: %v at %v, from %v to %v; want %v ± %v at %v", name, i, s.Y[i], s.X[i], s.Low[i], s.High[i], mean, half, w[0])
					break
				}
			}
		}
	}
}

// A mean ends where a seed was stopped with flows under way, and is not made of seeds that recorded nothing; a port that
// was idle in one seed has a mean.
func TestEndsOfMeans(t *testing.T) {
	port, network := subject{10, 0, -1}, subject{-1, -1, -1}
	part := func(at float64) seriesPoint { return seriesPoint{at, 100, 6, 0, 9} }
	stopped := func(r *Run, end float64) *Run {
		r.Summary.Flows.Unfinished, r.Summary.EndNs = 1, end
		return r
	}
	idle := seriesOf(0, traces.MetricFairness, network, part(0))
	long := func() *Run { return seriesOf(0, traces.MetricThroughput, port, part(0), part(100), part(200)) }
	for name, c := range map[string]struct {
		other *Run
		want  []figure.Num
	}{
		"stopped":      {stopped(seriesOf(0, traces.MetricThroughput, port, part(0), part(100)), 200), []figure.Num{6, 6}},
		"idle":         {idle, []figure.Num{3, 3, 3}},
		"idle, ended":  {stopped(seriesOf(0, traces.MetricFairness, network, part(0)), 150), []figure.Num{3, 3}},
		"not recorded": {seriesOf(0, traces.MetricThroughput, port), nil},
	} {
		s := draw("throughput", withSeeds(long(), c.other)).Series[0]
		if !slices.Equal(s.Y, c.want) {
			t.Errorf("%s: %v, want %v", name, s.Y, c.want)
		}
	}
}

// The ports of several seeds are those with the largest mean over all of them, not in any.
func TestPortsOfSeeds(t *testing.T) {
	points := func(v float64) []seriesPoint { return []seriesPoint{{0, 100, v, v, v}} }
	a := seriesOf(0, traces.MetricQueue, subject{10, 0, -1}, points(100)...)
	b := seriesOf(0, traces.MetricQueue, subject{10, 1, -1}, points(60)...)
	a.series[traces.MetricQueue] = append(a.series[traces.MetricQueue], track{subject{10, 1, -1}, points(60)})
	if f := draw("queue", withSeeds(a, b)); !slices.Equal(f.Names, []string{"10 → 2 (port 1)", "10 → 0 (port 0)"}) {
		t.Errorf("ports %q", f.Names)
	}
}

// Bars of several seeds are means with intervals, where a port that was idle in a seed counts as 0.
func TestBarsOfSeeds(t *testing.T) {
	row := func(node int, paused float64) traces.PortRow {
		r := leafSpine()[node]
		r.PausedNs = paused
		return r
	}
	a, b := &Run{Name: "x", ports: []traces.PortRow{row(0, 10), row(1, 7)}}, &Run{ports: []traces.PortRow{row(0, 4)}}
	single := draw("paused", &Run{Name: "x", ports: a.ports})
	if s := single.Series[0]; !slices.Equal(s.Y, []figure.Num{10, 7}) || s.Low != nil || s.High != nil {
		t.Errorf("one seed: %+v", s)
	}
	s := draw("paused", withSeeds(a, b)).Series[0]
	got := fmt.Sprintf("%.4v %.4v %.4v", s.Y, s.Low, s.High)
	if want := "[7 3.5] [0 0] [45.12 47.97]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The pauses of several seeds are means over the time of the longest, and none is lost.
func TestPausesOfSeeds(t *testing.T) {
	run := func(ns float64, frames map[int]float64) *Run {
		r := &Run{Name: "x", pauses: make([]float64, pauseBins)}
		r.Summary.Traffic.ToNs = ns
		for k, n := range frames {
			r.pauses[k] = n
			r.Summary.PFC.PausesSent += int64(n)
		}
		return r
	}
	s := draw("pauses", withSeeds(run(1e6, map[int]float64{0: 3, 50: 8}), run(0.7e6, map[int]float64{0: 5, 99: 2}))).Series[0]
	frames, last := 0.0, len(s.X)-1
	for i := range last {
		frames += float64(float64(s.Y[i]) * float64(s.X[i+1]-s.X[i]) / 1e6)
	}
	if math.Abs(frames-9) > 1e-9 || s.X[last] != 1e6 || s.Y[last] != 0 || len(s.X) != pauseBins+1 {
		t.Errorf("%v frames, want 9 on average; %d points to %v", frames, len(s.X), s.X[last])
	}
	// The first part of 10 us holds all 3 frames of one seed, and all 5 of the other, whose part is of 7 us.
	mean, half := interval(300, 500)
	if math.Abs(float64(s.Y[0])-mean) > 1e-9 || s.Low[0] != 0 || math.Abs(float64(s.High[0])-mean-half) > 1e-6 {
		t.Errorf("the first part has %v, from %v to %v", s.Y[0], s.Low[0], s.High[0])
	}
}
