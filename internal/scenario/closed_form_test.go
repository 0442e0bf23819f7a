package scenario

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// quiet is an observer that keeps the ends of flows and the number of pauses.
type quiet struct {
	ends   []sim.FlowRecord
	pauses int
	paused []uint8 // classes of each pause
}

func (q *quiet) FlowEnded(r *sim.FlowRecord) { q.ends = append(q.ends, *r) }
func (q *quiet) PauseReceived(r *sim.PauseRecord) {
	q.pauses++
	q.paused = append(q.paused, r.Classes)
}
func (q *quiet) QueueDump(core.Time, *sim.Network) {}
func (q *quiet) Records([]core.Record)             {}

// withFlows is the set-up of a scenario, with the given flows instead of its own.
func withFlows(t testing.TB, flows []sim.Flow, pairs ...string) *sim.Setup {
	t.Helper()
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns\n0,1,1,0\n")
	s, err := of(t, append([]string{"flows", file}, pairs...)...).Setup()
	if err != nil {
		t.Fatal(err)
	}
	s.Flows = flows
	return s
}

// unsampled is withFlows without samples of queues and time series.
func unsampled(t testing.TB, flows []sim.Flow, pairs ...string) *sim.Setup {
	t.Helper()
	return withFlows(t, flows, append(pairs, "queue_sampling.interval", "0s", "series.interval", "0s")...)
}

// begin makes the network of a set-up, at time 0.
func begin(t testing.TB, s *sim.Setup) (*sim.Network, *quiet) {
	t.Helper()
	q := &quiet{}
	n, err := sim.Build(s, q)
	if err != nil {
		t.Fatal(err)
	}
	return n, q
}

// upTo runs a network up to a time.
func upTo(n *sim.Network, at core.Time) {
	for n.Step(at, 1<<20) && n.Engine.Now() < at {
	}
}

// play runs a set-up to its end.
func play(t testing.TB, s *sim.Setup) (*sim.Network, *quiet) {
	t.Helper()
	n, q := begin(t, s)
	for n.Step(core.Never, 1<<20) {
	}
	return n, q
}

var builtIn = []string{
	"star:n=4", "star:n=3,rate=25Gbps,delay=7ns", "star:n=3,rate=40000000007bps,delay=333ps", "star:n=2,rate=10Mbps,delay=0s", "star:n=2,rate=1.6Tbps",
	"dumbbell:n=3", "dumbbell:n=2,right=3,bottleneck=25Gbps", "dumbbell:n=2,bottleneck=400Gbps",
	"leaf-spine:leaves=3,spines=2,hosts=2", "leaf-spine:leaves=2,spines=4,hosts=3,rate=25Gbps,fabric=100Gbps",
	"fat-tree:k=4", "fat-tree:k=4,fabric=400Gbps,delay=600ns", "fat-tree:thesis", "fat-tree:hpcc",
}

// loneFlows are flows each of which is alone in the network: between hosts of the first edge
// switch, of the first pod, and of the two ends.
func loneFlows(t testing.TB, spec string) (flows []sim.Flow) {
	t.Helper()
	network, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	hosts := 0
	for _, k := range network.Kinds {
		if k == topo.Host {
			hosts++
		}
	}
	last := core.NodeID(hosts - 1)
	sizes := []int64{1, 999, 1000, 1001, 2500, 100_000, 3_000_000}
	at := core.Time(0)
	for _, pair := range [][2]core.NodeID{{0, 1}, {0, last}, {last, 0}, {last / 2, last}} {
		for _, size := range sizes {
			if pair[0] != pair[1] {
				flows = append(flows, sim.Flow{Src: pair[0], Dst: pair[1], Bytes: size, Start: at, Prio: 3, DstPort: 100, Tag: "lone"})
				at += core.Time(10*core.Second) + 12_345
			}
		}
	}
	return flows
}

// A lone flow takes the time of the closed form: to the picosecond in the native profile, to the
// nanosecond in NS-3's, on every built-in topology.
func TestLoneFlow(t *testing.T) {
	for _, profile := range []string{"native", "ns3"} {
		for _, spec := range builtIn {
			t.Run(profile+" "+spec, func(t *testing.T) {
				flows := loneFlows(t, spec)
				if profile == "ns3" {
					for i := range flows {
						flows[i].Start -= flows[i].Start % core.Time(core.Nanosecond)
					}
				}
				s := withFlows(t, flows, "topology", spec, "cc", "none", "profile", profile, "stop", "400s", "ecn.scale", "true", "options.rto", "0s",
					"options.standalone_fct", "false")
				n, q := play(t, s)
				routes := topo.NewRoutes(s.Topology, nil, s.Profile.ECMP)
				sizes := topo.Sizes{Payload: s.MTU, Packet: s.MTU + s.Header, Ack: max(s.MinPacket, s.AckHeader)}
				paths := topo.NewPaths(routes, s.Profile.Timing, sizes)
				for i := range flows {
					f, r := &flows[i], n.Record(i)
					line := paths.Line(f.Src, f.Dst, topo.First)
					back := slices.Clone(line)
					slices.Reverse(back)
					if want := topo.IdealFCT(line, back, s.Profile.Timing, core.Bytes(f.Bytes), sizes); !r.Finished || r.FCT != want {
						t.Errorf("%d bytes from %d to %d: finished %v after %v, want %v", f.Bytes, f.Src, f.Dst, r.Finished, r.FCT, want)
					}
					if r.Ideal != r.FCT {
						t.Errorf("%d bytes from %d to %d: took %v, ideal is %v", f.Bytes, f.Src, f.Dst, r.FCT, r.Ideal)
					}
				}
				if len(q.ends) != len(flows) || n.Dropped() != 0 || n.Pool().Live() != 0 {
					t.Errorf("%d of %d flows ended, %d packets dropped, %d alive", len(q.ends), len(flows), n.Dropped(), n.Pool().Live())
				}
			})
		}
	}
}

