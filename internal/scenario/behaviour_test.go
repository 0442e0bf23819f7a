package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// contest is a run of long flows to one bottleneck, judged by its last quarter.
type contest struct {
	spec   []string // of the scenario
	flows  []sim.Flow
	node   core.NodeID // of the bottleneck's switch
	port   int
	length core.Duration
	change func(*sim.Setup) // before the run; nil: nothing
}

// verdict is the result of a contest in its last quarter, except for losses and pauses, which are
// those of the whole run.
type verdict struct {
	jain      float64 // index of the bytes acknowledged
	rates     []core.Rate
	used      float64 // part of the bottleneck that these took
	mean, top core.Bytes
	lost      int64
	pauses    int
}

func (c *contest) run(t *testing.T) (v verdict) {
	t.Helper()
	s := withFlows(t, c.flows, append(c.spec, "stop", "100s", "queue_sampling.interval", "0s", "series.interval", "0s")...)
	if c.change != nil {
		c.change(s)
	}
	n, q := begin(t, s)
	const samples = 1000
	before := make([]int64, len(c.flows))
	sum := core.Bytes(0)
	for i := range samples {
		upTo(n, core.Time(c.length*core.Duration(i+1)/samples))
		switch depth := n.Node(c.node).(*switching.Switch).Depth(c.port); {
		case i+1 == samples*3/4:
			for k := range c.flows {
				before[k] = n.Record(k).Acked
			}
		case i+1 > samples*3/4:
			v.top = max(v.top, depth)
			sum += depth
		}
	}
	v.mean, v.lost, v.pauses = sum/(samples/4), n.Dropped(), q.pauses
	total, squares, seconds := 0.0, 0.0, c.length.Seconds()/4
	for k := range c.flows {
		x := float64(n.Record(k).Acked - before[k])
		total, squares = total+x, squares+x*x
		v.rates = append(v.rates, core.Rate(x*8/seconds))
	}
	v.jain = total * total / squares / float64(len(c.flows))
	rate := s.Topology.Links[n.Ports()[c.node][c.port].Link].Rate
	v.used = total * 8 / seconds / float64(rate)
	return v
}

const endless = 1 << 40

// arena is a network with the port at which four flows of equal paths meet.
type arena struct {
	topology string
	src, dst [4]core.NodeID
	meet     [2]core.NodeID // the bottleneck leads from the first node to the second
}

var arenas = []arena{
	{"dumbbell:n=4", [4]core.NodeID{0, 1, 2, 3}, [4]core.NodeID{4, 5, 6, 7}, [2]core.NodeID{8, 9}},
	{"fat-tree:thesis", [4]core.NodeID{0, 1, 4, 5}, [4]core.NodeID{15, 15, 15, 15}, [2]core.NodeID{19, 15}},
}

// lossyArenas are the same for TCP: slower, so that a few tenths of a second have many losses, and
// with links to the bottleneck that are faster than it. Where all links have one rate the packets
// of the flows fall in step, and drop-tail always hits the same ones (Floyd and Jacobson, On
// Traffic Phase Effects in Packet-Switched Gateways, 1992).
var lossyArenas = []arena{
	{"dumbbell:n=4,rate=40Gbps,bottleneck=10Gbps", arenas[0].src, arenas[0].dst, arenas[0].meet},
	{"fat-tree:k=4,hosts=4,rate=10Gbps,fabric=40Gbps,pods=2,edges=2,aggs=2,cores=2,uplinks=2", arenas[1].src, arenas[1].dst, arenas[1].meet},
}

// contest has four flows: two begin together, one 1 ms and one 2 ms later.
func (a *arena) contest(t *testing.T, length core.Duration, spec ...string) contest {
	t.Helper()
	c := contest{spec: append([]string{"topology", a.topology}, spec...), node: a.meet[0], length: length}
	for i, p := range withFlows(t, nil, c.spec...).Topology.Ports()[c.node] {
		if p.Peer == a.meet[1] {
			c.port = i
		}
	}
	for i, start := range []core.Duration{0, 0, core.Millisecond, 2 * core.Millisecond} {
		c.flows = append(c.flows, sim.Flow{Src: a.src[i], Dst: a.dst[i], Bytes: endless, Prio: 3, DstPort: 100, Start: core.Time(start)})
	}
	return c
}

