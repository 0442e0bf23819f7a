package scenario

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// trimming are the keys of a network for NDP, whose queues hold eight packets of 4062 bytes.
var trimming = []string{
	"cc", "ndp", "mtu", "4KB", "flow_control", "none", "buffer", "4270MB", "switch.reserve", "0B", "switch.lossy_shift", "17", "switch.trim", "true",
	"host.recovery", "selective", "host.reordering", "100000", "host.window", "off",
}

// pulls are the laws of packets that receivers pull: those of NDP.
var pulls = []law{
	{
		scheme: "ndp", says: "n-1 hosts send to one: their packets at its line rate, and the headers of what the first windows have beyond one of them and a queue, us", source: "Handley et al., SIGCOMM 2017: pulled packets fill the receiver's link",
		where: "100 Gb/s, delay 1 us, packets of 4 KB, queues of 8 packets, switches that trim; 1 MB", by: "hosts n", at: []float64{2, 9, 33, 101, 401},
		share: 0.001, why: "pulls of flows whose last packets are on their way",
		try: pulledIncast("one-many:1MB", 250),
	},
	{
		scheme: "ndp", says: "the same for messages shorter than the first window", source: "the same",
		where: "the same, 20 KB", by: "hosts n", at: []float64{9, 33, 101, 401},
		fixed: 1.5, why: "what is pulled first comes when the first windows have passed",
		try: pulledIncast("one-many:20KB", 5),
	},
	{
		scheme: "ndp", says: "the slowest flow has C/N, Gb/s", source: "the same, section 3.2: the pull queue serves its flows in turn",
		where: "100 Gb/s, 4 us, packets of 4 KB, queues of 8 packets, switches that trim", by: "flows", at: []float64{2, 10, 40},
		share: 0.01, why: "packets at both ends of the measurement",
		try: perFlows(incast{link: "rate=100Gbps,delay=1us", rest: 2 * ms, end: 6 * ms, samples: 1, spec: trimming},
			func(v *steady, n float64) (float64, float64) { return v.line / n / 1e9, v.slowest() }),
	},
	{
		scheme: "ndp", says: "utilisation, a first window in a round trip", source: "conservation: a packet that comes is pulled once",
		where: "lone flow, 100 Gb/s, 8 us", by: "first window, packets", at: []float64{10, 40, 90},
		share: 0.01, why: "bursts cut off at both ends of the measurement",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: "rate=100Gbps,delay=2us", rest: ms, end: 3 * ms, samples: 1, spec: []string{"cc", fmt.Sprintf("{name: ndp, params: {initial_window: %v}}", x)}}
			v := c.run(t)
			return x * v.packet / v.bdp, v.busy
		},
	},
	{
		scheme: "ndp", says: "queue of first windows, N ceil(1.5 BDP/packet) packet - BDP, KB", source: "the same",
		where: "100 Gb/s, 8 us, PFC", by: "flows", at: []float64{2, 10, 64},
		fixed: 1.07, why: "the packet being sent",
		try: perFlows(incast{
			link: "rate=100Gbps,delay=2us", rest: ms, end: 3 * ms, samples: 1000, spec: []string{"cc", "ndp", "host.window", "off", "buffer", "100MB"},
		}, func(v *steady, n float64) (float64, float64) {
			return (n*math.Ceil(1.5*v.bdp/v.packet)*v.packet - v.bdp) / 1000, mean(v.depths) / 1000
		}),
	},
	{
		scheme: "ndp", says: "utilisation at a part of the line rate", source: "the same, section 3.2: pulls are paced",
		where: "10 flows, otherwise as the slowest flow", by: "pull_rate", at: []float64{0.5, 0.8, 0.95},
		share: 0.002, why: "packets at both ends of the measurement",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 10, link: "rate=100Gbps,delay=1us", rest: 2 * ms, end: 6 * ms, samples: 1, spec: slices.Concat(trimming, []string{"cc", fmt.Sprintf("{name: ndp, params: {pull_rate: %v}}", x)})}
			v := c.run(t)
			return x, v.busy
		},
	},
}

// pulledIncast compares the time in which n-1 hosts send so many packets each to one with that of the packets on its link.
func pulledIncast(pattern string, packets float64) func(*testing.T, float64) (float64, float64) {
	const perByte = 8 / 100e3 // us
	return collective(pattern, "star:n=%v,rate=100Gbps", func(n float64) float64 {
		rtt := 4 + float64(2*(4062+66)*perByte)
		first := min(packets, math.Ceil(1.5*rtt/(4062*perByte)))
		cut := max(0, (n-2)*first-8)
		return 2 + (((n-1)*packets+1)*4062+float64(cut*62))*perByte
	}, trimming...)
}
