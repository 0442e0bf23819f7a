package scenario

import (
	"fmt"
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// telemetry are the laws of schemes that are informed of queues and rates on the path.
var telemetry = []law{
	{
		scheme: "hpcc", says: "utilisation eta + N ai/C, while that is below 1", source: "Li et al., SIGCOMM 2019, equation 4 at rest",
		where: "100 Gb/s, 40 us, ai = 1 Gb/s", by: "flows", at: []float64{1, 2, 4},
		fixed: 0.002, why: "queues of a packet or two",
		try: perFlows(precise("{name: hpcc, params: {ai: 1Gbps}}"), func(v *steady, n float64) (float64, float64) {
			return 0.95 + n*0.01, v.busy
		}),
	},
	{
		scheme: "hpcc", says: "queue BDP (eta + N ai/C - 1), KB", source: "the same, and equation 2: U = 1 + q/BDP",
		where: "100 Gb/s, 40 us, ai = 2 Gb/s", by: "flows", at: []float64{4, 10, 20},
		each: 1.02, why: "the smaller queue of two ACKs counts, and packets are whole",
		try: perFlows(precise("{name: hpcc, params: {ai: 2Gbps}}"), func(v *steady, n float64) (float64, float64) {
			return v.bdp * (0.95 + n*0.02 - 1) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "hpcc-window", says: "queue BDP (eta + N W_AI/BDP - 1), KB", source: "the same",
		where: "100 Gb/s, 40 us, W_AI = 10 KB", by: "flows", at: []float64{4, 10, 20},
		each: 1.02, why: "the same",
		try: perFlows(precise("{name: hpcc-window, params: {ai: 10000, max_stage: 0}}"), func(v *steady, n float64) (float64, float64) {
			return (v.bdp*(0.95-1) + n*10_000) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "hpcc-pint", says: "utilisation eta + N ai/C", source: "Ben Basat et al., SIGCOMM 2020, HPCC's rule",
		where: "100 Gb/s, 4 us, ai = 1 Gb/s, log_base 1.01", by: "flows", at: []float64{2, 4},
		fixed: 0.005, why: "rounding in the switch (package hpccpint)",
		try: perFlows(incast{
			link: "rate=100Gbps,delay=1us", rest: 10 * ms, end: 20 * ms, samples: 1000,
			spec: []string{"cc", "{name: hpcc-pint, params: {ai: 1Gbps, log_base: 1.01}}", "host.header", "1B"},
		}, func(v *steady, n float64) (float64, float64) { return 0.95 + n*0.01, v.busy }),
	},
	{
		scheme: "powertcp", says: "queue N beta, KB", source: "Addanki et al., NSDI 2022, the equilibrium",
		where: "100 Gb/s, 40 us, beta = BDP/100", by: "flows", at: []float64{10, 20, 40},
		each: 1.02, why: "windows let whole packets go",
		try: perFlows(precise("powertcp"), func(v *steady, n float64) (float64, float64) {
			return n * v.bdp / 100 / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "powertcp", says: "the slowest flow has C/N, Gb/s", source: "NSDI 2022: the equilibrium is stable",
		where: "100 Gb/s, 8 us, beta = BDP/100", by: "flows", at: []float64{5, 10, 40},
		share: 0.01, why: "packets at both ends of the measurement",
		try: equalShares("powertcp"),
	},
	{
		scheme: "powertcp", says: "rate of a flow with k times the beta of the other N-1, k C/(N-1+k), Gb/s", source: "NSDI 2022, theorem 3",
		where: "10 flows, 100 Gb/s, 40 us, min_arrival = 0.2", by: "k", at: []float64{2, 4, 8},
		share: 0.04, why: "min_arrival, which the flow with more packets meets more often",
		try: weighted("powertcp", "0.2"),
	},
	{
		scheme: "mpcc", says: "the slowest flow has C/N, Gb/s", source: "Zheng 2024, section 5.3",
		where: "100 Gb/s, 8 us", by: "flows", at: []float64{2, 10, 40},
		share: 0.01, why: "packets at both ends of the measurement",
		try: equalShares("mpcc"),
	},
}

// precise has a path that holds many packets, with short headers, since windows count payload and release whole
// packets.
func precise(cc string) incast {
	return incast{link: "rate=100Gbps,delay=10us", rest: 10 * ms, end: 20 * ms, samples: 1000, spec: []string{"cc", cc, "host.header", "1B"}}
}

// weighted checks the rate of one of ten flows of PowerTCP that has x times the additive increase of the others.
func weighted(cc, arrival string) func(*testing.T, float64) (float64, float64) {
	return func(t *testing.T, x float64) (float64, float64) {
		t.Helper()
		c := precise(fmt.Sprintf("{name: %s, params: {min_arrival: %s}}", cc, arrival))
		first, err := catalog.New(cc, map[string]string{"min_arrival": arrival, "flows": fmt.Sprint(100 / x)})
		if err != nil {
			t.Fatal(err)
		}
		c.n, c.first, c.end = 10, first, 13*ms
		v := c.run(t)
		return x * v.line / (9 + x) / 1e9, v.rates[0] / 1e9
	}
}

// equalShares checks whether a link of 100 Gb/s is full and shared equally.
func equalShares(cc string) func(*testing.T, float64) (float64, float64) {
	return perFlows(incast{link: "rate=100Gbps,delay=2us", rest: 5 * ms, end: 10 * ms, samples: 1000, spec: []string{"cc", cc}},
		func(v *steady, n float64) (float64, float64) { return v.line / n / 1e9, v.slowest() })
}

// switches are the laws of schemes whose switches or receivers compute rates or windows, or report queues.
var switches = []law{
	{
		scheme: "rcp", says: "the slowest flow has C/N, Gb/s", source: "Dukkipati et al., IWQoS 2005",
		where: "100 Gb/s, 8 us", by: "flows", at: []float64{2, 10, 40},
		share: 0.01, why: "swings of the rate",
		try: equalShares("rcp"),
	},
	{
		scheme: "rcp", says: "completion of the shortest of flows of 5, 10, 15 ... MB: N times what it takes alone, ms", source: "the same, processor sharing",
		where: "100 Gb/s, 8 us", by: "flows", at: []float64{2, 4, 6},
		fixed: 0.11, why: "14 round trips up from the lowest rate, one packet per round trip, by 1.4 each",
		try: firstOfMany,
	},
	{
		scheme: "rcp", says: "longest queue after flows have joined 10 others, BDP: they send a round trip at the rate of those", source: "the same: a flow hears of the rate before it sends",
		where: "100 Gb/s, 40 us, first_rate = 1 kb/s, period = 4 us", by: "flows that join", at: []float64{5, 10, 20},
		share: 0.05, fixed: 0.05, why: "their first packets, a queue before, and the time from one rate to the next",
		try: queueOfJoined,
	},
	{
		scheme: "xcp", says: "the slowest flow has C/N, Gb/s", source: "Katabi et al., SIGCOMM 2002, section 3.5",
		where: "100 Gb/s, 8 us", by: "flows", at: []float64{2, 10, 40},
		share: 0.01, why: "swings caused by shuffling",
		try: equalShares("xcp"),
	},
	{
		scheme: "xcp", says: "sum of windows over the BDP: each round trip adds alpha of what the one before left spare", source: "the same, section 3.5.1",
		where: "4 flows that begin, 100 Gb/s, 40 us, gamma = 0", by: "round trips", at: []float64{3, 4},
		share: 0.03, why: "headers, and the packets of the first windows",
		try: xcpRise,
	},
	{
		scheme: "rocc", says: "queue q_ref, KB", source: "Taheri et al., CoNEXT 2020",
		where: "40 Gb/s, 8 us", by: "flows", at: []float64{2, 10, 40},
		share: 0.02, why: "steps of the rate, 10 Mb/s per flow",
		try: perFlows(incast{
			link: "rate=40Gbps,delay=2us", rest: 10 * ms, end: 20 * ms, samples: 1000, spec: []string{"cc", "rocc"},
		}, func(v *steady, _ float64) (float64, float64) { return 150, mean(v.depths) / 1000 }),
	},
	{
		scheme: "rocc", says: "queue q_ref, 50 KB plus 20 us at line rate, KB", source: "the same; the straight line through its three settings",
		where: "10 flows, 8 us", by: "link, Gb/s", at: []float64{10, 100, 800, 1600},
		share: 0.02, why: "the same",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{
				n: 10, link: fmt.Sprintf("rate=%.0fGbps,delay=2us", x), rest: 8 * ms, end: 10 * ms, samples: 200, spec: []string{"cc", "rocc"},
			}
			v := c.run(t)
			return 50 + 2.5*x, mean(v.depths) / 1000
		},
	},
	{
		scheme: "bolt", says: "queue N rtt_src/RTT packets, KB", source: "Arslan et al., NSDI 2023: each round trip adds one packet, each rtt_src takes off target_q = q/N",
		where: "100 Gb/s, 40 us, the switch half-way", by: "flows", at: []float64{10, 20, 40},
		share: 0.1, why: "a cut waits for the flow's next packet",
		try: boltQueue("rate=100Gbps,delay=10us", 2),
	},
	{
		scheme: "bolt", says: "the same", source: "the same",
		where: "dumbbell, 100 Gb/s, 60 us, the switch after a third", by: "flows", at: []float64{10, 20, 40},
		share: 0.1, why: "the same",
		try: boltQueue("rate=100Gbps,bottleneck=100Gbps,delay=10us", 3),
	},
	{
		scheme: "rcc-recon", says: "queue of whole packets in fair windows, N ceil(BDP/(N packet)) packet - BDP, KB", source: "Zhang et al., ICNP 2021: windows assigned by the receiver",
		where: "100 Gb/s, 8 us", by: "flows", at: []float64{2, 10, 64},
		fixed: 1.07, why: "the packet being sent",
		try: perFlows(incast{
			link: "rate=100Gbps,delay=2us", rest: 2 * ms, end: 4 * ms, samples: 1000, spec: []string{"cc", "rcc-recon"},
		}, func(v *steady, n float64) (float64, float64) {
			return (n*math.Ceil(v.bdp/n/v.packet)*v.packet - v.bdp) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "qcn", says: "queue Qeq, KB", source: "IEEE 802.1Qau; Alizadeh et al., Allerton 2008",
		where: "10 Gb/s, 8 us", by: "flows", at: []float64{2, 5, 10},
		share: 5. / 63, why: "feedback below 1/63 of the greatest, 5 Qeq, counts as none",
		try: perFlows(incast{
			link: "rate=10Gbps,delay=2us", rest: 150 * ms, end: 300 * ms, samples: 1000, spec: []string{"cc", "qcn"},
		}, func(v *steady, _ float64) (float64, float64) { return 26, mean(v.depths) / 1000 }),
	},
}

// infiniBand are the laws of InfiniBand's congestion control.
var infiniBand = []law{
	{
		scheme: "ib-cc", says: "relative rate 1/(1 + gap/Tp) at an entry of the table, %", source: "IBTA annex A10",
		where: "lone flow, 100 Gb/s, 8 us at entry 127", by: "entry", at: []float64{16, 64, 127},
		share: 0.01, why: "gaps are whole eighths of Tp",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: "rate=100Gbps,delay=1us", rest: 1 * ms, end: 3 * ms, samples: 1,
				spec: []string{"cc", fmt.Sprintf("{name: ib-cc, params: {ccti_min: %.0f}}", x)}}
			v := c.run(t)
			return 100 / (1 + 8e-6*x/127/(v.packet*8/v.line)), 100 * v.busy
		},
	},
	{
		scheme: "ib-cc", says: "BECNs per flow and period of CCTI_Timer: as many as steps down", source: "the balance of CCTI, annex A10",
		where: "10 Gb/s, 6 us, preset gran, 40 us at entry 127", by: "flows", at: []float64{4, 8},
		share: 0.05, why: "time at CCTI 0, where the timer is stopped",
		try: perFlows(incast{
			link: "rate=10Gbps,delay=1us", rest: 10 * ms, end: 60 * ms, samples: 1,
			spec: []string{"cc", "{name: ib-cc, params: {preset: gran, max_delay: 40us}}"},
		}, func(v *steady, n float64) (float64, float64) { return 1, v.marks / n * 150 * 1.024e-6 }),
	},
}

// xcpRise is the part of the bandwidth-delay product that the windows of 4 flows have reached after a number of round
// trips: the link learns of windows a round trip late, and gives alpha of what they leave unused.
func xcpRise(t *testing.T, trips float64) (predicted, simulated float64) {
	const alpha = 0.4
	before := 0.0 // after the first two round trips
	for range int(trips) - 2 {
		before, predicted = predicted, predicted+alpha*(1-before)
	}
	c := incast{
		n: 4, link: "rate=100Gbps,delay=10us", end: core.Duration(trips) * 40_170 * core.Nanosecond, samples: 1, // base round trips
		spec: []string{"cc", "{name: xcp, params: {gamma: 0}}", "host.header", "1B"},
	}
	v := c.run(t)
	for _, flow := range v.controls {
		simulated += float64(flow[0].Window)
	}
	return predicted, simulated / v.bdp
}

// boltQueue compares the queue with N rtt_src/RTT packets; trips is the ratio of the round trip to that to the switch.
func boltQueue(link string, trips float64) func(*testing.T, float64) (float64, float64) {
	return perFlows(incast{
		link: link, rest: 10 * ms, end: 20 * ms, samples: 1000, spec: []string{"cc", "bolt", "host.header", "1B"},
	}, func(v *steady, n float64) (float64, float64) {
		return n / trips * v.packet / 1000, mean(v.depths) / 1000
	})
}

// firstOfMany is the time, in ms, at which the shortest of n flows ends that begin together and have sizes of 5, 10, 15
// MB and so on.
func firstOfMany(t *testing.T, x float64) (predicted, simulated float64) {
	var flows []sim.Flow
	last := core.NodeID(x)
	for i := range last {
		flows = append(flows, sim.Flow{Src: i, Dst: last, Bytes: int64(i+1) * 5_000_000, Prio: 3, DstPort: 100})
	}
	n, _ := play(t, withFlows(t, flows, "topology", fmt.Sprintf("star:n=%d,rate=100Gbps,delay=2us", last+1), "cc", "rcp", "stop", "1s"))
	r := n.Record(0)
	return x * r.Ideal.Seconds() * 1000, r.FCT.Seconds() * 1000
}

// queueOfJoined is the longest queue, in bandwidth-delay products, after x flows have joined 10 that share a link.
func queueOfJoined(t *testing.T, x float64) (predicted, simulated float64) {
	const old, join = 10, 4 * ms
	var flows []sim.Flow
	to := core.NodeID(old + x)
	for i := range to {
		f := sim.Flow{Src: i, Dst: to, Bytes: endless, Prio: 3, DstPort: 100}
		if i >= old {
			f.Start = core.Time(join)
		}
		flows = append(flows, f)
	}
	n, _ := begin(t, unsampled(t, flows, "topology", fmt.Sprintf("star:n=%d,rate=100Gbps,delay=10us", to+1), "stop", "1s",
		"cc", "{name: rcp, params: {first_rate: 1kbps, period: 4us}}"))
	longest := core.Bytes(0)
	for at := core.Time(join); at < core.Time(join+5*n.MaxRTT()); at = at.Add(core.Microsecond) {
		upTo(n, at)
		longest = max(longest, n.Depth(to+1, int(to)))
	}
	return x / old, float64(longest) / (100e9 / 8 * n.MaxRTT().Seconds())
}

// RCP's loop has a gain of alpha/d and a delay of d plus the time between packets of a flow, since a flow learns a rate
// from its own ACKs. At alpha (1 + N packet/BDP) = pi/2 it becomes unstable, by Nyquist's criterion: beyond that the
// rate falls to its minimum again and again. The paper assumes flows of many packets a round trip.
func TestRCPNeedsFrequentPackets(t *testing.T) {
	for _, n := range []int{20, 26, 30, 34, 38} {
		c := incast{n: n, link: "rate=10Gbps,delay=2us", rest: 40 * ms, end: 60 * ms, samples: 1000,
			spec: []string{"cc", "{name: rcp, params: {min_rate: 10Mbps}}"}}
		v := c.run(t)
		stable := 0.4*(1+float64(n)*v.packet/v.bdp) < math.Pi/2
		least := 10 * core.Gbps
		for i := range v.controls[0] {
			least = min(least, v.controls[0][i].Rate)
		}
		if swings := least == 10*core.Mbps; swings == stable {
			t.Errorf("%d flows: rates from %v; stable: %v", n, least, stable)
		}
	}
}

// Its lowest rate, a packet a round trip, prevents that for any number of flows: they share the link equally, each with
// a packet in flight, and the packets that the path does not hold form the queue.
func TestRCPWithManyFlows(t *testing.T) {
	for _, n := range []int{34, 64, 200} {
		c := incast{n: n, link: "rate=10Gbps,delay=2us", rest: 5 * ms, end: 15 * ms, samples: 1000, spec: []string{"cc", "rcp"}}
		v := c.run(t)
		least, queue := 0.95*v.line/float64(n)/1e9, float64(n)*v.packet-v.bdp
		if v.busy < 0.99 || v.slowest() < least || math.Abs(mean(v.depths)-queue) > v.packet {
			t.Errorf("%d flows: %.3f used, the slowest %.3g Gb/s, queue %.0f B; want it full, %.3g Gb/s, %.0f B",
				n, v.busy, v.slowest(), mean(v.depths), least, queue)
		}
	}
}
