package scenario

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// theory has the tables of docs/theory.md. In a row, "the same" refers to the one above it.
var theory = []table{
	{"Waiting, buffers and losses, without a scheme", queues},
	{"TCP", tcp},
	{"Schemes on ECN marks", marks},
	{"Schemes on delay", delays},
	{"Schemes on telemetry", telemetry},
	{"Rates and feedback from switches and receivers", switches},
	{"Packets that receivers pull", pulls},
	{"InfiniBand", infiniBand},
	{"Flows that come and go", sharing},
	{"Collectives", collectives},
	{"Fairness on a parking lot", lots},
}

// marks are the laws of schemes that hear of ECN marks.
var marks = []law{
	{
		scheme: "dctcp-window", says: "longest queue K + N, packets", source: "Alizadeh et al., SIGCOMM 2010, section 3.3",
		where: "10 Gb/s, 100 us, K = 40", by: "flows", at: []float64{2, 10, 40},
		fixed: 2, why: "the packet being sent, and windows in whole packets",
		try: perFlows(markedAt(40), func(v *steady, n float64) (float64, float64) {
			return 40 + n, slices.Max(v.depths) / v.packet
		}),
	},
	{
		scheme: "dctcp-window", says: "share of marked packets alpha, where alpha^2 (1 - alpha/4) = (2W+1)/(W+1)^2, W = (C RTT + K)/N", source: "the same",
		where: "the same", by: "flows", at: []float64{2, 5, 10},
		share: 0.1, why: "flows are not in step",
		try: perFlows(markedAt(40), func(v *steady, n float64) (float64, float64) {
			w := (v.bdp/v.packet + 40) / n
			return root(func(a float64) float64 { return (2*w+1)/(w+1)/(w+1) - a*a*(1-a/4) }, 0, 1), v.marked
		}),
	},
	{
		scheme: "dctcp-window", says: "utilisation with K = C RTT/7, the least that leaves no gap", source: "the same, section 3.4",
		where: "10 Gb/s, 100 us, K = 17", by: "flows", at: []float64{2, 3, 5},
		fixed: 0.001, why: "flows are not in step",
		try: perFlows(markedAt(17), func(v *steady, _ float64) (float64, float64) { return 1, v.busy }),
	},
	{
		scheme: "dcqcn-paper", says: "share of marked packets at the fixed point of the fluid model, %", source: "Zhu et al., CoNEXT 2016, the model of section 3",
		where: "40 Gb/s, 4 us, RED from 5 KB to 5 % at 1 MB", by: "flows", at: []float64{5, 10, 20},
		share: 0.15, why: "cuts and increases are single events",
		try: perFlows(incast{
			link: "rate=40Gbps,delay=1us", rest: 50 * ms, end: 200 * ms, samples: 1000,
			spec: []string{"cc", "dcqcn-paper", "ecn.thresholds", "[{rate: 40Gbps, kmin: 5KB, kmax: 1MB, pmax: 0.05}]"},
		}, func(v *steady, n float64) (float64, float64) {
			return 100 * dcqcnFixedPoint(v.line/8/v.packet, n, v.packet), 100 * v.marked
		}),
	},
	{
		scheme: "dcqcn-paper", says: "queue Kmin + p/Pmax (Kmax - Kmin), p as above, KB", source: "the same",
		where: "10 Gb/s, 4 us, RED from 5 KB to 20 % at 1 MB", by: "flows", at: []float64{2, 5, 10},
		share: 0.15, why: "the same",
		try: perFlows(incast{
			link: "rate=10Gbps,delay=1us", rest: 50 * ms, end: 350 * ms, samples: 1000,
			spec: []string{"cc", "dcqcn-paper", "ecn.thresholds", "[{rate: 10Gbps, kmin: 5KB, kmax: 1MB, pmax: 0.2}]"},
		}, func(v *steady, n float64) (float64, float64) {
			return 5 + 995*dcqcnFixedPoint(v.line/8/v.packet, n, v.packet)/0.2, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "dcqcn-paper", says: "swings of the queue when feedback is late: standard deviation in the fluid model, integrated, KB", source: "the same",
		where: "40 Gb/s, 85 us, RED from 5 KB to 10 % at 200 KB", by: "flows", at: []float64{2, 10, 64},
		share: 0.15, why: "the same",
		try: perFlows(incast{
			link: "rate=40Gbps,delay=21us", rest: 100 * ms, end: 250 * ms, samples: 15_000,
			spec: []string{"cc", "dcqcn-paper", "host.window", "off", "ecn.thresholds", "[{rate: 40Gbps, kmin: 5KB, kmax: 200KB, pmax: 0.1}]"},
		}, func(v *steady, n float64) (float64, float64) {
			return deviation(dcqcnSwings(v, n)) / 1000, deviation(v.depths) / 1000
		}),
	},
}

// markedAt is DCTCP on a path that holds 118 packets, with a threshold of the given number of
// packets.
func markedAt(packets int) incast {
	k := packets * 1062
	return incast{
		link: "rate=10Gbps,delay=25us", rest: 30 * ms, end: 80 * ms, samples: 5000,
		spec: []string{"cc", "{name: dctcp-window, params: {ack_every: 1}}", "host.window", "off", "ecn.mark", "enqueue",
			"ecn.thresholds", fmt.Sprintf("[{rate: 10Gbps, kmin: %dB, kmax: %dB, pmax: 1}]", k, k)},
	}
}

// delays are the laws of schemes that measure round trips.
var delays = []law{
	{
		scheme: "timely-patched", says: "queue C (T_low (1 + N delta/(beta C)) - base RTT), KB", source: "CoNEXT 2016, the fixed point of patched TIMELY",
		where: "10 Gb/s, 40 us", by: "flows", at: []float64{2, 5, 10},
		fixed: 1.07, why: "whole packets of 1.07 KB",
		try: perFlows(incast{
			link: "rate=10Gbps,delay=10us", rest: 60 * ms, end: 80 * ms, samples: 1000, spec: []string{"cc", "timely-patched"},
		}, func(v *steady, n float64) (float64, float64) {
			return patchedQueue(v, n) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "timely-patched", says: "the same, in base round trips", source: "the same",
		where: "2 flows, 40 us, segments of 16 KB per 10 Gb/s", by: "link, Gb/s", at: []float64{25, 100},
		fixed: 0.02, why: "packets",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 2, link: fmt.Sprintf("rate=%.0fGbps,delay=10us", x), rest: 50 * ms, end: 55 * ms, samples: 1000,
				spec: []string{"cc", fmt.Sprintf("{name: timely-patched, params: {segment: %.0f}}", 1600*x)}}
			v := c.run(t)
			return patchedQueue(&v, 2) / v.bdp, mean(v.depths) / v.bdp
		},
	},
	{
		scheme: "swift", says: "queue at which the delay is the target, with flow scaling, KB", source: "Kumar et al., SIGCOMM 2020",
		where: "100 Gb/s, 8 us", by: "flows", at: []float64{2, 10, 40},
		each: 1.07, why: "the packet by which windows grow before a cut",
		try: perFlows(incast{
			link: "rate=100Gbps,delay=2us", rest: 3 * ms, end: 8 * ms, samples: 1000, spec: []string{"cc", "swift"},
		}, func(v *steady, n float64) (float64, float64) {
			const base, hop, span, least, most = 20e-6, 20e-6 / 6.55, 100e-6, 0.1, 100
			a := span / (1/math.Sqrt(least) - 1/math.Sqrt(most))
			delay := root(func(d float64) float64 {
				cwnd := v.line / 8 * d / v.packet / n
				return base + 2*hop + min(max(a/math.Sqrt(cwnd)-a/math.Sqrt(most), 0), span) - d
			}, v.rtt, 1e-3)
			return v.line / 8 * (delay - v.rtt) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "nscc", says: "queue C d, where a period's eta is the cut gamma W (d - t)/d of W = C (RTT + d)/N, KB", source: "UE Specification 1.0, section 3.6.13: all packets are marked there, so nothing else moves windows",
		where: "100 Gb/s, 12 us = t", by: "flows", at: []float64{2, 10, 40},
		share: 0.01, why: "cuts and increases are single events",
		try: perFlows(incast{
			link: "rate=100Gbps,delay=3us", rest: 20 * ms, end: 40 * ms, samples: 1000, spec: []string{"cc", "nscc"},
		}, func(v *steady, n float64) (float64, float64) {
			return nsccQueue(v, n, v.rtt, 150*v.bdp/150e3) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "nscc", says: "the same", source: "the same",
		where: "10 flows, 100 Gb/s, 12 us, t = 24 us", by: "eta, KB", at: []float64{0.5, 1, 2},
		share: 0.02, why: "the same",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 10, link: "rate=100Gbps,delay=3us", rest: 20 * ms, end: 30 * ms, samples: 1000,
				spec: []string{"cc", fmt.Sprintf("{name: nscc, params: {target_qdelay: 24us, eta: %.0fB}}", 1000*x)}}
			v := c.run(t)
			return nsccQueue(&v, 10, 24e-6, 1000*x) / 1000, mean(v.depths) / 1000
		},
	},
	{
		scheme: "theta-powertcp", says: "queue N beta, KB", source: "Addanki et al., NSDI 2022, the equilibrium",
		where: "100 Gb/s, 40 us, beta = BDP/100", by: "flows", at: []float64{10, 20, 40},
		each: 1.02, why: "windows let whole packets go",
		try: perFlows(precise("theta-powertcp"), func(v *steady, n float64) (float64, float64) {
			return n * v.bdp / 100 / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "theta-powertcp", says: "rate of a flow with k times the beta of the other N-1, k C/(N-1+k), Gb/s", source: "NSDI 2022, theorem 3",
		where: "10 flows, 100 Gb/s, 40 us, min_arrival = 0", by: "k", at: []float64{2, 4, 8},
		share: 0.03, why: "power is measured when a flow's own ACKs come",
		try: weighted("theta-powertcp", "0"),
	},
}

// nsccQueue is the queue of n flows of NSCC at rest, in bytes, for a target in seconds and eta in bytes.
func nsccQueue(v *steady, n, target, eta float64) float64 {
	const gamma = 0.8
	delay := root(func(d float64) float64 {
		w := v.line / 8 * (v.rtt + d) / n
		return eta - gamma*w*(d-target)/d
	}, target, 100*target)
	return v.line / 8 * delay
}

// patchedQueue is the queue of patched TIMELY's fixed point, in bytes, for n flows.
func patchedQueue(v *steady, n float64) float64 {
	const tLow, delta, beta = 50e-6, 1e-3, 0.008 // delta as a part of the line
	base := v.rtt - 8000/v.line                  // RTTs are without the time of a segment's last payload
	return v.line / 8 * (tLow*(1+n*delta/beta) - base)
}

// tcp are the laws of schemes that adjust a window as TCP does.
var tcp = []law{
	{
		scheme: "reno", says: "window 1.31/sqrt(p), packets", source: "Mathis et al., CCR 1997, random losses",
		where: "100 Gb/s, 200 us", by: "one loss in", at: []float64{250, 1000, 4000},
		share: 0.05, why: "time-outs, and chance",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: "rate=100Gbps,delay=50us", rest: 50 * ms, end: 3000 * ms, samples: 10_000,
				spec: append(lossy("reno", "32MB"), "link_loss", fmt.Sprintf("[{link: 0-2, loss: %v}]", 1/x))}
			v := c.run(t)
			return 1.31 * math.Sqrt(x), mean(v.windows())
		},
	},
	{
		scheme: "reno", says: "time between losses, that of 3/8 W^2 packets and of the W of a recovery, ms", source: "Mathis et al., regular losses; RFC 6675",
		where: "lone flow, 10 Gb/s, 13 us, W the largest window", by: "buffer, KB", at: []float64{201, 400, 800},
		share: 0.002, why: "packets; where the window has just grown by one at the loss, as with 200 KB, it is half a round trip more, 1.6 %",
		try: func(t *testing.T, x float64) (float64, float64) {
			v := sawtooth(t, "reno", x)
			return v.packetTime() * (3./8*v.largest() + 1) * v.largest(), v.period()
		},
	},
	{
		scheme: "reno", says: "utilisation 3/4 (1+b)^2/(1+b+b^2) of a sawtooth whose longest queue is b BDP", source: "Appenzeller, Keslassy and McKeown, SIGCOMM 2004, section 2: 1 at b = 1",
		where: "lone flow, 10 Gb/s, 121 us", by: "buffer, KB", at: []float64{10, 40, 80},
		share: 0.01, why: "sawteeth cut off at both ends of the measurement",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: "rate=40Gbps,bottleneck=10Gbps,delay=20us", rest: 50 * ms, end: 250 * ms, samples: 10_000,
				spec: []string{"cc", "reno", "flow_control", "none", "host.window", "off", "host.recovery", "selective",
					"switch.reserve", "0B", "buffer", fmt.Sprintf("%.0fKB", 2*x)}} // of which a lone queue may take half
			v := c.run(t)
			b := slices.Max(v.depths) / v.bdp
			return 0.75 * (1 + b) * (1 + b) / (1 + b + b*b), v.busy
		},
	},
	{
		scheme: "cubic", says: "window C (t-K)^3 + W_max, K/2 after a recovery, packets", source: "RFC 9438, section 4.2",
		where: "lone flow, 10 Gb/s, 13 us, buffer 400 KB", by: "C, packets/s^3", at: []float64{1e8, 1e9, 1e10},
		fixed: 1, why: "packets",
		try: func(t *testing.T, x float64) (float64, float64) {
			v := sawtooth(t, fmt.Sprintf("{name: cubic, params: {c: %.0f, fast_convergence: false}}", x), 400)
			w := v.windows()
			cuts := cuts(w)
			last := cuts[len(cuts)-2]
			top := w[last-1]
			k := math.Cbrt(top * 0.3 / x)
			recovery := top * v.packet * 8 / v.line
			return top - x*math.Pow(k/2, 3), w[last+int((recovery+k/2)/v.every.Seconds())]
		},
	},
	{
		scheme: "cubic", says: "time between losses in the Reno-friendly region, that of (1 - beta^2)/2 W^2/alpha packets, alpha = 3 (1-beta)/(1+beta), and of the W of a recovery, ms", source: "RFC 9438, section 4.3; RFC 6675",
		where: "lone flow, 10 Gb/s, 13 us, C = 0.4", by: "buffer, KB", at: []float64{200, 400},
		share: 0.002, why: "packets",
		try: func(t *testing.T, x float64) (float64, float64) {
			const beta = 0.7
			v := sawtooth(t, "{name: cubic, params: {fast_convergence: false}}", x)
			growth := (1 - beta*beta) / 2 * v.largest() * v.largest() / (3 * (1 - beta) / (1 + beta))
			return v.packetTime() * (growth + v.largest()), v.period()
		},
	},
	{
		scheme: "vegas", says: "queue of alpha packets per flow", source: "Low, Peterson and Wang, JACM 2002",
		where: "10 Gb/s, 100 us, alpha = beta = 20", by: "flows", at: []float64{2, 5, 10},
		each: 1, why: "the packet by which windows move",
		try: perFlows(incast{
			link: "rate=10Gbps,delay=25us", rest: 50 * ms, end: 80 * ms, samples: 1000,
			spec: lossy("{name: vegas, params: {alpha: 20, beta: 20}}", "32MB"),
		}, func(v *steady, n float64) (float64, float64) { return 20 * n, mean(v.depths) / v.packet }),
	},
}

func lossy(cc, buffer string) []string {
	return []string{"cc", cc, "lossy", "3", "host.window", "off", "host.recovery", "selective", "buffer", buffer}
}

// sawtooth is a lone flow that fills a buffer again and again.
func sawtooth(t *testing.T, cc string, buffer float64) steady {
	c := incast{n: 1, link: "rate=40Gbps,bottleneck=10Gbps,delay=2us", rest: 40 * ms, end: 140 * ms, samples: 100_000,
		spec: lossy(cc, fmt.Sprintf("%.0fKB", buffer))}
	return c.run(t)
}

// cuts returns the samples that found the window reduced.
func cuts(w []float64) (at []int) {
	for i := 1; i < len(w); i++ {
		if w[i] < 0.8*w[i-1] {
			at = append(at, i)
		}
	}
	return at
}

// period is the mean time between cuts of a lone flow's window, in ms.
func (v *steady) period() float64 {
	at := cuts(v.windows())
	return v.every.Seconds() * 1000 * float64(at[len(at)-1]-at[0]) / float64(len(at)-1)
}

// largest is the largest window of a lone flow, in packets.
func (v *steady) largest() float64 { return slices.Max(v.windows()) }

// packetTime is the time that a packet takes on the bottleneck, in ms.
func (v *steady) packetTime() float64 { return v.packet * 8 / v.line * 1000 }
