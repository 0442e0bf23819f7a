package sim

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Step runs up to the given number of events, none later than until, and reports whether the run
// continues.
func (n *Network) Step(until core.Time, events int) bool {
	limit := min(until, n.Setup.Stop)
	ran := n.Engine.Run(limit, events)
	over := n.over()
	if over {
		n.Settle()
	} else {
		n.meet(n.Engine.Bound()) // parts that have run enough events may stop apart
	}
	n.takeRecords()
	switch {
	case over:
		return false
	case ran >= events:
		return true
	}
	// A run with a set end goes on until then even if nothing happens: so do its clock and samples.
	return limit < n.Setup.Stop && (n.Setup.Stop != core.Never || !n.Engine.Idle())
}

// Settle tells the observer of all that has happened. Before the end of a run that is cut into parts, Step holds
// back what some of them have not reached.
func (n *Network) Settle() { n.meet(core.Never) }

// openFlow starts a flow at its source.
func (n *Network) openFlow(i int) {
	src := n.Setup.Flows[i].Src
	e := n.Engine.Of(src)
	n.open(i, e.Turn())
	e.CarryOut(src)
}

// numberAll numbers the flows that start at a given time, and then those that wait for others. It notes which of the
// former is the last.
func (n *Network) numberAll() {
	n.last = -1
	for i := range n.flows {
		if len(n.Setup.Flows[i].After) == 0 {
			n.number(i)
			n.last = i
		}
	}
	for i := range n.flows {
		if len(n.Setup.Flows[i].After) > 0 {
			n.number(i)
		}
	}
}

// number gives a flow its queue pair at the receiver and its source port.
func (n *Network) number(i int) {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	st.srcPort = n.sourcePort(f)
	st.dstQP = n.nextQP[f.Dst]
	n.nextQP[f.Dst]++
}

// open starts a flow in a turn of its source.
func (n *Network) open(i int, t *core.Turn) {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	part := n.partOf(f.Src)
	st.state, st.start = running, part.now()
	part.started++
	if len(n.parts) > 1 {
		part.running = append(part.running, int32(i))
	}
	path := n.first.Pair(f.Src, f.Dst)
	window, rtt := n.window(path, f.Prio)
	flow := nic.Flow{
		ID: int32(i), Dst: f.Dst, SrcPort: st.srcPort, DstPort: f.DstPort, Prio: f.Prio, DstQP: st.dstQP,
		Size: f.Bytes, Scheme: n.Setup.Schemes[f.Scheme], Marker: n.marker[f.Scheme], Receiver: n.receiver[f.Scheme],
		BaseRTT: rtt, RTO: n.timeout(path, f.Prio), FirstRTO: n.firstTimeout(path, f.Prio),
		Hops: path.Hops, Window: window, ScaleWindow: n.Setup.Windows.Scale,
		Random: core.NewStream(n.Setup.Seed, core.StreamFlow, uint64(i)),
	}
	if n.common != nil {
		flow.Shared = n.common.c
	}
	st.qp = n.hosts[f.Src].Open(t, &flow)
	part.noteStart(i)
	part.tell(&news{at: st.start, kind: flowStarted, record: FlowRecord{ID: i}})
}

// sourcePort is the given one, or 10000 for the first flow of an ordered pair of hosts, then one
// more for each.
func (n *Network) sourcePort(f *Flow) uint16 {
	if f.SrcPort != 0 {
		return f.SrcPort
	}
	pair := [2]core.NodeID{f.Src, f.Dst}
	used := n.srcPorts[pair]
	n.srcPorts[pair]++
	return 10000 + used
}

// window returns the window and the base round trip that the host gives a flow.
func (n *Network) window(p topo.Path, class uint8) (core.Bytes, core.Duration) {
	w := n.Setup.Windows
	rtt, bdp := p.RTT, p.BDP
	if w.Global {
		rtt, bdp = n.most.RTT, n.most.BDP
	}
	if w.Classes>>(class&7)&1 == 0 {
		bdp = 0
	}
	return bdp, rtt
}

// action carries out an action of a node that the engine leaves to the network.
func (p *part) action(node core.NodeID, a *core.Action) {
	switch a.Kind {
	case core.FlowDone:
		p.flowEnded(int(a.Flow), finished)
	case core.FlowFailed:
		p.flowEnded(int(a.Flow), failed)
	case core.FlowReceived:
		p.n.received(node, a.Flow)
	case core.Dropped:
		p.dropped++
	case core.Paused, core.Resumed:
		p.tell(&news{at: p.now(), kind: pauseReceived, pause: PauseRecord{
			At: p.now(), Node: node, Switch: p.n.switches[node] != nil,
			Port: int(a.Port), Classes: a.Class, Pause: a.Kind == core.Paused,
		}})
	}
}

func (p *part) flowEnded(i int, state flowProgress) {
	n := p.n
	st := &n.flows[i]
	st.state, st.end = state, p.now()
	p.ended++
	p.noteEnd(i)
	p.tell(&news{at: st.end, kind: flowEnded, record: n.Record(i)})
	p.tellFollowers(i, state)
	if len(n.parts) == 1 && n.Ended() == len(n.flows) {
		n.loop.done()
	}
	if n.Setup.Profile.ForgetReceiver {
		n.hosts[n.Setup.Flows[i].Dst].Forget(st.dstQP)
	}
}

