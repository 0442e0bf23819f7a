package scenario

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// lots are laws of the parking lot: one flow over a row of links, on each of which it meets a flow that uses only that
// link.
var lots = []law{
	maxMin("rcp", "Dukkipati et al., IWQoS 2005"),
	maxMin("xcp", "Katabi et al., SIGCOMM 2002"),
	maxMin("rocc", "Taheri et al., CoNEXT 2020"),
	maxMin("mpcc", "Zheng 2024, algorithm 1"),
	{
		scheme: "vegas", says: "share of the long flow, proportional fairness: 1/(1 + links)", source: "Low, Peterson and Wang, JACM 2002",
		where: "parking lot, 10 Gb/s, alpha = beta = 10", by: "links", at: []float64{1, 2, 3},
		share: 0.05, why: "the packet by which windows move",
		try: func(t *testing.T, x float64) (float64, float64) {
			return 1 / (1 + x), longShare(t, int(x), lossy("{name: vegas, params: {alpha: 10, beta: 10}}", "32MB"))
		},
	},
}

func maxMin(scheme, source string) law {
	return law{
		scheme: scheme, says: "share of the long flow, max-min fairness: 1/2", source: source,
		where: "parking lot, 10 Gb/s", by: "links", at: []float64{1, 2, 3},
		share: 0.05, why: "swings of the links' rates, of which the long flow gets the least",
		try: func(t *testing.T, x float64) (float64, float64) {
			return 0.5, longShare(t, int(x), []string{"cc", scheme})
		},
	}
}

// longShare is the long flow's share of its links, on the wire, from 40 to 60 ms.
func longShare(t *testing.T, links int, spec []string) float64 {
	t.Helper()
	const rest, end, line = 40 * ms, 60 * ms, 10e9
	file := filepath.Join(t.TempDir(), "lot")
	text, flows := parkingLot(links)
	write(t, file, text)
	s := unsampled(t, flows, append([]string{"topology", file, "stop", "1000s"}, spec...)...)
	n, _ := begin(t, s)
	acked := func(at core.Time) int64 {
		upTo(n, at)
		return n.Record(0).Acked
	}
	before := acked(core.Time(rest))
	bytes := acked(core.Time(end)) - before
	first := n.Counters(core.NodeID(2+2*links), 2) // of the first link
	wire := float64(first.TxBytes) / float64(first.TxPackets) / float64(s.MTU)
	return float64(bytes) * wire * 8 / (end - rest).Seconds() / line
}

// parkingLot is a row of switches with links of 10 Gb/s and 10 us between neighbours, and its flows, the long one
// first. Hosts have links of 40 Gb/s: the first two are the long flow's, then come two for every link.
func parkingLot(links int) (text string, flows []sim.Flow) {
	hosts := 2 + 2*links
	var lines []string
	host := func(h, at int) { lines = append(lines, fmt.Sprintf("%d %d 40Gbps 2us 0", h, hosts+at)) }
	flow := func(src, dst int) {
		flows = append(flows, sim.Flow{Src: core.NodeID(src), Dst: core.NodeID(dst), Bytes: endless, Prio: 3, DstPort: 100})
	}
	host(0, 0)
	host(1, links)
	flow(0, 1)
	switches := fmt.Sprint(hosts)
	for i := range links {
		host(2+2*i, i)
		host(3+2*i, i+1)
		flow(2+2*i, 3+2*i)
		lines = append(lines, fmt.Sprintf("%d %d 10Gbps 10us 0", hosts+i, hosts+i+1))
		switches += fmt.Sprintf(" %d", hosts+i+1)
	}
	return fmt.Sprintf("%d %d %d\n%s\n%s\n", hosts+links+1, links+1, len(lines), switches, strings.Join(lines, "\n")), flows
}

// The networks of RoCC's figures 10 and 12, and its shares there (CoNEXT 2020, section 6.1): max-min fairness, whatever
// the hosts' links and the number of congestion points on a path. XCP is not included: it leaves a few per cent of such
// links unused (Low, Andrew and Wydrowski, INFOCOM 2005).
func TestPublishedShares(t *testing.T) {
	const rest, end = 20 * ms, 30 * ms
	for _, c := range []struct {
		name, topology string
		flows          [][2]core.NodeID
		want           []float64 // Gb/s on the wire
	}{
		{"multiple bottlenecks", // hosts 0 to 4 send by switch 11 to 5 to 9, and 10 by switch 12 to 5
			"13 2 12\n11 12\n11 12 40Gbps 1.5us 0\n" + access("10Gbps", 11, 0, 5) + access("10Gbps", 12, 5, 11),
			[][2]core.NodeID{{0, 5}, {10, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}}, []float64{5, 5, 8.75, 8.75, 8.75, 8.75}},
		{"links of different rates", // hosts 0 to 4 by switch 8, 5 and 6 by switch 9, both by switch 10 to host 7
			"11 3 10\n8 9 10\n8 10 100Gbps 1.5us 0\n9 10 100Gbps 1.5us 0\n" +
				access("40Gbps", 8, 0, 5) + access("100Gbps", 9, 5, 7) + access("100Gbps", 10, 7, 8),
			[][2]core.NodeID{{0, 7}, {1, 7}, {2, 7}, {3, 7}, {4, 7}, {5, 7}, {6, 7}}, slices.Repeat([]float64{100. / 7}, 7)},
	} {
		for _, scheme := range []string{"rocc", "rcp"} {
			file := filepath.Join(t.TempDir(), "network")
			write(t, file, c.topology)
			var flows []sim.Flow
			for _, f := range c.flows {
				flows = append(flows, sim.Flow{Src: f[0], Dst: f[1], Bytes: endless, Prio: 3, DstPort: 100})
			}
			n, _ := begin(t, unsampled(t, flows, "topology", file, "stop", "1s", "cc", scheme, "host.header", "1B"))
			upTo(n, core.Time(rest))
			acked := make([]int64, len(flows))
			for i := range flows {
				acked[i] = n.Record(i).Acked
			}
			upTo(n, core.Time(end))
			for i, want := range c.want {
				if got := float64(n.Record(i).Acked-acked[i]) * 8 / (end - rest).Seconds() / 1e9; math.Abs(got-want) > 0.03*want {
					t.Errorf("%s, %s: flow %d has %.3g Gb/s, want %.3g", c.name, scheme, i, got, want)
				}
			}
		}
	}
}

// access returns the links between a switch and the hosts from, from+1, ... to-1.
func access(rate string, at, from, to int) (lines string) {
	for h := from; h < to; h++ {
		lines += fmt.Sprintf("%d %d %s 1.5us 0\n", h, at, rate)
	}
	return lines
}
