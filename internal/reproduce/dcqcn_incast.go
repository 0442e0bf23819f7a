package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

// dcqcn lists the experiments of Yang, "Improvements for Congestion Control Algorithms in
// Large-Scale Data Center Network: Algorithm Adjustment for DCQCN", Nanjing University, 2018.
func dcqcn() []Experiment {
	const thesis = "DCQCN+ thesis, "
	return []Experiment{
		{"dcqcn-marking", "ECN marks by queue", thesis + "figure 1", "1 s", "1 s", markingCases, marking},
		{"dcqcn-convergence", "numbers of flows at which DCQCN does not converge, 10 and 40 Gb/s", thesis + "figures 2, 3", "15 s", "1 s", convergenceCases, convergence},
		{"dcqcn-cnp", "bursts of CNPs of ConnectX-4 and -5", thesis + "figure 7", "1 s", "1 s", cnpCases, cnp},
		{"dcqcn-incast", "incast of 2, 10 and 60 flows, packets per millisecond", thesis + "figures 8 to 10", "5 s", "1 s", incastCases, incast},
		{"dcqcn-scale", "80 to 720 flows, DCQCN as on ConnectX-4 and with adjusted parameters: buffer and latency", thesis + "tables 2, 3, figures 11, 12", "1 h", "2 s", scaleCases, scale},
		{"dcqcnplus-scale", "800 to 2000 flows under DCQCN+ at 10 and 40 Gb/s", thesis + "figures 13 to 16, abstract", "1 min", "2 s", plusCases, plus},
	}
}

// starOf is figure 6: hosts around the switch, which is the next node; the last host receives.
// Marking is that of DCQCN (section 5.1.4), and the buffer is that of section 5.1.5. All of it was
// in use, so a port may take as much as the switch allows.
func starOf(hosts int, rate string, more ...string) []string {
	return starMarking(hosts, rate, "0.01", more...)
}

func starMarking(hosts int, rate, pmax string, more ...string) []string {
	return with([]string{
		"topology", fmt.Sprintf("star:n=%d,rate=%s,delay=1us", hosts, rate), "workload", "none",
		"buffer", "5.1MB", "switch.alpha_shift", "0",
		"ecn.thresholds", fmt.Sprintf("{rate: %s, kmin: 5KB, kmax: 200KB, pmax: %s}", rate, pmax),
	}, more...)
}

// sn2700 is the testbed: ConnectX-4 with the parameters of table 1 and the appendix at a Mellanox SN2700. It marks with
// DCQCN's two thresholds, the only ones that can be set there: between them the probability rises from 0 to 1 (Mellanox,
// HowTo Configure ECN on Mellanox Ethernet Switches). The notification point's interval is the reaction point's
// rate_reduce_monitor_period. alpha is a real number, since in ten bits the decreases of section 6.3, 40 us apart, would
// find it 0 again.
func sn2700(hosts int, more ...string) []string {
	return with(starMarking(hosts, "10Gbps", "1", "cc", "dcqcn-paper", "cc.params.preset", "connectx4",
		"cc.params.alpha_first", "true", "cc.params.cnp_interval", "4us", "cc.params.hai", "50Mbps"), more...)
}

// fanIn has the given number of flows to the last of 9 hosts, started from the others in turn over
// a period.
func fanIn(flows int, over core.Duration) (list []traces.Flow) {
	for i := range flows {
		at := core.Time(over / core.Duration(flows) * core.Duration(i))
		list = append(list, flow(i%8, 8, endless, at, "flow"))
	}
	return list
}

func incastSizes() []int { return []int{2, 10, 60} }

// incastCases have 60 flows from three hosts, as in the paper, and otherwise one from each. The
// packets are captured at the senders.
func incastCases(quick bool) (cases []Case) {
	stop := "1s"
	if quick {
		stop = "60ms"
	}
	for _, n := range incastSizes() {
		hosts := min(n, 10)
		if n == 60 {
			hosts = 3
		}
		var senders []string
		for i := range hosts {
			senders = append(senders, strconv.Itoa(i))
		}
		seen := &capture{of: make(map[captured]int)}
		c := Case{
			Name: fmt.Sprintf("incast-%d", n), Every: core.Millisecond, Queues: starQueue(hosts + 1), Follow: everyFlow,
			Set: sn2700(hosts+1, "stop", stop, "trace", strings.Join(senders, ",")), Records: seen.add, Seen: seen,
		}
		for i := range n {
			c.Flows = append(c.Flows, flow(i%hosts, hosts, endless, 0, "flow"))
		}
		cases = append(cases, c)
	}
	return cases
}

