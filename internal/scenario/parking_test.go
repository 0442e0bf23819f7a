package scenario

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// lots are laws of the parking lot: one flow over a row of links, on each of which it meets a flow of that link alone.
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
		share: 0.05, why: "swings of one link's rate, of which the long flow has the least",
		try: func(t *testing.T, x float64) (float64, float64) {
			return 0.5, longShare(t, int(x), []string{"cc", scheme})
		},
	}
}

// longShare is the part of its links that the long flow of a parking lot has on the wire, from 40 to 60 ms.
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

// parkingLot is a row of switches between whose neighbours there are links of 10 Gb/s and 10 us, and its flows, the
// long one first. Hosts have links of 40 Gb/s: the first two are the long flow's, two for every link follow.
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