// XCP (SIGCOMM 2002, section 5) and Bolt (NSDI 2023) use nearly all of a link, of which at most
// 0.93 is payload, with a queue of one or two packets (XCP) and of a few (Bolt).
func TestSwitchesThatKnowTheirLoad(t *testing.T) {
	const packet = 1000 + 62 + 12
	for _, c := range []struct {
		cc        string
		mean, top core.Bytes
	}{{"xcp", 2 * packet, 10 * packet}, {"bolt", 8 * packet, 25 * packet}} {
		for i := range arenas {
			a := &arenas[i]
			race := a.contest(t, 10*core.Millisecond, "cc", c.cc)
			if v := race.run(t); v.mean > c.mean || v.top > c.top || v.used < 0.92 {
				t.Errorf("%s, %s: %+v; want a queue of at most %v, of %v in the mean, at a busy link", c.cc, a.topology, v, c.top, c.mean)
			}
		}
	}
}

// XCP's shares do not depend on round trips (SIGCOMM 2002, section 3.5): two flows whose sources
// are 20 us farther away get as much as the others, where Reno would give them shares in proportion
// to 1/RTT.
func TestXCPIsFairToLongRoundTrips(t *testing.T) {
	race := arenas[0].contest(t, 20*core.Millisecond, "cc", "xcp", "host.window", "off")
	race.change = func(s *sim.Setup) {
		for i := range s.Topology.Links {
			if l := &s.Topology.Links[i]; min(l.A, l.B) == 1 || min(l.A, l.B) == 2 {
				l.Delay += 20 * core.Microsecond
			}
		}
	}
	if v := race.run(t); v.jain < 0.95 || v.used < 0.9 {
		t.Errorf("%+v; want equal shares of a busy link", v)
	}
}

// Proactive ramp-up (NSDI 2023): when one of two flows ends, Bolt's other flow has the link a round
// trip later, as the switch knew a window in advance. HPCC and XCP keep the queue as short, but
// have to notice the end first.
func TestBoltForeseesTheEndOfFlows(t *testing.T) {
	const round = 5 * core.Microsecond
	for _, c := range []struct {
		cc   string
		used span // of the second round trip after the end
	}{{"bolt", span{0.85, 1}}, {"hpcc", span{0.4, 0.6}}, {"xcp", span{0.4, 0.6}}} {
		s := unsampled(t, []sim.Flow{
			{Src: 0, Dst: 2, Bytes: endless, Prio: 3, DstPort: 100},
			{Src: 1, Dst: 3, Bytes: 20_000_000, Prio: 3, DstPort: 100},
		}, "topology", "dumbbell:n=2", "cc", c.cc, "stop", "100s")
		n, _ := begin(t, s)
		at := core.Time(0)
		pass := func(d core.Duration) int64 {
			at = at.Add(d)
			upTo(n, at)
			return n.Record(0).Acked
		}
		for !n.Record(1).Finished {
			pass(core.Microsecond)
		}
		first := pass(round)
		used := float64(pass(round)-first) * 8 / round.Seconds() / float64(s.Topology.Links[0].Rate)
		if used < c.used.from || used > c.used.to {
			t.Errorf("%s: the other flow has %.2f of the link, want %v", c.cc, used, c.used)
		}
	}
}

// MPCC drives the queue of the bottleneck to near zero (thesis, section 5.2): a packet or two
// remain, where DCQCN and DCTCP keep two hundred.
func TestMPCCEmptiesTheQueue(t *testing.T) {
	const packet = 1000 + 62 + 32
	for i := range arenas {
		a := &arenas[i]
		race := a.contest(t, 10*core.Millisecond, "cc", "mpcc")
		if v := race.run(t); v.mean > 2*packet || v.top > 10*packet || v.used < 0.85 {
			t.Errorf("%s: %+v; want a queue of a packet or two at a busy link", a.topology, v)
		}
		race = a.contest(t, 10*core.Millisecond, "cc", "dctcp")
		if v := race.run(t); v.mean < 100*packet {
			t.Errorf("%s: with DCTCP the queue is %v, too short for a comparison", a.topology, v.mean)
		}
	}
}
