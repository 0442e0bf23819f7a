package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// PFC loses nothing: hosts send at line rate, without congestion control, to one of them, over
// switches with hardly more memory than what they promise to their ports.
func TestLossless(t *testing.T) {
	for _, spec := range []string{
		"star:n=17", "star:n=17,rate=10Gbps,delay=50us", "star:n=9,rate=400Gbps,delay=0s", "star:n=9,rate=1.6Tbps,delay=10us",
		"dumbbell:n=8,bottleneck=25Gbps", "leaf-spine:leaves=4,spines=2,hosts=4,fabric=40Gbps", "fat-tree:thesis",
	} {
		t.Run(spec, func(t *testing.T) {
			s := withFlows(t, nil, "topology", spec, "cc", "none", "ecn.scale", "true", "mtu", "1500B", "options.rto", "0s")
			s.Buffer = leastBuffer(s)
			hosts := core.NodeID(len(s.Topology.Hosts()))
			for i := range hosts - 1 {
				s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: hosts - 1, Bytes: 1_000_000, Prio: 3, DstPort: 100, Tag: "incast"})
			}
			n, q := play(t, s)
			if len(q.ends) != len(s.Flows) || n.Dropped() != 0 {
				t.Errorf("%d of %d flows ended, %d packets dropped", len(q.ends), len(s.Flows), n.Dropped())
			}
			if q.pauses == 0 {
				t.Error("there were no pauses")
			}
		})
	}
}

// Nor where links hold less than a packet, so that frames make up nearly all of the headroom, and pauses wait for
// packets the other way: all hosts send to all.
func TestLosslessJumboFrames(t *testing.T) {
	for _, spec := range []string{
		"star:n=9,rate=10Gbps,delay=100ns", "star:n=9,rate=1Gbps,delay=100ns", "star:n=9,rate=1Gbps,delay=0s",
		"leaf-spine:leaves=3,spines=2,hosts=3,rate=10Gbps,fabric=10Gbps,delay=0s",
	} {
		t.Run(spec, func(t *testing.T) {
			s := withFlows(t, nil, "topology", spec, "cc", "none", "mtu", "9000B", "options.rto", "0s")
			s.Buffer = leastBuffer(s)
			for _, src := range s.Topology.Hosts() {
				for _, dst := range s.Topology.Hosts() {
					if src != dst {
						s.Flows = append(s.Flows, sim.Flow{Src: src, Dst: dst, Bytes: 200_000, Prio: 3, DstPort: 100})
					}
				}
			}
			n, q := play(t, s)
			if len(q.ends) != len(s.Flows) || n.Dropped() != 0 || q.pauses == 0 {
				t.Errorf("%d of %d flows ended, %d packets dropped, %d pauses", len(q.ends), len(s.Flows), n.Dropped(), q.pauses)
			}
		})
	}
}

// leastBuffer is hardly more than what the largest switch promises to its ports.
func leastBuffer(s *sim.Setup) (most core.Bytes) {
	promised := make([]core.Bytes, len(s.Topology.Kinds))
	for i := range s.Topology.Links {
		l := &s.Topology.Links[i]
		for _, id := range [...]core.NodeID{l.A, l.B} {
			if promised[id] += s.Headroom(l) + s.Reserve; s.Topology.Kinds[id] == topo.Switch {
				most = max(most, promised[id]+20_000)
			}
		}
	}
	return most
}

