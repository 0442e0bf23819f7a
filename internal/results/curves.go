package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/slowdown"
)

// maxPoints bounds the points of a curve.
const maxPoints = 500

func bySize(a, b Flow) int { return cmp.Compare(a.Bytes, b.Bytes) }

// slowdownChart shows percentiles of slowdown by size, as in figure 11 of HPCC (Li et al.,
// SIGCOMM 2019): flows are cut into groups of equal number by size.
func slowdownChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "slowdown", Kind: figure.Lines, Marks: true, Title: "Slowdown by flow size",
		About: "Completion time over that of the same flow alone in the network. Each mark stands for a group of flows of similar size and stands at the group's largest; groups have equal numbers of flows.",
		X:     figure.Axis{Label: "Flow size", Unit: figure.Bytes, Scale: figure.Log},
		Y:     figure.Axis{Label: "Slowdown", Unit: figure.Ratio, Scale: figure.Linear},
	}
	for _, p := range slowdown.Percentiles {
		c.Variants = append(c.Variants, fmt.Sprintf("p%g", p))
	}
	highest := 0.0
	for i, r := range runs {
		lines := make([]figure.Series, len(slowdown.Percentiles))
		for _, g := range groups(r.Flows) {
			for v, p := range slowdown.Percentiles {
				y := slowdown.Percentile(g.slowdowns, p)
				lines[v].Add(float64(max(g.bytes, 1)), y) // the axis is logarithmic
				highest = max(highest, y)
			}
		}
		for v := range lines {
			if lines[v].Name, lines[v].Variant = i, v; len(lines[v].X) > 0 {
				c.Series = append(c.Series, lines[v])
			}
		}
	}
	const wide = 20 // from here on a linear axis hides the small ones
	if highest > wide {
		c.Y.Scale = figure.Log
	}
	const many = 3 // with more runs, the middle percentile is for those who ask
	if len(runs) > many {
		c.Hidden = []int{1}
	}
	if len(c.Series) == 0 {
		c.Empty = noFlows
	}
	return c
}

const noFlows = "No flow finished."

// group holds flows of similar size.
type group struct {
	bytes     int64     // of the largest
	slowdowns []float64 // sorted
}

// groups cuts flows, which are sorted by size, into up to 20 groups of equal number, and of at
// least ten if there are as many. Flows of the same size are never cut apart.
func groups(flows []Flow) []group {
	const most, least = 20, 10
	n := min(max(len(flows)/least, 1), most)
	var all []group
	for from, i := 0, 1; from < len(flows); i++ {
		to := max(i*len(flows)/n, from)
		for to > 0 && to < len(flows) && flows[to].Bytes == flows[to-1].Bytes {
			to++
		}
		if to == from {
			continue
		}
		g := group{bytes: flows[to-1].Bytes}
		for _, f := range flows[from:to] {
			g.slowdowns = append(g.slowdowns, f.Slowdown)
		}
		slices.Sort(g.slowdowns)
		all, from = append(all, g), to
	}
	return all
}

// fctChart shows the distribution of completion times.
func fctChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "fct-cdf", Kind: figure.Lines, Steps: true, Title: "Flow completion times",
		About: "Share of the finished flows that took at most so long.",
		X:     figure.Axis{Label: "Completion time", Unit: figure.Time, Scale: figure.Log},
		Y:     figure.Axis{Label: "Share of flows", Unit: figure.Share, Scale: figure.Linear, From: figure.At(0), To: figure.At(1)},
	}
	for i, r := range runs {
		s := figure.Series{Name: i}
		times := make([]float64, 0, len(r.Flows))
		for _, f := range r.Flows {
			times = append(times, f.FCT)
		}
		slices.Sort(times)
		n := min(len(times), maxPoints)
		for k := range n {
			at := len(times) - 1
			if n > 1 {
				at = k * (len(times) - 1) / (n - 1)
			}
			s.Add(times[at], float64(at+1)/float64(len(times)))
		}
		if n > 0 {
			c.Series = append(c.Series, s)
		}
	}
	if len(c.Series) == 0 {
		c.Empty = noFlows
	}
	return c
}

// queueChart shows the distribution of queue depths.
func queueChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "queue-cdf", Kind: figure.Lines, Steps: true, Title: "Queue depths",
		About: "Share of the samples, of all switch ports together, below a depth. The scale spreads the last percents, where the deep queues are; a curve reaches the top at its deepest sample or at 99.999 %.",
		X:     figure.Axis{Label: "Queue depth", Unit: figure.Bytes, Scale: figure.Log},
		Y:     figure.Axis{Label: "Share of samples", Unit: figure.Share, Scale: figure.Nines, From: figure.At(0)},
	}
	for i, r := range runs {
		s := figure.Series{Name: i}
		last := len(r.queues) - 1
		for k, part := range thin(len(r.queues), func(k int) float64 { return float64(r.queues[k].UpperBytes) }) {
			if part || k == last {
				s.Add(float64(r.queues[k].UpperBytes), r.queues[k].Cumulative)
			}
		}
		if len(s.X) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	if len(c.Series) == 0 {
		c.Empty = "Queues were not sampled."
	}
	return c
}

// thin marks, of n ascending positive values, the last in each of maxPoints-1 parts of their
// range that are equal on a log axis.
func thin(n int, at func(int) float64) []bool {
	keep := make([]bool, n)
	if n == 0 {
		return keep
	}
	low, width := math.Log(at(0)), math.Log(at(n-1))-math.Log(at(0))
	part := func(k int) int {
		if width == 0 {
			return 0
		}
		return int(float64((math.Log(at(k))-low)/width) * (maxPoints - 2))
	}
	for k := range n {
		keep[k] = k == n-1 || part(k) != part(k+1)
	}
	return keep
}
