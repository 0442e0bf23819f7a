package reproduce

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
)

// hpcc lists the experiments of HPCC's results page, hpcc-group.github.io/results.html, which has
// figures without numbers: HPCC with INT and with PINT, DCQCN and TIMELY with windows, and DCTCP on
// the 320-host fat-tree. There eta is 99 % and maxStage 0.
func hpcc() []Experiment {
	of := func(name, brief, takes, workload string) Experiment {
		return Experiment{
			name, brief + " on the 320-host fat-tree at 30, 50 and 70 %, five schemes: slowdown by flow size",
			"HPCC results page (SIGCOMM 2019 setting)", takes, "2 s",
			func(quick bool) []Case { return hpccCases(workload, quick) }, hpccResults,
		}
	}
	return []Experiment{of("hpcc-websearch", "WebSearch", "3 min", "websearch"), of("hpcc-hadoop", "Hadoop", "2 min", "fbhadoop")}
}

// hpccSchemes are the schemes of the page, with its names.
func hpccSchemes() []variant {
	return []variant{
		{"HPCC", []string{"cc", "hpcc", "cc.params.target", "0.99"}},
		{"HPCC-PINT", []string{"cc", "hpcc-pint", "cc.params.target", "0.99"}},
		{"DCQCN+w", []string{"cc", "dcqcn", "host.window", "on", "host.scale_window", "true"}},
		{"TIMELY+w", []string{"cc", "timely", "host.window", "on", "host.scale_window", "true"}},
		{"DCTCP", []string{"cc", "dctcp"}},
	}
}

func hpccLoads() []string { return []string{"30", "50", "70"} }

// hpccCases are shorter than the page's: flows arrive for 2 ms, with Hadoop for 1 ms, and the runs go on until all have
// ended.
func hpccCases(workload string, quick bool) (cases []Case) {
	duration := "2ms"
	if workload == "fbhadoop" {
		duration = "1ms"
	}
	if quick {
		duration = "20us"
	}
	for _, load := range hpccLoads() {
		for _, s := range hpccSchemes() {
			set := with([]string{
				"topology", "fat-tree:hpcc", "workload", workload, "load", "0." + load[:1], "duration", duration,
			}, s.set...)
			if quick {
				set = with(set, "stop", "100us")
			}
			cases = append(cases, Case{Name: load + "-" + s.name, Set: set})
		}
	}
	return cases
}

func hpccResults(r *Result) {
	const bins = 20 // as in the figures, with 5 % of the flows each
	for _, load := range hpccLoads() {
		p95 := make(map[string][]float64)
		var others []string
		below := 0
		for _, percent := range []float64{50, 95, 99} {
			f := figure.Figure{
				ID: fmt.Sprintf("slowdown-%s-p%.0f", load, percent), Kind: figure.Lines, Title: fmt.Sprintf("Slowdown at %s %% load, p%.0f", load, percent), Marks: true,
				X: figure.Axis{Label: "Flow size", Unit: figure.Bytes, Scale: figure.Log},
				Y: figure.Axis{Label: "FCT slowdown", Unit: figure.Ratio, Scale: figure.Log},
			}
			for _, s := range hpccSchemes() {
				sizes, slow := bySize([]*track{r.track(load + "-" + s.name)}, bins, percent)
				f.Line(s.name, sizes, slow)
				if percent != 95 {
					continue
				}
				p95[s.name] = slow
				if s.name != "HPCC" && s.name != "HPCC-PINT" {
					others = append(others, s.name)
				}
				below, _ = slices.BinarySearch(sizes, 200e3)
				r.also(fmt.Sprintf("p95.%s.%s", load, s.name), load+" % load, "+s.name+": p95 of the slowdown, mean of the bins below 200 KB", "", mean(slow[:below]))
			}
			r.draw(f)
		}
		r.measure("small."+load, float64(notBelow(p95, "HPCC", others, 0, below)))
		_, with := bySize([]*track{r.track(load + "-HPCC")}, 10, 50)
		_, without := bySize([]*track{r.track(load + "-HPCC-PINT")}, 10, 50)
		r.measure("long."+load, with[len(with)-1]/without[len(without)-1])
	}
}
