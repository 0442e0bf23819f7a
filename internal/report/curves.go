package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/internal/slowdown"
)

// maxPoints bounds the points of a curve.
const maxPoints = 500

func bySize(a, b flow) int { return cmp.Compare(a.bytes, b.bytes) }

// slowdownChart shows percentiles of slowdown by size, as in figure 11 of HPCC (Li et al.,
// SIGCOMM 2019): flows are cut into groups of equal number by size.
func slowdownChart(runs []*Run) chart {
	c := chart{
		ID: "slowdown", Kind: lineChart, Title: "Slowdown by flow size",
		About: "Completion time over that of the same flow alone in the network. Each mark stands for a group of flows of similar size and stands at the group's largest; groups have equal numbers of flows.",
		X:     axis{Label: "Flow size", Unit: unitBytes, Scale: scaleLog},
		Y:     axis{Label: "Slowdown", Unit: unitRatio, Scale: scaleLinear},
	}
	for _, p := range slowdown.Percentiles {
		c.Variants = append(c.Variants, fmt.Sprintf("p%g", p))
	}
	highest := 0.0
	for i, r := range runs {
		lines := make([]series, len(slowdown.Percentiles))
		for _, g := range groups(r.flows) {
			for v, p := range slowdown.Percentiles {
				y := slowdown.Percentile(g.slowdowns, p)
				lines[v].add(float64(max(g.bytes, 1)), y) // the axis is logarithmic
				highest = max(highest, y)
			}
		}
		for v := range lines {
			if lines[v].Run, lines[v].Variant = i, v; len(lines[v].X) > 0 {
				c.Series = append(c.Series, lines[v])
			}
		}
	}
	const wide = 20 // from here on a linear axis hides the small ones
	if highest > wide {
		c.Y.Scale = scaleLog
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
func groups(flows []flow) []group {
	const most, least = 20, 10
	n := min(max(len(flows)/least, 1), most)
	var all []group
	for from, i := 0, 1; from < len(flows); i++ {
		to := max(i*len(flows)/n, from)
		for to > 0 && to < len(flows) && flows[to].bytes == flows[to-1].bytes {
			to++
		}
		if to == from {
			continue
		}
		g := group{bytes: flows[to-1].bytes}
		for _, f := range flows[from:to] {
			g.slowdowns = append(g.slowdowns, f.slowdown)
		}
		slices.Sort(g.slowdowns)
		all, from = append(all, g), to
	}
	return all
}

// fctChart shows the distribution of completion times.
func fctChart(runs []*Run) chart {
	c := chart{
		ID: "fct", Kind: lineChart, Steps: true, Title: "Flow completion times",
		About: "Share of the finished flows that took at most so long.",
		X:     axis{Label: "Completion time", Unit: unitTime, Scale: scaleLog},
		Y:     axis{Label: "Share of flows", Unit: unitShare, Scale: scaleLinear, From: fixed(0), To: fixed(1)},
	}
	for i, r := range runs {
		s := series{Run: i}
		times := make([]float64, 0, len(r.flows))
		for _, f := range r.flows {
			times = append(times, f.fct)
		}
		slices.Sort(times)
		n := min(len(times), maxPoints)
		for k := range n {
			at := len(times) - 1
			if n > 1 {
				at = k * (len(times) - 1) / (n - 1)
			}
			s.add(times[at], float64(at+1)/float64(len(times)))
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
func queueChart(runs []*Run) chart {
	c := chart{
		ID: "queues", Kind: lineChart, Steps: true, Title: "Queue depths",
		About: "Share of the samples, of all switch ports together, below a depth. The scale spreads the last percents, where the deep queues are; a curve reaches the top at its deepest sample or at 99.999 %.",
		X:     axis{Label: "Queue depth", Unit: unitBytes, Scale: scaleLog},
		Y:     axis{Label: "Share of samples", Unit: unitShare, Scale: scaleNines, From: fixed(0)},
	}
	for i, r := range runs {
		s := series{Run: i}
		last := len(r.queues) - 1
		for k, part := range thin(len(r.queues), func(k int) float64 { return float64(r.queues[k].UpperBytes) }) {
			if part || k == last {
				s.add(float64(r.queues[k].UpperBytes), r.queues[k].Cumulative)
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
