//go:build cgo

package main

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// busy is an incast on a leaf-spine fabric with marks and pauses, and with more keys of a scenario.
func busy(t *testing.T, profile, scheme string, more ...[2]string) *sim.Setup {
	t.Helper()
	sc := scenario.Default()
	for _, kv := range append([][2]string{
		{"profile", profile}, {"topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps"}, {"duration", "100us"},
		{"incast", "6x100KB@50us"}, {"cc", scheme}, {"buffer", "1500KB"}, {"seed", "7"},
		{"ecn.thresholds", "{rate: 100Gbps, kmin: 10KB, kmax: 100KB, pmax: 0.5}"},
	}, more...) {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	s.Profile.Order, s.Profile.StartChain, s.Sampling.Interval, s.Stop = engine.BySchedule, false, 0, core.Time(core.Millisecond)*20
	for i := range s.Flows {
		s.Flows[i].SrcPort = uint16(10000 + i)
	}
	return s
}

// TestHosted runs a busy network in both profiles with its devices behind the C interface and in
// the standalone simulator: every flow takes the same time, to the picosecond, and the counters of
// every port are equal.
func TestHosted(t *testing.T) {
	for _, c := range [...][2]string{
		{"ns3", "dcqcn"}, {"ns3", "hpcc"}, {"ns3", "hpcc-pint"}, {"ns3", "timely"}, {"ns3", "dctcp"},
		{"native", "dcqcn-paper"}, {"native", "qcn"}, {"native", "rocc"}, {"native", "swift"}, {"native", "none"},
	} {
		t.Run(c[0]+" "+c[1], func(t *testing.T) {
			both(t, busy(t, c[0], c[1]))
		})
	}
}

// TestHostedClasses does the same with flows of two classes, which have weights, one of them lossy with selective
// recovery, and with time-outs that fit each flow or that its scheme chooses.
func TestHostedClasses(t *testing.T) {
	for _, cc := range []string{"none", "{name: cubic, params: {first_window: 100}}"} {
		t.Run(cc, func(t *testing.T) {
			s := busy(t, "native", cc)
			s.Lossy, s.LossyShift, s.Recovery[1], s.Weights = 1<<1, 4, nic.Selective, [8]uint8{1: 3, 3: 2}
			for i := range s.Flows {
				if i%3 == 0 {
					s.Flows[i].Prio = 1
				}
			}
			n := both(t, s)
			if n.Dropped() == 0 || n.Timeout(0) == n.Timeout(1) || n.FirstTimeout(0) == n.FirstTimeout(1) {
				t.Errorf("%d packets dropped, time-outs %v and %v, first %v and %v: this tests too little",
					n.Dropped(), n.Timeout(0), n.Timeout(1), n.FirstTimeout(0), n.FirstTimeout(1))
			}
		})
	}
}

// TestHostedStrict does the same with a class of strict priority.
func TestHostedStrict(t *testing.T) {
	s := busy(t, "native", "dcqcn", [2]string{"switch.strict", "1"})
	for i := range s.Flows {
		s.Flows[i].Prio = []uint8{1, 3, 5}[i%3]
	}
	both(t, s)
}

// TestHostedWatchdog does the same with watchdogs that drop what is paused.
func TestHostedWatchdog(t *testing.T) {
	s := busy(t, "native", "none", [2]string{"incast", "7x400KB@20us"}, [2]string{"pfc_watchdog.detection", "1us"}, [2]string{"pfc_watchdog.restoration", "3us"})
	if n := both(t, s); n.WatchdogCounters().Refused == 0 {
		t.Errorf("%+v: this tests too little", n.WatchdogCounters())
	}
}

// TestHostedCoalescing does the same with one acknowledgement for many packets.
func TestHostedCoalescing(t *testing.T) {
	for _, cc := range []string{"hpcc", "dcqcn", "swift"} {
		t.Run(cc, func(t *testing.T) { both(t, busy(t, "native", cc, [2]string{"host.ack_every", "16"})) })
	}
}

// both runs a set-up in both ways, compares the results, and returns the standalone run.
func both(t *testing.T, s *sim.Setup) *sim.Network {
	t.Helper()
	want, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for want.Step(s.Stop, 1<<20) {
	}
	got := host(t, want)
	for got.engine.Run(s.Stop, 1<<20) == 1<<20 {
	}
	compare(t, got, want)
	return want
}

func compare(t *testing.T, got *hosted, want *sim.Network) {
	t.Helper()
	finished := 0
	for i := range got.setup.Flows {
		r := want.Record(i)
		if !r.Finished {
			r.FCT = 0
		} else {
			finished++
		}
		if got.fct[i] != r.FCT {
			t.Errorf("flow %d takes %v, want %v", i, got.fct[i], r.FCT)
		}
	}
	if finished < 12 {
		t.Errorf("%d flows have finished: this tests nothing", finished)
	}
	var pauses, marks int64
	for id, ports := range want.Ports() {
		for port := range ports {
			c := want.Counters(core.NodeID(id), port)
			pauses, marks = pauses+c.PausesSent, marks+c.Marked
			if got, want := got.counters(id, port), fmt.Sprint(countersOf(c)); got != want {
				t.Errorf("node %d port %d counts %s, want %s", id, port, got, want)
			}
		}
	}
	if pauses == 0 && marks == 0 {
		t.Error("nothing was marked or paused: this tests too little")
	}
	t.Logf("%d flows, %d pauses, %d marks", finished, pauses, marks)
}

func (h *hosted) counters(id, port int) string {
	return fmt.Sprint(readCounters(qbb_node_counters, h.nodes[id], port, h.engine.Now()))
}

func readCounters[H ~uint64, U ~uint32, T ~int64, C any, R ~int32](f func(H, U, T, *C) R, node uint64, port int, now core.Time) C {
	var c C
	if code := f(H(node), U(port), T(now), &c); code != 0 {
		panic(code)
	}
	return c
}

type integer interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// fill sets a number of one of C's types.
func fill[T, N integer](to *T, n N) { *to = T(n) }

func point[T, F any](to **T, from *F) { *to = (*T)(unsafe.Pointer(from)) }

func nodeConfig[H, C, O, R any](func(H, *C, *O) R) *C { return new(C) }

// makeNode makes a node of a network.
func makeNode[H ~uint64, C any, O ~uint64, R ~int32](t *testing.T, f func(H, *C, *O) R, h uint64, c *C) uint64 {
	t.Helper()
	var out O
	if code := f(H(h), c, &out); code != 0 {
		t.Fatalf("code %d", code)
	}
	return uint64(out)
}

func makeNet[C any, O ~uint64, R ~int32](t *testing.T, f func(*C, *O) R, c *C) uint64 {
	t.Helper()
	var out O
	if code := f(c, &out); code != 0 {
		t.Fatalf("code %d", code)
	}
	return uint64(out)
}

func netConfig[C, O, R any](func(*C, *O) R) *C { return new(C) }

// host makes the network of a set-up. Numbers of options are those of qbb.h.
func host(t *testing.T, alone *sim.Network) *hosted {
	t.Helper()
	s := alone.Setup
	qbb_open(abiVersion)
	h := &hosted{
		t: t, setup: s, rto: alone.Timeout, first: alone.FirstTimeout, routes: topo.NewRoutes(s.Topology, nil, s.Profile.ECMP),
		nodes: make([]uint64, len(s.Topology.Kinds)), qps: make([]int32, len(s.Topology.Kinds)),
		dstQP: make([]int32, len(s.Flows)), fct: make([]core.Duration, len(s.Flows)),
	}
	h.paths = topo.NewPaths(h.routes, s.Profile.Timing, topo.Sizes{Payload: s.MTU, Packet: s.MTU + s.Header, Ack: max(s.MinPacket, s.AckHeader), Host: s.HostDelay + s.HostService})
	most := h.paths.Max()
	h.rtt, h.bdp = most.RTT, most.BDP
	format := core.FullINT(max(1, most.Hops-1))
	if s.Profile.ShortINT {
		format = core.QuantisedINT(1)
	}
	h.pool = &network{pool: core.NewPool(format.MaxHops), format: format}
	handle := objects.add(&scheme{s.Schemes[0], s.Schemes[0].Traits()})
	nc := netConfig(qbb_net_new)
	fill(&nc.size, unsafe.Sizeof(*nc))
	fill(&nc.options, one(s.Profile.CommonRandom, 1))
	fill(&nc.seed, s.Seed)
	fill(&nc.mark_stream, 6*len(h.nodes)+2)
	fill(&nc.nodes, len(h.nodes))
	fill(&nc.timing, uint8(s.Profile.Timing))
	fill(&nc.mtu, s.MTU)
	fill(&nc.max_rtt, h.rtt)
	writeFormat(&nc.format, format)
	point(&nc.schemes, &handle)
	nc.n_schemes, nc.max_qps = 1, 1<<16
	h.net = makeNet(t, qbb_net_new, nc)
	h.build()
	return h
}

// build makes the nodes, their routes, and the links.
func (h *hosted) build() {
	s := h.setup
	ports := s.Topology.Ports()
	counts := make([]int, len(ports))
	for id, p := range ports {
		counts[id] = len(p)
		if s.Topology.Kinds[id] == topo.Host {
			h.addHost(id, p)
		} else {
			h.addSwitch(id, p)
		}
		for _, dst := range s.Topology.Hosts() {
			if next := h.routes.Next(core.NodeID(id), dst); len(next) > 0 {
				route(qbb_node_route, h.nodes[id], dst, next)
			}
		}
	}
	h.engine = engine.New(s.Profile.Order, h.pool.pool, counts)
	h.engine.Actions = h.done
	for id, p := range ports {
		h.engine.Attach(core.NodeID(id), device{h, h.nodes[id]})
		for i, at := range p {
			l := &s.Topology.Links[at.Link]
			if l.A == core.NodeID(id) {
				h.engine.Connect(h.engine.Port(l.A, i), h.engine.Port(at.Peer, at.PeerPort), l.Delay)
			}
		}
	}
	h.starts = h.engine.AddProcess(h)
	h.engine.ScheduleProcess(h.starts, s.Flows[0].Start)
}

func route[H ~uint64, D ~int32, P ~uint16, N ~uint32, R ~int32](f func(H, D, *P, N) R, node uint64, dst core.NodeID, ports []uint16) {
	if code := f(H(node), D(dst), (*P)(unsafe.Pointer(&ports[0])), N(len(ports))); code != 0 {
		panic(code)
	}
}

func (h *hosted) addHost(id int, ports []topo.Port) {
	s, p := h.setup, &h.setup.Profile
	rates := make([]core.Rate, len(ports))
	for i, at := range ports {
		rates[i] = s.Topology.Links[at.Link].Rate
	}
	c := nodeConfig(qbb_nic_new)
	fill(&c.size, unsafe.Sizeof(*c))
	fill(&c.options, one(s.AckPrio0, 1)|one(p.AckDuplicates, 2)|one(p.SkipAcked, 4)|one(s.Unpaced, 8)|one(p.WakeForAll, 16)|one(p.AckClass == 3, 64)|one(s.Entropy == nic.Sprayed, 128)|one(s.Entropy == nic.Recycled, 256)|one(s.Entropy == nic.Protective, 512))
	fill(&c.id, id)
	fill(&c.header, s.Header)
	if s.Trim {
		fill(&c.ack_control, s.Lossy)
	}
	fill(&c.ack, s.AckHeader)
	fill(&c.min_packet, s.MinPacket)
	fill(&c.nack_every, s.NackEvery)
	fill(&c.ack_every, s.AckEvery)
	fill(&c.chunk, s.Chunk)
	for class, way := range s.Recovery {
		fill(&c.recovery[class], way)
	}
	fill(&c.rto_low, s.RTOLow)
	fill(&c.reordering, s.Reordering)
	fill(&c.delay, s.HostDelay)
	fill(&c.service, s.HostService)
	fill(&c.retries, p.Retries)
	fill(&c.n_ports, len(rates))
	point(&c.rates, &rates[0])
	h.nodes[id] = makeNode(h.t, qbb_nic_new, h.net, c)
}

// cSwitchPort is a qbb_switch_port.
type cSwitchPort struct {
	rate                 core.Rate
	headroom, kmin, kmax core.Bytes
	pmax                 float64
	shift                uint32
	toHost               int32
}

func (h *hosted) addSwitch(id int, ports []topo.Port) {
	s, p := h.setup, &h.setup.Profile
	list := make([]cSwitchPort, len(ports))
	for i, at := range ports {
		l := &s.Topology.Links[at.Link]
		kmin, kmax, pmax, _ := s.ECN(l.Rate)
		list[i] = cSwitchPort{l.Rate, h.headroom(l), kmin, kmax, pmax, uint32(s.AlphaShift), int32(one(s.Topology.Kinds[at.Peer] == topo.Host, 1))}
	}
	c := nodeConfig(qbb_switch_new)
	fill(&c.size, unsafe.Sizeof(*c))
	fill(&c.options, one(s.NoPFC, 1)|one(s.ECNOff, 2)|one(s.ECNAtEnqueue, 4)|one(p.MarkAny, 8)|one(p.Wrap32, 16)|one(p.KeepOnFlush, 32)|one(s.Trim, 64))
	fill(&c.id, id)
	fill(&c.pause_size, p.PauseSize)
	fill(&c.pause_quanta, p.PauseQuanta)
	fill(&c.buffer, s.Buffer)
	fill(&c.reserve, s.Reserve)
	fill(&c.resume, s.Resume)
	fill(&c.flowlet_gap, s.FlowletGap)
	fill(&c.watchdog_detection, s.Watchdog.Detection)
	fill(&c.watchdog_restoration, s.Watchdog.Restoration)
	fill(&c.balance, s.Balance)
	fill(&c.lossy, s.Lossy)
	fill(&c.lossy_shift, s.LossyShift)
	fill(&c.sharing, s.Sharing)
	fill(&c.strict, s.Strict)
	fill(&c.first_alpha, s.FirstAlpha)
	fill(&c.first_bytes, h.bdp)
	for i, w := range s.Weights {
		fill(&c.weights[i], w)
	}
	fill(&c.n_ports, len(list))
	c.notice_size = 64
	point(&c.ports, &list[0])
	h.nodes[id] = makeNode(h.t, qbb_switch_new, h.net, c)
}

// headroom is the headroom that the standalone simulator gives a port in the two profiles.
func (h *hosted) headroom(l *topo.Link) core.Bytes {
	if h.setup.ExactHeadroom {
		flight := float64(l.Rate) * (2*l.Delay + 3072*core.Nanosecond).Seconds() / 8
		return 3*(h.setup.MTU+h.setup.Header+128) + 84 + core.Bytes(flight)
	}
	return core.Bytes(int64(l.Rate) * l.Delay.WholeNanos() / 8 / 1e9 * 3)
}

// open starts a flow.
func (h *hosted) open(i int, f *sim.Flow) {
	path, w := h.paths.Pair(f.Src, f.Dst), h.setup.Windows
	rtt, bdp := path.RTT, path.BDP
	if w.Global {
		rtt, bdp = h.rtt, h.bdp
	}
	if w.Classes>>f.Prio&1 == 0 {
		bdp = 0
	}
	h.dstQP[i] = h.qps[f.Dst]
	h.qps[f.Dst]++
	c := flowConfig(qbb_nic_open)
	fill(&c.size, unsafe.Sizeof(*c))
	fill(&c.id, i)
	fill(&c.dst, f.Dst)
	fill(&c.dst_qp, h.dstQP[i])
	fill(&c.src_port, f.SrcPort)
	fill(&c.dst_port, f.DstPort)
	fill(&c.prio, f.Prio)
	fill(&c.scale_window, one(w.Scale, 1))
	fill(&c.hops, path.Hops)
	fill(&c.bytes, f.Bytes)
	fill(&c.base_rtt, rtt)
	fill(&c.window, bdp)
	fill(&c.rto, h.rto(i))
	fill(&c.first_rto, h.first(i))
	openFlow(qbb_nic_open, device{h, h.nodes[f.Src]}, h.engine.Turn(), c, room)
}

func flowConfig[H, T, F, Q, A, U, R any](func(H, T, T, *F, *Q, *A, U) R) *F { return new(F) }

func openFlow[H ~uint64, T ~int64, F, Q, A any, U ~uint32, R ~int32](f func(H, T, T, *F, *Q, *A, U) R, d device, t *core.Turn, c *F, out []A) {
	d.obey(t, int(f(H(d.n), T(t.Now), T(t.Born), c, nil, &out[0], U(len(out)))))
}
