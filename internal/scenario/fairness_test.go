package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
)

// span is a range of Jain's index.
type span struct{ from, to float64 }

var fair = span{0.95, 1}

// shares is the expectation for four flows of a scheme, two of which join late: Jain's index of
// their bytes in the last quarter of the run, in the dumbbell and in the fat-tree.
type shares struct {
	cc             string
	spec           []string // besides cc
	tcp            bool     // in a lossy class, at lossyArenas
	length         core.Duration
	dumbbell, tree span
	used           float64 // smallest part of the bottleneck's rate that is payload
	why            string
}

const ms = core.Millisecond

// fairness has a row for every scheme. Those whose sources promise fair shares have an index above
// 0.95, and the row says where the promise is made; for the others it says why there is none, and
// what is measured instead.
var fairness = []shares{
	{cc: "{name: hpcc, params: {mi_thresh: 5}}", length: 60 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "additive increase once a round trip (SIGCOMM 2019), with that paper's maxStage of 5"},
	{cc: "hpcc", length: 10 * ms, dumbbell: span{0.7, 0.95}, tree: span{0.8, 1}, used: 0.8,
		why: "the default maxStage of 0 is that of the authors' simulation settings: growth is in proportion to the rate in every step, which keeps the ratio of two rates, but for 0.04 % of the line a round trip"},
	{cc: "hpcc-window", length: 30 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "as the first, maxStage of 5"},
	{cc: "{name: hpcc-pint, params: {mi_thresh: 5}}", length: 30 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "HPCC's rule on a digest (SIGCOMM 2020), maxStage of 5"},
	{cc: "hpcc-pint", length: 20 * ms, dumbbell: span{0.85, 1}, tree: span{0.8, 1}, used: 0.8,
		why: "maxStage of 0, as for hpcc"},
	{cc: "dcqcn", length: 30 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "the fluid model has one fixed point, with equal rates (SIGCOMM 2015)"},
	{cc: "dcqcn-paper", length: 30 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "the same"},
	{cc: "dcqcn-plus", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "the equal of DCQCN in small incasts (Yang 2018, abstract)"},
	{cc: "timely", length: 10 * ms, dumbbell: span{0.9, 1}, tree: span{0.9, 1}, used: 0.7,
		why: "no promise: its rates have no unique fixed point (Zhu et al., CoNEXT 2016); here delays reach the upper threshold, where the decrease is multiplicative, and that makes them equal"},
	{cc: "timely-paper", length: 10 * ms, dumbbell: span{0.9, 1}, tree: span{0.9, 1}, used: 0.8,
		why: "the same"},
	{cc: "timely-patched", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "one fixed point, with equal rates (CoNEXT 2016)"},
	{cc: "dctcp", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "additive increase, decrease by the share of marks (SIGCOMM 2010)"},
	{cc: "dctcp-window", length: 20 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "the same"},
	{cc: "swift", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "additive increase and multiplicative decrease, a longer target for small windows (SIGCOMM 2020)"},
	{cc: "powertcp", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "a fair equilibrium (NSDI 2022)"},
	{cc: "theta-powertcp", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "the same, for equal paths"},
	{cc: "mpcc", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "windows tend to one fair share (Zheng 2024, section 5.3)"},
	{cc: "rocc", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "one rate for all flows of a queue (CoNEXT 2020)"},
	{cc: "rcp", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "one rate for all flows of a link (IWQoS 2005)"},
	{cc: "xcp", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.9,
		why: "equal increases, decreases in proportion, a tenth of the traffic shuffled (SIGCOMM 2002)"},
	{cc: "bolt", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.9,
		why: "one packet more a round trip for every flow, decreases by a flow's part of the queue (NSDI 2023)"},
	{cc: "nscc", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "equal increases, divided by the window, and decreases in proportion to it (UE 1.0, section 3.6.13)"},
	{cc: "ndp", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.9,
		why: "a receiver pulls its flows in turn (SIGCOMM 2017, section 3.2): the fat-tree's bottleneck; in the dumbbell, where each flow has a receiver, they have first windows alike on their way"},
	{cc: "af-qcn", length: 30 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "feedback by a flow's share (HotI 2010)"},
	{cc: "fqcn", length: 10 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "notifies all flows above their share (INFOCOM 2011)"},
	{cc: "qcn-abc", length: 30 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "byte cycles that last equally long at any rate (Hayashi et al., 2011)"},
	{cc: "qcn", length: 20 * ms, dumbbell: span{0.8, 0.95}, tree: span{0.8, 0.95}, used: 0.8,
		why: "no promise: byte cycles are shorter for fast flows, and convergence slow (Shu et al., 2017, abstract)"},
	{cc: "qcn-t", length: 20 * ms, dumbbell: span{0.8, 1}, tree: span{0.8, 1}, used: 0.8,
		why: "promised (Shu et al., 2017), but ours is a reconstruction whose timer is ten byte cycles: as slow as QCN here"},
	{cc: "rcc", length: 10 * ms, dumbbell: span{0.5, 0.9}, tree: fair, used: 0.8,
		why: "a receiver divides its own link equally (ICNP 2021): the fat-tree's bottleneck; the dumbbell's is inside the network, where the reconstruction adjusts each window by delay in proportion to it and keeps their ratio"},
	{cc: "{name: ib-cc, params: {preset: dcms}}", spec: []string{"flow_control", "credits"}, length: 20 * ms, dumbbell: span{0.9, 1}, tree: span{0.9, 1}, used: 0.4,
		why: "no promise: each flow's place in a table of 128 gaps, which are 1/127 of the longest apart; flows alike come to places alike"},
	{cc: "none", length: 10 * ms, dumbbell: fair, tree: span{0.25, 0.95}, used: 0.8,
		why: "no congestion control: switches serve their inputs alike, so flows with an input of their own get equal shares, those that share one do not (the parking lot)"},
	{cc: "reno", tcp: true, length: 400 * ms, dumbbell: span{0.9, 1}, tree: span{0.85, 1}, used: 0.8,
		why: "additive increase, multiplicative decrease (Chiu and Jain, 1989), in the mean over many losses, of which there are a few dozen here"},
	{cc: "cubic", tcp: true, length: 400 * ms, dumbbell: fair, tree: fair, used: 0.8,
		why: "fair among its own (RFC 9438, section 5.6), in the mean over many losses: after 200 ms the tree's index is 0.92 to 1, by when the third flow starts to 0.1 ms, and 0.96 in the mean"},
	{cc: "vegas", tcp: true, length: 50 * ms, dumbbell: span{0.4, 0.95}, tree: span{0.4, 0.95}, used: 0.8,
		why: "no promise: a late flow takes the queue of the others for a part of its base delay (Mo et al., INFOCOM 1999), and alpha to beta is a band, in which windows rest"},
}

