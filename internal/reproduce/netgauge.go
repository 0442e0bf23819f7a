package reproduce

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
)

// netgauge lists the experiments with the benchmark Netgauge, from a chapter of a thesis on the
// protocol ESP, Chair of Computer Architecture. The chapter's figures, and the section with the
// results of the pattern one-many, are not available: only directions are compared.
func netgauge() []Experiment {
	return []Experiment{{
		"netgauge", "patterns one-one and one-many: throughput of a client by message size and number of hosts, lossless schemes and TCP with drops",
		"Netgauge chapter, figures of the patterns", "15 s", "1 s", netgaugeCases, netgaugeResults,
	}}
}

// netgaugeSchemes are the ways in which a cluster of 1 Gb/s handles congestion: lossless ones, and TCP at switches that
// drop. These have the buffer of gigabit switches of that time, about a hundred packets a port.
func netgaugeSchemes() []variant {
	tcp := func(name string) variant {
		return variant{name, []string{"cc", name, "flow_control", "none", "buffer", "2MB", "switch.lossy_shift", "3"}}
	}
	return []variant{
		{"none", []string{"cc", "none"}}, {"dcqcn", []string{"cc", "dcqcn"}}, {"hpcc", []string{"cc", "hpcc"}}, {"dctcp", []string{"cc", "dctcp"}},
		tcp("reno"), tcp("cubic"),
	}
}

// lossless is the number of schemes that drop nothing; they come first.
const lossless = 4

func netgaugeHosts() []int { return []int{2, 4, 8, 16} }

func netgaugeName(pattern, scheme string, hosts, seed int) string {
	return fmt.Sprintf("%s-%s-%d-%d", pattern, scheme, hosts, seed)
}

// netgaugeSeeds each choose another server.
func netgaugeSeeds(quick bool) []int {
	if quick {
		return []int{1}
	}
	return []int{1, 2, 3}
}

func netgaugeCases(quick bool) (cases []Case) {
	sizes := "1KB-1025KB,5"
	if quick {
		sizes = "32KB-1025KB,1"
	}
	for _, pattern := range []string{"one-one", "one-many"} {
		for _, s := range netgaugeSchemes() {
			for _, n := range netgaugeHosts() {
				for _, seed := range netgaugeSeeds(quick) {
					cases = append(cases, Case{
						Name: netgaugeName(pattern, s.name, n, seed),
						Set: with([]string{
							"topology", fmt.Sprintf("star:n=%d,rate=1Gbps,delay=1us", n), "workload", "none", "seed", fmt.Sprint(seed),
							"patterns", pattern + ":" + sizes,
						}, s.set...),
					})
				}
			}
		}
	}
	return cases
}

// exchanges returns the throughput that clients compute, bit/s, by message size: from before the sending of a message
// to the arrival of the answer, which is taken to be half of its own round trip before its acknowledgement.
func exchanges(t *track) map[int64][]float64 {
	began := make(map[int]core.Time)
	for i := range t.Ended {
		began[t.Ended[i].ID] = t.Ended[i].Start
	}
	rates := make(map[int64][]float64)
	for i := range t.Ended {
		r := &t.Ended[i]
		if !strings.HasSuffix(r.Flow.Tag, "-answer") || !r.Finished {
			continue
		}
		message := int(r.Flow.After[0])
		took := r.Start.Add(r.FCT / 2).Sub(began[message])
		bytes := t.Net.Setup.Flows[message].Bytes
		rates[bytes] = append(rates[bytes], float64(bytes)*8/took.Seconds())
	}
	return rates
}

// netgaugeSizes are the message sizes in the figures; the last one is that of the claim on one-one.
func netgaugeSizes(quick bool) []int64 {
	sizes := []int64{32_000, 64_000, 128_000, 256_000, 512_000, 1_024_000}
	if quick {
		return sizes
	}
	return append([]int64{1000, 2000, 4000, 8000, 16_000}, sizes...)
}