// Lossless networks drop nothing when sixty flows meet at one host, whatever the scheme, with PFC in switches of hardly
// more memory than what they promise to their ports, and with credits. Without either, the same traffic loses packets.
func TestSixtyToOneLosesNothing(t *testing.T) {
	for _, topology := range []string{
		"dumbbell:n=60,right=1,rate=25Gbps", "fat-tree:k=4,hosts=4,rate=25Gbps,fabric=100Gbps,pods=2,edges=2,aggs=2,cores=2,uplinks=2",
	} {
		for _, control := range []string{"pfc", "credits"} {
			for _, e := range catalog.All() {
				t.Run(e.Name+" "+topology+" "+control, func(t *testing.T) {
					t.Parallel()
					s := sixtyToOne(t, topology, "cc", e.Name, "flow_control", control)
					n, q := play(t, s)
					for i := range q.ends {
						if r := &q.ends[i]; !r.Finished || r.Retx != 0 {
							t.Errorf("flow %d: %+v", r.ID, *r)
						}
					}
					if len(q.ends) != 60 || n.Dropped() != 0 || n.Lost() != 0 {
						t.Errorf("%d flows ended, %d packets dropped", len(q.ends), n.Dropped())
					}
					if e.Name == "none" && waits(n, q) == 0 {
						t.Error("nothing was ever held back")
					}
				})
			}
		}
		t.Run("none "+topology+" none", func(t *testing.T) {
			t.Parallel()
			n, _ := play(t, sixtyToOne(t, topology, "cc", "none", "flow_control", "none", "options.rto", "100us", "stop", "1ms"))
			if n.Dropped() == 0 {
				t.Error("no packet was dropped: the switches have room for all")
			}
		})
	}
}

// A queue is blocked if its neighbour has paused it, or has no room, not by its length. That is no deadlock.
func TestBlocked(t *testing.T) {
	for control, want := range map[string]bool{"pfc": true, "credits": true, "none": false} {
		s := sixtyToOne(t, "fat-tree:k=4,hosts=4,rate=25Gbps,fabric=100Gbps,pods=2,edges=2,aggs=2,cores=2,uplinks=2", "cc", "none", "flow_control", control)
		n, _ := begin(t, s)
		for now := core.Time(0); now < core.AtNanos(100_000); now += 997_000 { // not in step with the packets
			n.Step(now, 1<<30)
			if cycle, _ := n.Deadlock(); len(cycle) > 0 {
				t.Errorf("flow control %s: a deadlock at %v: %+v", control, now, cycle)
			}
		}
		deepest := core.Bytes(0)
		for id, ports := range n.Ports() {
			for port := range ports {
				if n.Setup.Topology.Kinds[id] == topo.Switch {
					deepest = max(deepest, n.Depth(core.NodeID(id), port))
				}
			}
		}
		blocked := n.Blocked()
		for _, b := range blocked {
			if b.Bytes == 0 || b.Since > n.Now() != (control == "credits") || n.Setup.Topology.Kinds[b.Peer.Node] != topo.Switch {
				t.Errorf("%+v", b)
			}
		}
		if deepest == 0 || (len(blocked) > 0) != want {
			t.Errorf("flow control %s: queues of up to %v, %d blocked", control, deepest, len(blocked))
		}
	}
}

// sixtyToOne returns flows of 50 KB from the first hosts to the last one, at once.
func sixtyToOne(t *testing.T, topology string, keys ...string) *sim.Setup {
	t.Helper()
	s := withFlows(t, nil, append([]string{"topology", topology, "options.rto", "1s", "stop", "100ms", "queue_sampling.interval", "0s", "series.interval", "0s", "credits.buffer", "16KiB"}, keys...)...)
	s.Buffer = leastBuffer(s)
	hosts := s.Topology.Hosts()
	last := len(hosts) - 1
	for i := range 60 {
		s.Flows = append(s.Flows, sim.Flow{Src: hosts[i%last], Dst: hosts[last], Bytes: 50_000, Prio: 3, DstPort: 100})
	}
	return s
}

// waits adds the pauses of a run and the time that ports have waited for credits.
func waits(n *sim.Network, q *quiet) (sum int64) {
	for id, ports := range n.Ports() {
		for i := range ports {
			sum += int64(n.Counters(core.NodeID(id), i).Waited)
		}
	}
	return sum + int64(q.pauses)
}
