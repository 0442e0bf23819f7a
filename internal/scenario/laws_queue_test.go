package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// queues are the laws of ports, flow control and recovery, at which schemes have no part.
var queues = []law{
	{
		scheme: "none", says: "mean wait of packets of one size, M/D/1: rho/(2 (1 - rho)) transmissions", source: "Pollaczek and Khinchine",
		where: "Poisson arrivals of messages of one packet over a link of 10 Gb/s", by: "load rho", at: []float64{0.3, 0.5, 0.7},
		share: 0.05, why: "chance: about three standard errors of 200,000 packets",
		try: func(t *testing.T, x float64) (float64, float64) {
			return x / (2 * (1 - x)), poissonWait(t, x, 1000, 1000)
		},
	},
	{
		scheme: "none", says: "mean wait of packets of two sizes, M/G/1: rho/(2 (1 - rho)) E[S^2]/E[S], in transmissions of the longer", source: "the same",
		where: "the same, half of the packets of 100 B, the others of 1000 B", by: "load rho", at: []float64{0.3, 0.5, 0.7},
		share: 0.05, why: "the same",
		try: func(t *testing.T, x float64) (float64, float64) {
			const short = 162. / 1062 // with headers
			return x / (2 * (1 - x)) * (1 + short*short) / (1 + short), poissonWait(t, x, 100, 1000)
		},
	},
	{
		scheme: "none", says: "queue of a lossy class at an overloaded port: memory/(1/alpha + ports), KB", source: "Choudhury and Hahne, ToN 1998, dynamic thresholds",
		where: "no flow control, 4 MB, alpha = 1/8", by: "overloaded ports", at: []float64{1, 2, 4, 8},
		fixed: 1.062, why: "the packet that no longer fits",
		try: func(t *testing.T, x float64) (float64, float64) {
			return 4000 / (8 + x), mean(overloaded(t, slices.Repeat([]uint8{3}, int(x)), "switch.lossy_shift", "3"))
		},
	},
	{
		scheme: "none", says: "the same with active buffer management: memory/(1/alpha + 1)/ports, KB", source: "Addanki et al., SIGCOMM 2022",
		where: "no flow control, 4 MB, alpha = 1/2", by: "overloaded ports", at: []float64{1, 2, 4, 8},
		fixed: 1.062, why: "the packet that no longer fits",
		try: func(t *testing.T, x float64) (float64, float64) {
			return 4000 / 3 / x, mean(overloaded(t, slices.Repeat([]uint8{3}, int(x)), "switch.sharing", "abm", "switch.lossy_shift", "1"))
		},
	},
	{
		scheme: "none", says: "queue of a class at its only overloaded port beside another class that overloads N: memory/(1/alpha + 2), KB", source: "the same, isolation of classes",
		where: "the same", by: "N", at: []float64{1, 3, 7},
		share: 0.005, why: "the packets that no longer fit, of the others times alpha",
		try: func(t *testing.T, x float64) (float64, float64) {
			classes := append([]uint8{1}, slices.Repeat([]uint8{3}, int(x))...)
			return 1000, overloaded(t, classes, "switch.sharing", "abm", "switch.lossy_shift", "1")[0]
		},
	},
	{
		scheme: "none", says: "longest queue when hosts are paused: for each its reserve, memory/(1/alpha + N) and 2 d C, less what leaves meanwhile, KB", source: "IEEE 802.1Qbb; Choudhury and Hahne",
		where: "PFC, 2 hosts, 100 Gb/s, 4 MB, alpha = 1/8", by: "delay d of links, us", at: []float64{1, 5, 10},
		fixed: 2.124, why: "a packet of each host",
		try: func(t *testing.T, x float64) (float64, float64) {
			const hosts, line, reserve = 2, 100e9 / 8, 4096
			c := incast{n: hosts, link: fmt.Sprintf("rate=100Gbps,delay=%vus", x), end: 2 * ms, samples: 100_000,
				spec: []string{"cc", "none", "buffer", "4MB"}}
			v := c.run(t)
			flight := 2 * x * 1e-6 * line
			headroom := 3*(1000+62+128) + 84 + flight + 3.072e-6*line
			shared := (4e6 - (hosts+1)*(reserve+headroom)) / (8 + hosts)
			return (hosts*(reserve+shared) + (hosts-1)*flight) / 1000, slices.Max(v.depths) / 1000
		},
	},
	{
		scheme: "none", says: "share of a flow whose port of the switch is its own, while N others come by one port: 1/2, as pauses are of ports", source: "Zhu et al., SIGCOMM 2015, figure 3",
		where: "PFC, 40 Gb/s", by: "N", at: []float64{1, 3, 7},
		share: 0.01, why: "packets at both ends of the measurement",
		try: func(t *testing.T, x float64) (float64, float64) { return 0.5, ownPort(t, int(x)) },
	},
	{
		scheme: "none", says: "utilisation with credits: packets that a lane holds, over those that the link could send until their credits return", source: "IBTA volume 1, 7.9",
		where: "100 Gb/s, lanes of 64 KiB, packets of 17 blocks", by: "delay of links, us", at: []float64{3, 10, 30},
		share: 0.01, why: "bursts cut off at both ends of the measurement",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: fmt.Sprintf("rate=100Gbps,delay=%vus", x), rest: 1 * ms, end: 5 * ms, samples: 1,
				spec: []string{"cc", "none", "flow_control", "credits", "credits.buffer", "64KiB"}}
			v := c.run(t)
			const packets, size, update = 1024 / 17, 1062, 8
			return packets * size / (size + update + 2*x*1e-6*v.line/8), v.busy
		},
	},
	{
		scheme: "none", says: "utilisation with a window of w packets if one in k is acknowledged: floor(w/k) k packets in a round trip and the k-1-(w mod k) after which the next one is", source: "conservation of packets: a window moves by k",
		where: "lone flow, 100 Gb/s, 8 us, w = BDP (host.window)", by: "k (host.ack_every)", at: []float64{8, 16, 32},
		share: 0.01, why: "bursts cut off at both ends of the measurement",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: "rate=100Gbps,delay=2us", rest: 1 * ms, end: 5 * ms, samples: 1,
				spec: []string{"cc", "none", "host.window", "on", "host.ack_every", fmt.Sprint(x)}}
			v := c.run(t)
			w := math.Ceil(v.bdp / 1000)
			rest := math.Mod(w, x)
			return (w - rest) / (v.bdp/v.packet + x - 1 - rest), v.busy
		},
	},
	{
		scheme: "none", says: "goodput of go-back-N, (1-p)/(1 + (a-1) p), where a lost packet is sent again a transmissions later", source: "Schwartz, Telecommunication Networks, 1987, section 4.3",
		where: "lone flow, 100 Gb/s, 8 us", by: "one loss in", at: []float64{100, 300, 1000},
		share: 0.02, why: "losses of packets sent again, and chance",
		try: func(t *testing.T, x float64) (float64, float64) {
			c := incast{n: 1, link: "rate=100Gbps,delay=2us", rest: 1 * ms, end: 21 * ms, samples: 1,
				spec: []string{"cc", "none", "lossy", "3", "host.nack_every", "10us", "link_loss", fmt.Sprintf("[{link: 0-2, loss: %v}]", 1/x)}}
			v := c.run(t)
			a, p := v.bdp/v.packet+1, 1/x // the next packet reveals the loss
			return (1 - p) / (1 + (a-1)*p), v.rates[0] / v.line
		},
	},
}