// Schemes reach fair shares where their sources say so, without a loss in lossless classes, and use
// most of the bottleneck.
func TestFairShares(t *testing.T) {
	seen := make(map[string]bool)
	for i := range fairness {
		c := &fairness[i]
		e, _ := catalog.Find(of(t, "cc", c.cc).CC.Name)
		seen[e.Name] = true
		places, spec := arenas, append([]string{"cc", c.cc}, c.spec...)
		if c.tcp {
			places = lossyArenas
			spec = append(spec, "lossy", "3", "buffer", "500KB", "host.recovery", "selective", "host.window", "off")
		}
		for k, want := range []span{c.dumbbell, c.tree} {
			a := &places[k]
			t.Run(c.cc+" "+a.topology, func(t *testing.T) {
				t.Parallel()
				race := a.contest(t, c.length, spec...)
				v := race.run(t)
				t.Logf("index %.3f, used %.2f", v.jain, v.used)
				if v.jain < want.from || v.jain > want.to || v.used < c.used || v.lost != 0 && !c.tcp {
					t.Errorf("%+v; want an index from %v to %v and %v of the link, because: %s", v, want.from, want.to, c.used, c.why)
				}
			})
		}
	}
	for _, e := range catalog.All() {
		if !seen[e.Name] {
			t.Errorf("%s has no row in fairness; add one, with the source of what it promises", e.Name)
		}
	}
}