// Record describes flow i as it now is. A flow that has not started has FCT 0.
func (n *Network) Record(i int) FlowRecord {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	r := FlowRecord{
		ID: i, Flow: f, SrcPort: st.srcPort, Start: f.Start, Ideal: n.ideal(f),
		Started: true, Finished: st.state == finished, Failed: st.state == failed,
	}
	if st.state == waiting {
		r.Started, r.Abandoned = false, n.abandoned(i)
		if len(f.After) > 0 {
			r.Start = core.Never
		}
		return r
	}
	r.Start = st.start
	end := st.end
	if st.state == running {
		end = n.Now()
	}
	r.FCT = end.Sub(st.start)
	var fs nic.FlowStats
	r.Acked, _, _, fs = n.hosts[f.Src].Flow(st.qp)
	r.Retx, r.Marked, r.Timeouts = fs.RetransmittedBytes, fs.MarkedPackets, fs.Timeouts
	return r
}

// Running reports whether flow i is sending, and then the bytes acknowledged and the answer of its
// scheme.
func (n *Network) Running(i int) (acked int64, c algorithms.Control, ok bool) {
	if n.flows[i].state != running {
		return 0, c, false
	}
	acked, _, c, _ = n.hosts[n.Setup.Flows[i].Src].Flow(n.flows[i].qp)
	return acked, c, true
}

// Depth returns the bytes that are queued at a switch port.
func (n *Network) Depth(node core.NodeID, port int) core.Bytes { return n.switches[node].Depth(port) }

// ideal is the completion time of a flow that is alone in the network; a failed link that cuts it off leaves it as it was.
func (n *Network) ideal(f *Flow) core.Duration {
	s := n.Setup
	if s.Profile.StandaloneFCT {
		first, now := n.first.Pair(f.Src, f.Dst), n.paths.Pair(f.Src, f.Dst)
		return topo.StandaloneFCT(2*first.Delay+first.Tx, cmp.Or(now.Bottleneck, first.Bottleneck), core.Bytes(f.Bytes), s.MTU)
	}
	var rates []core.Rate
	var delays []core.Duration
	for l := range n.first.Links(f.Src, f.Dst) {
		rates = append(rates, s.Topology.Links[l].Rate)
		delays = append(delays, s.Topology.Links[l].Delay)
	}
	traits := &n.traits[f.Scheme]
	extra := traits.Bytes(&n.intf, len(rates))
	return topo.IdealFCT(rates, delays, s.Profile.Timing, core.Bytes(f.Bytes), topo.Sizes{
		Payload: s.MTU, Packet: s.MTU + s.Header + extra, Ack: max(s.MinPacket, s.AckHeader+extra), AckEvery: traits.AckEvery,
	})
}

func (n *Network) portOf(node core.NodeID, link int) engine.PortID {
	for i, p := range n.ports[node] {
		if p.Link == link {
			return n.Engine.Part(0).Port(node, i)
		}
	}
	panic("sim: link not at node")
}

// Started returns the number of flows that have started.
func (n *Network) Started() int { return n.total().started }

// Ended returns the number of flows that have finished or have been given up.
func (n *Network) Ended() int { return n.total().ended + len(n.inVain()) }

// Lost returns the number of packets lost on links.
func (n *Network) Lost() int64 { return n.total().lost }

// Dropped returns the number of packets that devices have dropped: for lack of room or of a route, or with a failed link.
func (n *Network) Dropped() int64 { return n.total().dropped }

// Counters returns the counters of a node's port as they now are.
func (n *Network) Counters(node core.NodeID, port int) core.Counters {
	now := n.Now()
	if h := n.hosts[node]; h != nil {
		return h.Counters(port, now)
	}
	return n.switches[node].Counters(port, now)
}

// Histogram returns the queue-depth histogram of a switch port so far: up to a time that all parts have
// reached, since samples are taken once.
func (n *Network) Histogram(node core.NodeID, port int) []uint64 {
	at := n.Now()
	if len(n.parts) > 1 {
		at = min(at, n.met)
	}
	return n.switches[node].Histogram(port, at)
}

// Now returns the time that the network has reached.
func (n *Network) Now() core.Time { return n.loop.Now() }

// Pool returns where packets live, in the only or the first part of the network.
func (n *Network) Pool() *core.Pool { return n.parts[0].pool }

// INT returns the format of telemetry records.
func (n *Network) INT() core.INTFormat { return n.intf }

// Credits returns the configuration of credit flow control, or nil.
func (n *Network) Credits() *core.CreditConfig { return n.credits }

// Points returns the schemes that have congestion points in switches, and those that have
// notification points in hosts, in the order of the numbers that packets carry.
func (n *Network) Points() (markers, receivers []algorithms.Scheme) { return n.markers, n.receivers }

// Loss returns the probability that the link from a port loses a packet.
func (n *Network) Loss(node core.NodeID, port int) float64 {
	return n.losses[n.base[node]+port].probability
}

// MaxRTT returns the largest round trip of a pair of hosts, without queueing.
func (n *Network) MaxRTT() core.Duration { return n.most.RTT }

// Node returns a device.
func (n *Network) Node(id core.NodeID) core.Node {
	if h := n.hosts[id]; h != nil {
		return h
	}
	return n.switches[id]
}

// MaxBDP returns the largest bandwidth-delay product of a pair of hosts, in bytes.
func (n *Network) MaxBDP() core.Bytes { return n.most.BDP }

// Ports returns the ports of every node.
func (n *Network) Ports() [][]topo.Port { return n.ports }