// captured identifies a flow in captures, as section 5.5.6 does: by host and source port.
type captured struct {
	node core.NodeID
	port uint16
}

// capture counts the data packets of every flow in every millisecond.
type capture struct {
	of     map[captured]int // index into counts, in the order of their first packets
	counts [][]float64
}

func (c *capture) add(records []core.Record) {
	for i := range records {
		r := &records[i]
		if r.Event != core.EventDequeue || r.Packet.Kind != core.Data {
			continue
		}
		key := captured{r.Node, r.Packet.SrcPort}
		k, ok := c.of[key]
		if !ok {
			k = len(c.counts)
			c.of[key], c.counts = k, append(c.counts, nil)
		}
		ms := int(r.At / core.Time(core.Millisecond))
		for len(c.counts[k]) <= ms {
			c.counts[k] = append(c.counts[k], 0)
		}
		c.counts[k][ms]++
	}
}

// curves returns the counts of the milliseconds in which all flows were captured, and the ends of
// those milliseconds, ns.
func (c *capture) curves() (times []float64, counts [][]float64) {
	whole := math.MaxInt
	for _, of := range c.counts {
		whole = min(whole, len(of))
	}
	for _, of := range c.counts {
		counts = append(counts, of[:whole])
	}
	for ms := range whole {
		times = append(times, float64(ms+1)*1e6)
	}
	return times, counts
}

func incast(r *Result) {
	for _, n := range incastSizes() {
		t := r.track(fmt.Sprintf("incast-%d", n))
		f := figure.Figure{
			ID: fmt.Sprintf("figure-%d", map[int]int{2: 8, 10: 9, 60: 10}[n]), Kind: figure.Lines, Title: fmt.Sprintf("Incast of %d flows", n),
			X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Packets per millisecond", Unit: figure.Count, From: figure.At(0)},
		}
		x, packets := t.Case.Seen.(*capture).curves()
		for k := range min(len(packets), figure.MaxNames) {
			f.Line(fmt.Sprintf("flow %d", k+1), x, packets[k])
		}
		r.draw(f)
		times, fair := fairnessOver(x, packets, fairWindow)
		if took := lasts(times, fair, fairEnough, lasting) / 1e6; n == 10 {
			r.also("10.time", "10:1, time to converge", "ms", took)
		} else {
			r.measure(fmt.Sprintf("%d.time", n), took)
		}
		late := mean(lastHalf(packets[0]))
		if n == 2 {
			r.measure("2.rate", late)
			r.measure("2.rate.2", mean(lastHalf(packets[1])))
			r.measure("2.start", (packets[0][0]+packets[1][0])*wireSize(t)*8/1e6)
		} else {
			r.also(fmt.Sprintf("%d.rate", n), fmt.Sprintf("%d:1, packets per millisecond of a flow", n), "/ms", late)
		}
		r.also(fmt.Sprintf("%d.fair", n), fmt.Sprintf("%d:1, fairness (Jain) of the last half", n), "", jain(shares(packets)))
	}
}

// wireSize is the mean size of the packets that the first port has sent, bytes.
func wireSize(t *track) float64 {
	end := len(t.Times) - 1
	return t.Sent[end] / t.Packets[end]
}

// shares returns the means over the last halves.
func shares(curves [][]float64) (means []float64) {
	for _, y := range curves {
		means = append(means, mean(lastHalf(y)))
	}
	return means
}

// markingCases keep the queue constant: k flows with a window of one bandwidth-delay product each
// keep all but one of these windows in the queue. They ignore marks.
func markingCases(quick bool) (cases []Case) {
	stop := "20ms"
	if quick {
		stop = "4ms"
	}
	for _, k := range markingFlows() {
		c := Case{
			Name: fmt.Sprintf("marking-%d", k), Every: 10 * core.Microsecond, Queues: starQueue(9),
			Set: starOf(9, "100Gbps", "cc", "none", "options.mark_any", "true", "host.window", "on", "stop", stop),
		}
		for i := range k {
			c.Flows = append(c.Flows, flow(i%8, 8, endless, 0, "flow"))
		}
		cases = append(cases, c)
	}
	return cases
}