// poissonWait is the mean wait of one-packet messages, in transmissions of the longer of two sizes drawn at random, if
// hosts with fast links send them to one over a slow link with load rho.
func poissonWait(t *testing.T, rho float64, short, long core.Bytes) float64 {
	const hosts, packets = 40, 200_000
	s := unsampled(t, nil, "topology", "dumbbell:n=40,right=1,rate=1.6Tbps,bottleneck=10Gbps", "cc", "none")
	transmission := func(size core.Bytes) core.Duration { return s.Profile.Timing.TxTime(size+s.Header, 10*core.Gbps) }
	mean := float64(transmission(short)+transmission(long)) / 2 / rho
	rng := rand.New(rand.NewPCG(1, uint64(100*rho)))
	at := 0.0
	for i := range core.NodeID(packets) {
		at += mean * rng.ExpFloat64()
		size := []core.Bytes{short, long}[rng.IntN(2)]
		s.Flows = append(s.Flows, sim.Flow{Src: i % hosts, Dst: hosts, Bytes: int64(size), Start: core.Time(at), Prio: 3, DstPort: 100})
	}
	_, q := play(t, s)
	waited := core.Duration(0)
	for i := range q.ends {
		waited += q.ends[i].FCT - q.ends[i].Ideal
	}
	return float64(waited) / float64(len(q.ends)) / float64(transmission(long))
}

// overloaded are the mean queues, KB, of ports of a switch, to each of which two hosts send at the line rate, in a class.
func overloaded(t *testing.T, classes []uint8, keys ...string) []float64 {
	var flows []sim.Flow
	ports := len(classes)
	for i := range core.NodeID(2 * ports) {
		flows = append(flows, sim.Flow{Src: core.NodeID(ports) + i, Dst: i / 2, Bytes: endless, Prio: classes[i/2], DstPort: 100})
	}
	s := unsampled(t, flows, append(keys, "topology", fmt.Sprintf("star:n=%d", 3*ports), "cc", "none", "flow_control", "none", "buffer", "4MB",
		"switch.reserve", "0B", "host.window", "off", "stop", "1s")...)
	for _, class := range classes {
		s.Lossy |= 1 << class
	}
	n, _ := begin(t, s)
	depths := make([]float64, ports)
	for at := core.Time(2 * ms); at < core.Time(3*ms); at += core.Time(100 * core.Microsecond) {
		upTo(n, at)
		for port := range depths {
			depths[port] += float64(n.Depth(core.NodeID(3*ports), port)) / 10 / 1000
		}
	}
	return depths
}

// ownPort is the share of a host's link that another host of its switch gets while n hosts send to it over the link
// between two switches.
func ownPort(t *testing.T, n int) float64 {
	var flows []sim.Flow
	for i := range core.NodeID(n + 1) {
		flows = append(flows, sim.Flow{Src: i, Dst: core.NodeID(n + 1), Bytes: endless, Prio: 3, DstPort: 100})
	}
	run, _ := begin(t, unsampled(t, flows, "topology", fmt.Sprintf("dumbbell:n=%d,right=2,rate=40Gbps", n), "cc", "none", "stop", "1s"))
	upTo(run, core.Time(10*ms))
	acked := make([]int64, len(flows))
	for i := range acked {
		acked[i] = run.Record(i).Acked
	}
	upTo(run, core.Time(15*ms))
	sum := int64(0)
	for i := range acked {
		acked[i] = run.Record(i).Acked - acked[i]
		sum += acked[i]
	}
	return float64(acked[n]) / float64(sum)
}
