package scenario

import (
	"fmt"
	"math"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// collectives are the times of collectives, in us.
var collectives = []law{
	{
		scheme: "none", says: "all-reduce in a ring: 2 (n-1) steps, in each an n-th and the ACKs of another on a link, and two delays, us", source: "Patarasuk and Yuan, JPDC 2009",
		where: "400 Gb/s, delay 1 us, packets of 4 KB, 8 MB", by: "hosts n", at: []float64{4, 8, 32},
		share: 0.002, why: "the ACKs of the last step meet no data",
		try: collective("ring-all-reduce:8MB", "star:n=%v,rate=400Gbps", func(n float64) float64 { return 2 * (n - 1) * exchanged(8e6/n, 2) }),
	},
	{
		scheme: "none", says: "the same in leaves of four hosts: a quarter of the steps have two more delays, us", source: "the same",
		where: "the same, leaf-spine with two spines", by: "leaves n/4", at: []float64{2, 4, 8},
		share: 0.01, why: "the same, and packets that wait for one another between the leaves",
		try: collective("ring-all-reduce:8MB", "leaf-spine:leaves=%v,spines=2,hosts=4,rate=400Gbps", func(leaves float64) float64 {
			n := 4 * leaves
			return 2*(n-1)*exchanged(8e6/n, 2) + 2*leaves*(exchanged(8e6/n, 4)-exchanged(8e6/n, 2))
		}),
	},
	{
		scheme: "none", says: "rings of a host of each of four leaves: all cross the leaf's only link to a spine, which carries n pieces at a time, us", source: "conservation",
		where: "the same, leaf-spine with one spine", by: "hosts of a leaf, and rings, n", at: []float64{1, 2, 4},
		share: 0.02, why: "packets wait for one another between the leaves, and the delays of a ring pass while others send",
		try: func(t *testing.T, x float64) (float64, float64) {
			t.Helper()
			return collective(fmt.Sprintf("ring-all-reduce:8MB,stride=%v", x), "leaf-spine:leaves=4,spines=1,hosts=%v,rate=400Gbps", func(n float64) float64 {
				return 6 * exchanged(n*8e6/4, 4)
			})(t, x)
		},
	},
	{
		scheme: "none", says: "all-reduce by halving and doubling: 2 log2(n) steps of S/2, S/4, ..., S/n and backwards, us", source: "Thakur, Rabenseifner and Gropp, IJHPCA 2005",
		where: "as for the ring", by: "hosts n", at: []float64{4, 8, 32},
		share: 0.002, why: "the same",
		try: collective("halving-doubling:8MB", "star:n=%v,rate=400Gbps", func(n float64) (us float64) {
			for part := 2.0; part <= n; part *= 2 {
				us += 2 * exchanged(8e6/part, 2)
			}
			return us
		}),
	},
	{
		scheme: "none", says: "all-to-all: n-1 messages and the ACKs of as many on a link, us", source: "conservation",
		where: "the same, messages of 1 MB", by: "hosts n", at: []float64{4, 8, 16},
		share: 0.01, why: "the last flows do not end together",
		try: collective("all-to-all:1MB", "star:n=%v,rate=400Gbps", func(n float64) float64 { return exchanged((n-1)*1e6, 2) }),
	},
	{
		scheme: "none", says: "the same in four leaves of four hosts: 48 messages and as many ACKs on the links to n spines, us", source: "the same",
		where: "adaptive load balancing, selective recovery that allows for reordering", by: "spines n", at: []float64{1, 2, 3},
		share: 0.02, why: "the same",
		try: collective("all-to-all:1MB", "leaf-spine:leaves=4,spines=%v,hosts=4,rate=400Gbps", func(n float64) float64 { return exchanged(48e6/n, 4) },
			"switch.load_balance", "adaptive", "host.recovery", "selective", "host.reordering", "100000", "host.window", "off", "buffer", "1GB"),
	},
	{
		scheme: "none", says: "all-reduce of three phases: reduce-scatter in groups of four, all-reduce of what each host then has in rings across the n/4 groups, all-gather in the groups, us", source: "the sum of their steps",
		where: "as for the ring; patterns with after=", by: "hosts n", at: []float64{8, 16, 32},
		share: 0.002, why: "the ACKs of the last step meet no data",
		try: collective("ring-all-gather:8MB,group=4,tag=scatter", "star:n=%v,rate=400Gbps", func(n float64) float64 {
			return 6*exchanged(2e6, 2) + 2*(n/4-1)*exchanged(2e6/(n/4), 2)
		}, "patterns", "ring-all-reduce:2MB,stride=4,tag=across,after=scatter", "patterns", "ring-all-gather:8MB,group=4,after=across"),
	},
	{
		scheme: "none", says: "n-1 hosts send to one at their line rates, and switches trim what finds no room: ten headers go for a packet, us", source: "Handley et al., SIGCOMM 2017, section 3.1",
		where: "400 Gb/s, delay 1 us, packets of 4 KB, 4 MB", by: "hosts n", at: []float64{49, 65, 81},
		share: 0.01, why: "fewer headers at the end",
		try: collective("one-many:4MB", "star:n=%v,rate=400Gbps", func(n float64) float64 { return (n - 1) * 1000 * (4062 + 10*62) * 8 / 400e3 },
			"flow_control", "none", "host.recovery", "selective", "switch.trim", "true", "buffer", "2MB"),
	},
}

// exchanged is the time of a step in us: both ways a link of 400 Gb/s carries so many bytes in packets of 4 KB, with
// headers of 62 B and ACKs of 66 B for what comes; the last packet passes several links of 1 us.
func exchanged(bytes, links float64) float64 {
	packets := math.Ceil(bytes / 4000)
	last := bytes - float64((packets-1)*4000) + 62
	const perByte = 8 / 400e3 // us
	return (bytes+float64(packets*(62+66)))*perByte + links*1 + float64((links-1)*last)*perByte
}

// collective compares the time of a pattern, less that of the last acknowledgement's way back, with what is predicted; the
// topology has x in it.
func collective(pattern, topology string, predict func(x float64) float64, more ...string) func(*testing.T, float64) (float64, float64) {
	return func(t *testing.T, x float64) (float64, float64) {
		t.Helper()
		s, err := of(t, append([]string{
			"topology", fmt.Sprintf(topology, x), "patterns", pattern, "cc", "none", "mtu", "4KB", "queue_sampling.interval", "0s", "series.interval", "0s",
		}, more...)...).Setup()
		if err != nil {
			t.Fatal(err)
		}
		_, q := play(t, s)
		var end core.Time
		for i := range q.ends {
			end = max(end, q.ends[i].Start.Add(q.ends[i].FCT))
		}
		if len(q.ends) != len(s.Flows) {
			t.Errorf("%d of %d flows have finished", len(q.ends), len(s.Flows))
		}
		return predict(x), core.Duration(end).Seconds()*1e6 - 2
	}
}