func markingFlows() []int { return []int{1, 2, 3, 4, 5, 6} }

func marking(r *Result) {
	f := figure.Figure{
		ID: "figure-1", Kind: figure.Lines, Title: "ECN marking", Marks: true,
		X: figure.Axis{Label: "Queue", Unit: figure.Bytes}, Y: figure.Axis{Label: "Packets marked", Unit: figure.Share, From: figure.At(0)},
	}
	law := func(q float64) float64 {
		switch {
		case q <= 5e3:
			return 0
		case q > 200e3:
			return 1
		}
		return 0.01 * (q - 5e3) / 195e3
	}
	var queues, shares, worst []float64
	for _, k := range markingFlows() {
		t := r.track(fmt.Sprintf("marking-%d", k))
		from, end := len(t.Times)/10, len(t.Times)-1
		q := t.Queue[0][from:]
		share := (t.Marked[end] - t.Marked[from]) / (t.Packets[end] - t.Packets[from])
		queues, shares = append(queues, mean(q)), append(shares, share)
		switch level := mean(q); {
		case slices.Max(q) <= 5e3:
			r.measure("below", share)
		case slices.Min(q) > 200e3:
			r.measure("above", share)
		default:
			worst = append(worst, share/law(level))
		}
	}
	r.measure("middle", mean(worst))
	f.Line("simulation", queues, shares)
	x := []float64{0, 5e3, 200e3, 200.001e3, 400e3}
	var y []float64
	for _, q := range x {
		y = append(y, law(q))
	}
	f.Line("published", x, y)
	r.draw(f)
}

// cnpCases are section 5.4: a flow of a sender at 100 Gb/s whose path to the receiver has 10 Gb/s. Packets have 256 B,
// since only 1.2 packets of 1000 B arrive in a microsecond, and there could be no more CNPs. The gap between CNPs is a
// parameter: the measurement shows that the NIC keeps to it.
func cnpCases(bool) (cases []Case) {
	for _, nic := range []struct{ name, gap string }{{"connectx4", "1us"}, {"connectx5", "333ns"}} {
		seen := &cnpTimes{}
		c := Case{
			Name: nic.name, Records: seen.add, Seen: seen,
			Set: []string{
				"topology", "dumbbell:n=1,right=1,rate=100Gbps,bottleneck=10Gbps,delay=1us", "workload", "none", "mtu", "256B",
				"ecn.thresholds", "{rate: 10Gbps, kmin: 5KB, kmax: 200KB, pmax: 0.01}",
				"cc", "dcqcn-paper", "cc.params.preset", "connectx4", "cc.params.cnp_gap", nic.gap, "stop", "2ms", "trace", "1",
			},
			Flows: []traces.Flow{flow(0, 1, endless, 0, "flow")},
		}
		cases = append(cases, c)
	}
	return cases
}

// cnpTimes are the times at which CNPs leave the traced node.
type cnpTimes struct{ at []float64 }

func (c *cnpTimes) add(records []core.Record) {
	for i := range records {
		if r := &records[i]; r.Event == core.EventDequeue && r.Packet.Kind == core.CNP {
			c.at = append(c.at, core.Duration(r.At).Nanos())
		}
	}
}

// cnp takes the median time between CNPs of the first burst.
func cnp(r *Result) {
	f := figure.Figure{
		ID: "figure-7", Kind: figure.Lines, Title: "CNPs of a burst", Marks: true,
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "CNPs", Unit: figure.Count, From: figure.At(0)},
	}
	for _, name := range []string{"connectx4", "connectx5"} {
		at := r.track(name).Case.Seen.(*cnpTimes).at
		var gaps, x, y []float64
		for i := range min(len(at), 50) {
			x, y = append(x, at[i]), append(y, float64(i+1))
			if i > 0 {
				gaps = append(gaps, at[i]-at[i-1])
			}
		}
		gap := percentile(gaps, 50)
		if gap == 0 {
			gap = math.Inf(1)
		}
		r.measure(name, 1000/gap)
		f.Line(name, x, y)
	}
	r.draw(f)
}