func netgaugeResults(r *Result) {
	for _, pattern := range []string{"one-one", "one-many"} {
		bySize := netgaugeFigure(pattern+"-size", pattern+", 16 hosts", figure.Axis{Label: "Message", Unit: figure.Bytes, Scale: figure.Log})
		byHosts := netgaugeFigure(pattern+"-hosts", pattern+", 1 MB", figure.Axis{Label: "Hosts", Unit: figure.Count})
		for _, s := range netgaugeSchemes() {
			ofLargest := r.clientRates(pattern, s.name, &bySize, &byHosts)
			if pattern == "one-one" && s.name == "hpcc" {
				r.measure("oneone", ofLargest[len(ofLargest)-1]/ofLargest[0])
			}
		}
		r.draw(bySize)
		r.draw(byHosts)
	}
	var safe, tcp []float64
	drops := 0.0
	for i, s := range netgaugeSchemes() {
		share := r.together(s.name, 16) / r.together(s.name, 2)
		if i < lossless {
			safe = append(safe, share)
			continue
		}
		tcp = append(tcp, share)
		for _, seed := range netgaugeSeeds(r.Quick) {
			drops += float64(r.track(netgaugeName("one-many", s.name, 16, seed)).Net.Dropped())
		}
	}
	r.measure("drops", drops)
	r.also("lossless", "one-many, lossless: throughput of 15 clients together over that of one alone", "", mean(safe))
	r.also("tcp", "one-many, 15 clients: throughput of TCP with drops over that of lossless schemes", "", mean(tcp)/mean(safe))
}

// clientRates draws the mean throughput of a scheme's clients by message size, with 16 hosts, and by number of hosts,
// for the largest message, and returns the latter, bit/s.
func (r *Result) clientRates(pattern, scheme string, bySize, byHosts *figure.Figure) (ofLargest []float64) {
	sizes := netgaugeSizes(r.Quick)
	largest := sizes[len(sizes)-1]
	var hosts []float64
	for _, n := range netgaugeHosts() {
		all := make(map[int64][]float64)
		for _, seed := range netgaugeSeeds(r.Quick) {
			for size, x := range exchanges(r.track(netgaugeName(pattern, scheme, n, seed))) {
				all[size] = append(all[size], x...)
			}
		}
		rate := mean(all[largest])
		hosts, ofLargest = append(hosts, float64(n)), append(ofLargest, rate)
		if n == 16 {
			var x, y []float64
			for _, size := range sizes {
				x, y = append(x, float64(size)), append(y, mean(all[size]))
			}
			bySize.Line(scheme, x, y)
		}
		r.also(fmt.Sprintf("%s-%s-%d", pattern, scheme, n), fmt.Sprintf("%s, %s, %d hosts, 1 MB: throughput of a client", pattern, scheme, n), "Mb/s", rate/1e6)
	}
	byHosts.Line(scheme, hosts, ofLargest)
	return ofLargest
}

// together is the total throughput of all clients of one-many, bit/s: all their messages divided by the time until the
// last answer.
func (r *Result) together(scheme string, hosts int) float64 {
	var rates []float64
	for _, seed := range netgaugeSeeds(r.Quick) {
		bytes, end := 0.0, core.Time(0)
		t := r.track(netgaugeName("one-many", scheme, hosts, seed))
		for i := range t.Ended {
			f := &t.Ended[i]
			bytes, end = bytes+float64(f.Flow.Bytes), max(end, f.Start.Add(f.FCT))
		}
		rates = append(rates, bytes*8/end.Seconds())
	}
	return mean(rates)
}

func netgaugeFigure(id, title string, x figure.Axis) figure.Figure {
	return figure.Figure{
		ID: id, Kind: figure.Lines, Title: title, Marks: true, X: x,
		Y: figure.Axis{Label: "Throughput of a client", Unit: figure.Rate, From: figure.At(0)},
	}
}