// The closed form includes what schemes add to headers: HPCC's records, in both formats, and TIMELY's stamp. Their
// first window and rate are the line's, so that a flow of at most a window is not held back.
func TestLoneFlowWithHeaders(t *testing.T) {
	for _, c := range [...][2]string{
		{"none", "false"}, {"hpcc", "false"}, {"hpcc", "true"}, {"timely", "false"}, {"dctcp", "false"}, {"dcqcn", "false"},
	} {
		flows := loneFlows(t, "fat-tree:thesis")
		var short []sim.Flow
		for _, f := range flows {
			if f.Bytes <= 2500 {
				short = append(short, f)
			}
		}
		n, _ := play(t, withFlows(t, short, "topology", "fat-tree:thesis", "cc", c[0], "options.short_int", c[1]))
		for i := range short {
			if r := n.Record(i); !r.Finished || r.FCT != r.Ideal {
				t.Errorf("%s, short INT %s, %d bytes: finished %v after %v, want %v", c[0], c[1], short[i].Bytes, r.Finished, r.FCT, r.Ideal)
			}
		}
	}
}

// What a host takes for a packet comes on top of the closed form, and is a part of the base round trip: in whole
// nanoseconds where the clock counts these.
func TestLoneFlowAtASlowHost(t *testing.T) {
	for timing, want := range map[string]core.Duration{"exact": 4200, "ns3": 3000} {
		keys := []string{"topology", "star:n=2", "cc", "none", "options.timing", timing}
		flow := []sim.Flow{{Src: 0, Dst: 1, Bytes: 1000, Prio: 3, DstPort: 100}}
		fast, _ := play(t, withFlows(t, flow, keys...))
		slow, _ := play(t, withFlows(t, flow, append(keys, "host.delay", "1500ps", "host.service", "2700ps")...))
		r := slow.Record(0)
		if took, trip := r.FCT-r.Ideal, slow.MaxRTT()-fast.MaxRTT(); took != want || trip != want {
			t.Errorf("%s: the host took %v, and %v of the base round trip, want %v", timing, took, trip, want)
		}
	}
}

// PowerTCP (NSDI 2022) does not take a full link without a queue for a congested one, whatever its speed: a lone flow
// of many windows takes as long as it would without congestion control.
func TestLoneFlowMeetsNoPower(t *testing.T) {
	for _, cc := range []string{"powertcp", "theta-powertcp"} {
		for _, link := range []string{"rate=10Mbps,delay=1us", "rate=1Gbps,delay=1us", "rate=25Gbps,delay=0s", "rate=400Gbps,delay=1us"} {
			flows := []sim.Flow{{Src: 0, Dst: 1, Bytes: 5_000_000, Prio: 3, DstPort: 100}}
			n, _ := play(t, withFlows(t, flows, "topology", "star:n=2,"+link, "cc", cc))
			if r := n.Record(0); r.FCT > r.Ideal*1001/1000 {
				t.Errorf("%s, %s: takes %.3f of the ideal time", cc, link, float64(r.FCT)/float64(r.Ideal))
			}
		}
	}
}

// Seven flows of one size that share a link all the time end when the link has carried all their
// bytes: no time is lost between packets, and nothing is sent twice.
func TestSharedLinkIsFull(t *testing.T) {
	const n, size = 7, 200_000
	var flows []sim.Flow
	for i := range n {
		flows = append(flows, sim.Flow{Src: core.NodeID(i), Dst: n, Bytes: size, Prio: 3, DstPort: 100, Tag: "incast"})
	}
	s := withFlows(t, flows, "topology", fmt.Sprintf("star:n=%d", n+1), "cc", "none", "host.header", "48", "host.ack_header", "46", "host.min_packet", "60")
	net, q := play(t, s)
	last := core.Duration(0)
	for i := range q.ends {
		last = max(last, q.ends[i].FCT)
	}
	// The first packet arrives at the switch after 83.84 ns and 1 us; then the link carries 1400
	// packets of 1048 bytes; then 1 us, and an ACK of 60 bytes over two links.
	const want = 83_840 + 1_000_000 + n*size/1000*83_840 + 1_000_000 + 2*(4_800+1_000_000)
	if last != want {
		t.Errorf("the last flow ended after %v, want %v", last, core.Duration(want))
	}
	if c := net.Counters(n+1, n); c.TxBytes != n*size/1000*1048 || c.DroppedPackets != 0 {
		t.Errorf("counted %+v", c)
	}
}
