package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// manyFlows are flows from the first hosts to the last one, at 10 Gb/s with the switch memory and
// the marking of the DCQCN+ experiments (sections 4 and 6; SIGCOMM 2015's thresholds), which meet
// at the port from the first node of meet to the second.
func manyFlows(t *testing.T, topology string, meet [2]core.NodeID, cc string, flows int, apart core.Duration) contest {
	t.Helper()
	c := contest{node: meet[0], length: 200 * core.Millisecond, spec: []string{
		"topology", topology, "cc", cc, "buffer", "5100KB", "options.rto", "1s",
		"ecn.thresholds", "{rate: 40Gbps, kmin: 5KB, kmax: 200KB, pmax: 0.01}",
	}}
	net := withFlows(t, nil, c.spec...).Topology
	hosts := net.Hosts()
	last := len(hosts) - 1
	for i, p := range net.Ports()[c.node] {
		if p.Peer == meet[1] {
			c.port = i
		}
	}
	for i := range flows {
		c.flows = append(c.flows, sim.Flow{
			Src: hosts[i%last], Dst: hosts[last], Bytes: endless, Prio: 3, DstPort: 100, Start: core.Time(core.Duration(i) * apart),
		})
	}
	return c
}

// crossroads are networks of 10 Gb/s links with the port at which all flows to the last host meet.
// The first is that of the DCQCN+ experiments (figure 6).
var crossroads = []struct {
	topology string
	meet     [2]core.NodeID
}{
	{"star:n=9,rate=10Gbps", [2]core.NodeID{9, 8}},
	{"dumbbell:n=8,right=1,rate=10Gbps", [2]core.NodeID{9, 10}},
	{"fat-tree:k=4,rate=10Gbps,fabric=10Gbps", [2]core.NodeID{23, 15}},
}

const (
	adapter  = "{name: dcqcn-paper, params: {preset: connectx4}}"
	diverged = 200_000 // a queue that stays above it is a failure to converge (DCQCN+, section 6.3)
)

// DCQCN with its adapter's defaults does not converge for hundreds of flows: the queue stays at the
// limit that PFC sets, since steps, recovery and the supply of CNPs do not adapt to the number of
// flows (DCQCN+, section 4; figure 2: from 80 flows on at 10 Gb/s). DCQCN+ makes its timers longer
// and its steps smaller, and the queue stays short. For few flows DCQCN converges.
func TestHundredsOfFlows(t *testing.T) {
	for i, at := range crossroads {
		for _, c := range []struct {
			cc    string
			flows int
			fails bool
		}{{adapter, 200, true}, {"dcqcn-plus", 200, false}, {adapter, 16, false}, {adapter, 80, true}} {
			if i > 0 && c.flows < 200 {
				continue
			}
			race := manyFlows(t, at.topology, at.meet, c.cc, c.flows, 0)
			v := race.run(t)
			if fails := v.mean > diverged; fails != c.fails || v.lost != 0 || v.used < 0.8 {
				t.Errorf("%s, %d flows, %s: %+v; want a failure to converge: %v", at.topology, c.flows, c.cc, v, c.fails)
			}
			if !c.fails && v.top > diverged {
				t.Errorf("%s, %d flows, %s: the queue still reaches %v", at.topology, c.flows, c.cc, v.top)
			}
		}
	}
}

// DCQCN+ leads sixteen flows of 10 Gb/s that begin together to fair shares.
func TestDCQCNPlusShares(t *testing.T) {
	for _, at := range crossroads {
		race := manyFlows(t, at.topology, at.meet, "dcqcn-plus", 16, 0)
		if v := race.run(t); v.jain < 0.95 || v.mean > diverged || v.used < 0.75 {
			t.Errorf("%s: %+v; want an index of 0.95", at.topology, v)
		}
	}
}

// Under DCQCN+ eighty flows of 10 Gb/s split into two groups, with short queues all the while, and
// the slower group ends at the minimum rate; so do the last of sixteen that join one by one. The
// cause is the published timer K = lambda max(tau, MTU/R_C) (section 4.3). Flows with MTU/R_C above
// tau, which is at least 50 us, that is flows below 160 Mb/s, take steps that are longer the slower
// they are; the others take theirs together, ten or so from one episode of congestion to the next,
// five of which only undo the last cut. A flow whose MTU/R_C is some 90 us has not reached its
// sixth step by then, so it is cut again without having grown, and its steps become even longer. If
// the smallest tau is longer than MTU/R_C at the fair share, all take the same steps and the shares
// are fair.
func TestDCQCNPlusParts(t *testing.T) {
	for _, c := range []struct {
		place, flows int
		apart        core.Duration
		from, to     int // flows of the slower group
	}{{0, 80, 0, 10, 70}, {1, 16, core.Millisecond, 1, 8}} {
		at := crossroads[c.place]
		parts := manyFlows(t, at.topology, at.meet, "dcqcn-plus", c.flows, c.apart)
		v := parts.run(t)
		slow, between := 0, 0
		for _, r := range v.rates {
			switch {
			case r < 40*core.Mbps:
				slow++
			case r < 100*core.Mbps:
				between++
			}
		}
		if slow < c.from || slow > c.to || between != 0 || v.mean > diverged || v.used < 0.8 {
			t.Errorf("%s, %d flows: %d below 40 Mb/s, %d from there to 100 Mb/s, mean queue %v; want two groups", at.topology, c.flows, slow, between, v.mean)
		}
		long := manyFlows(t, at.topology, at.meet, "{name: dcqcn-plus, params: {min_period: 200us}}", c.flows, c.apart)
		w := long.run(t)
		if w.jain < 0.95 || w.mean > diverged || w.used < 0.8 {
			t.Errorf("%s, %d flows with a period of 200 us: index %.2f, mean queue %v; want an index of 0.95", at.topology, c.flows, w.jain, w.mean)
		}
		t.Logf("%s, %d flows: %d slow, index %.2f; with a period of 200 us %.2f", at.topology, c.flows, slow, v.jain, w.jain)
	}
}

// A thousand flows that begin together make a queue of a thousand round trips, twice what a digest of one byte can
// express; HPCC-PINT still drains it, as HPCC does.
func TestQueueBeyondTheDigest(t *testing.T) {
	c := incast{
		n: 1000, link: "rate=25Gbps,delay=1us", rest: 5 * ms, end: 6 * ms, samples: 10,
		spec: []string{"cc", "hpcc-pint", "buffer", "64MB"},
	}
	v := c.run(t)
	if most := 1000 * 1.1 * v.packet; mean(v.depths) > most || v.busy < 0.99 {
		t.Errorf("after 5 ms the queue holds %.0f bytes, want at most a packet of each flow, %.0f; the link sends for %.3f of the time", mean(v.depths), most, v.busy)
	}
}
