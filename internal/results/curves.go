package results

import (
	"cmp"
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
		ID: "slowdown", Names: Names(runs), Kind: figure.Lines, Marks: true, Title: "Slowdown by flow size",
		About: "Completion time over that of the same flow alone in the network. Each mark represents a group of flows of similar size, at the largest size of the group; groups have equal numbers of flows, except where many flows have about one size. For several seeds it shows the mean of their percentiles, with its 95 % confidence interval (Student's t).",
		X:     figure.Axis{Label: "Flow size", Unit: figure.Bytes, Scale: figure.Log},
		Y:     figure.Axis{Label: "Slowdown", Unit: figure.Ratio, Scale: figure.Linear},
	}
	highest, scarce := 0.0, false
	for i, r := range runs {
		seeds := len(r.Seeds())
		lines := make([]figure.Series, len(slowdown.Percentiles))
		for _, g := range groups(r.pooled(), seeds) {
			scarce = scarce || len(g.flows) < flowsForP99*seeds
			for v, e := range g.estimates(seeds) {
				x := float64(max(g.bytes, 1)) // the axis is logarithmic
				e.add(&lines[v], x, 1)
				highest = max(highest, e.Mean+e.Half)
			}
		}
		for v := range lines {
			lines[v].Name, lines[v].Variant = i, v
		}
		c.Series = append(c.Series, lines...)
	}
	if scarce {
		c.Note = "Groups have fewer than 100 flows of a seed: their p99 is the largest."
	}
	finishSlowdown(&c, highest)
	return c
}

const noFlows = "No flow finished."

// The numbers of flows from which on a percentile by nearest rank is not the largest.
const (
	flowsForP95 = 20
	flowsForP99 = 100
)

// group holds flows of similar size, which are sorted by size.
type group struct {
	bytes int64 // of the largest
	flows []Flow
}

// groups cuts the flows of a number of seeds, sorted by size, into groups: one for each size if there are at most
// 20 sizes and most have several flows, otherwise up to 20 of equal number, with at least ten flows for each seed
// if there are as many. Flows of the same size stay together, and a group that would be too near to the next larger
// one on a logarithmic axis is merged into it.
func groups(flows []Flow, seeds int) (all []group) {
	const most, least = 20, 10
	ends := sizeEnds(flows)
	if n := min(max(len(flows)/(least*seeds), 1), most); len(ends) > most || 2*len(ends) > len(flows) {
		sizes := ends
		ends = nil
		for i := 1; i <= n && len(flows) > 0; i++ {
			at, _ := slices.BinarySearch(sizes, max(i*len(flows)/n, 1))
			ends = append(ends, sizes[at])
		}
	}
	next := math.Inf(1) // size of the next larger group
	for _, to := range slices.Backward(slices.Compact(ends)) {
		if last := float64(flows[to-1].Bytes); apart*last <= next {
			all, next = append(all, group{flows[to-1].Bytes, flows[:to]}), last
		}
	}
	slices.Reverse(all)
	for i := len(all) - 1; i > 0; i-- {
		all[i].flows = all[i].flows[len(all[i-1].flows):]
	}
	return all
}

// sizeEnds returns the number of flows up to each size.
func sizeEnds(flows []Flow) (ends []int) {
	for i := range flows {
		if i+1 == len(flows) || flows[i+1].Bytes != flows[i].Bytes {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// apart is the smallest ratio of the sizes of neighbouring groups: in workloads such as FbHadoop half of the flows have
// nearly the same size.
const apart = 4. / 3

// estimates returns the percentiles of the group's slowdowns, estimated from those of each seed
// that has flows in it.
func (g *group) estimates(seeds int) [len(slowdown.Percentiles)]Estimate {
	values := make([][]float64, seeds)
	for _, f := range g.flows {
		values[f.seed] = append(values[f.seed], f.Slowdown)
	}
	return percentiles(values)
}

// fctChart shows the distribution of completion times.
func fctChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "fct-cdf", Kind: figure.Lines, Steps: true, Title: "Flow completion times",
		About: "Share of the finished flows that took at most this long.",
		X:     figure.Axis{Label: "Completion time", Unit: figure.Time, Scale: figure.Log},
		Y:     figure.Axis{Label: "Share of flows", Unit: figure.Share, Scale: figure.Linear, From: figure.At(0), To: figure.At(1)},
	}
	for i, r := range runs {
		s := figure.Series{Name: i}
		flows := r.pooled()
		times := make([]float64, 0, len(flows))
		for _, f := range flows {
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
		s, queues := figure.Series{Name: i}, r.pooledQueues()
		for k, keep := range thin(len(queues), func(k int) float64 { return float64(queues[k].UpperBytes) }) {
			if keep {
				s.Add(float64(queues[k].UpperBytes), queues[k].Cumulative)
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

// thin marks, among n increasing positive values, the last in each of maxPoints-1 parts of their range that are equal
// on a log axis.
func thin(n int, at func(int) float64) []bool {
	keep := make([]bool, n)
	if n == 0 {
		return keep
	}
	low, width := math.Log(at(0)), math.Log(at(n-1))-math.Log(at(0))
	part := func(k int) int { return int(float64((math.Log(at(k))-low)/width) * (maxPoints - 2)) }
	for k := range n {
		keep[k] = k == n-1 || part(k) != part(k+1)
	}
	return keep
}
