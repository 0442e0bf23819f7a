package reproduce

import (
	"fmt"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// queueCurve is the distribution of all queues sampled in some runs: edges of bins and the share up to each.
func queueCurve(runs []*track) (edges, shares []float64) {
	var all []traces.QueueHist
	for _, t := range runs {
		all = append(all, scenario.Histograms(t.Net)...)
	}
	counts := traces.SumQueues(all).Counts
	total := uint64(0)
	for _, c := range counts {
		total += c
	}
	sum := uint64(0)
	for i, c := range counts {
		sum += c
		edges = append(edges, float64(i+1)*float64(runs[0].Net.Setup.Sampling.Bin))
		shares = append(shares, float64(sum)/float64(max(1, total)))
	}
	return edges, shares
}

// queueAt returns the lowest edge up to which the given share of all samples lies.
func queueAt(edges, shares []float64, percent float64) float64 {
	for i := range edges {
		if shares[i] >= percent/100 {
			return edges[i]
		}
	}
	return 0
}

// treeSchemes are the five of section 5.4.
func treeSchemes() []string { return []string{"mpcc", "hpcc", "dctcp", "dcqcn", "timely"} }

// treePanel is one of the four panels of figures 5.6 to 5.9.
type treePanel struct{ id, load, incast, title string }

func treePanels() []treePanel {
	return []treePanel{
		{"30", "0.3", "", "30 % load"}, {"60", "0.6", "", "60 % load"},
		{"30i", "0.3", "8x300KB", "30 % load with incast"}, {"60i", "0.6", "8x300KB", "60 % load with incast"},
	}
}

// treeCases are section 5.4: the fat-tree of figure 5.5. How long flows arrive is not published, nor how often incasts
// occur. With WebSearch a bin has 70 flows in a run, whose p95 is the fourth largest: three seeds are combined.
func treeCases(workload string, quick bool) (cases []Case) {
	duration, seeds := "20ms", 3
	if quick {
		duration, seeds = "200us", 1
	}
	for _, p := range treePanels() {
		for _, scheme := range treeSchemes() {
			set := []string{
				"profile", "ns3", "topology", "fat-tree:thesis", "workload", workload, "load", p.load, "duration", duration,
				"cc", scheme, "queue_sampling.interval", "100ns",
			}
			if scheme == "mpcc" {
				set = with(set, thesisMPCC()...)
			}
			if p.incast != "" {
				set = append(set, "incast", p.incast)
			}
			if quick {
				set = append(set, "stop", "1ms")
			}
			cases = append(cases, seeded(Case{Name: p.id + "-" + scheme, Set: set}, seeds)...)
		}
	}
	return cases
}

func percentiles() [3]float64 { return [3]float64{50, 95, 99} }

func tree(r *Result) {
	for _, p := range treePanels() {
		p.slowdowns(r)
		p.queues(r)
	}
}

// slowdowns judges by the p95, and shows what other percentiles would have given.
func (p *treePanel) slowdowns(r *Result) {
	f := figure.Figure{
		ID: "slowdown-" + p.id, Kind: figure.Lines, Title: "Slowdown by flow size, " + p.title, Marks: true,
		X: figure.Axis{Label: "Flow size", Unit: figure.Bytes, Scale: figure.Log},
		Y: figure.Axis{Label: "FCT slowdown, p95", Unit: figure.Ratio, From: figure.At(1)},
	}
	for _, percent := range percentiles() {
		values := make(map[string][]float64)
		for _, scheme := range treeSchemes() {
			sizes, s := bySize(p.runs(r, scheme), 10, percent)
			values[scheme] = s
			if percent == 95 {
				f.Line(scheme, sizes, s)
				r.also(fmt.Sprintf("p95.%s.%s", p.id, scheme), p.title+", "+scheme+": p95 of the slowdown, mean of the bins of small flows", "", mean(s[:len(s)/2]))
				r.also(fmt.Sprintf("p95large.%s.%s", p.id, scheme), p.title+", "+scheme+": the same of large flows", "", mean(s[len(s)/2:]))
			}
		}
		slower := float64(notBelow(values, "mpcc", []string{"timely", "dcqcn"}, 0, 10))
		small := float64(notBelow(values, "mpcc", []string{"hpcc", "dctcp"}, 0, 5))
		if percent == 95 {
			r.measure("slower."+p.id, slower)
			r.measure("small."+p.id, small)
			continue
		}
		r.also(fmt.Sprintf("slower%v.%s", percent, p.id), fmt.Sprintf("%s: by p%v, bins where MPCC is not below TIMELY and DCQCN", p.title, percent), "of 10", slower)
		r.also(fmt.Sprintf("small%v.%s", percent, p.id), fmt.Sprintf("%s: by p%v, bins of small flows where MPCC is not below HPCC and DCTCP", p.title, percent), "of 5", small)
	}
	r.draw(f)
}

func (p *treePanel) queues(r *Result) {
	f := figure.Figure{
		ID: "queue-" + p.id, Kind: figure.Lines, Title: "Queues of all switches, " + p.title, Steps: true,
		X: figure.Axis{Label: "Queue", Unit: figure.Bytes}, Y: figure.Axis{Label: "CDF", Unit: figure.Share, To: figure.At(1)},
	}
	queues := make(map[string][3]float64)
	for _, scheme := range treeSchemes() {
		edges, shares := queueCurve(p.runs(r, scheme))
		f.Line(scheme, edges, shares)
		var at [3]float64
		for i, percent := range percentiles() {
			at[i] = queueAt(edges, shares, percent)
		}
		queues[scheme] = at
		r.also(fmt.Sprintf("queue99.%s.%s", p.id, scheme), p.title+", "+scheme+": p99 of the queues", "B", at[2])
	}
	r.measure("queue."+p.id, float64(notLeast(queues, "mpcc")))
	r.draw(f)
}

func (p *treePanel) runs(r *Result, scheme string) []*track { return r.seeded(p.id + "-" + scheme) }

// notLeast counts the values for which a scheme is above the lowest of all.
func notLeast(values map[string][3]float64, scheme string) (n int) {
	for i, v := range values[scheme] {
		for other := range values {
			if values[other][i] < v {
				n++
				break
			}
		}
	}
	return n
}
