package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
)

// flowState is what the network remembers of a flow.
type flowState struct {
	qp, dstQP  int32
	connection int32 // as nic.Flow has it
	srcPort    uint16
	state      flowProgress
	received   bool // its destination has its last byte, as far as is known
	start      core.Time
	end        core.Time
}

type flowProgress uint8

const (
	waiting flowProgress = iota
	running
	finished
	failed
)

// ledger is what is known of all flows.
type ledger struct {
	flows       []flowState
	srcPorts    map[[2]core.NodeID]uint16 // used by a pair of hosts
	nextQP      []int32                   // by node: queue pairs promised to flows that end there
	connections queuePairs                // with Setup.Connections
	last        int                       // the flow that starts last of those that wait for no other; -1: none
	followers   followers
	unopened    unopened
	// abandonedFlows are what allAbandoned has found so far.
	abandonedFlows map[int]bool
}

// numberAll numbers the flows and notes which is the last that starts at a given time. Their order is that of the list, so
// that further flows at its end leave the numbers of the others, which ECMP hashes, as they are.
func (n *Network) numberAll() {
	n.last = -1
	for i := range n.flows {
		n.number(i)
		f := &n.Setup.Flows[i]
		if f.waits() {
			continue
		}
		if n.last >= 0 && f.Start < n.Setup.Flows[n.last].Start {
			panic(fmt.Sprintf("sim: flow %d starts before flow %d: Setup.Flows is not in the order of starts", i, n.last))
		}
		n.last = i
	}
}

// number gives a flow its queue pair at the receiver and its source port.
func (n *Network) number(i int) {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	st.srcPort = n.sourcePort(f)
	st.dstQP = n.nextQP[f.Dst]
	n.nextQP[f.Dst]++
}

// FirstSourcePort is the source port of the first flow from a host to another; each next one has one more, of as many as
// there are Setup.Connections.
const FirstSourcePort = 10000

// sourcePort is the given one, or the next one of an ordered pair of hosts.
func (n *Network) sourcePort(f *Flow) uint16 {
	if f.SrcPort != 0 {
		return f.SrcPort
	}
	pair := [2]core.NodeID{f.Src, f.Dst}
	next := n.srcPorts[pair]
	n.srcPorts[pair]++
	if most := n.Setup.Connections; most > 0 {
		n.srcPorts[pair] = uint16((int(next) + 1) % most)
	}
	return FirstSourcePort + next
}

// openFlow starts a flow at its source.
func (n *Network) openFlow(i int) {
	src := n.Setup.Flows[i].Src
	e := n.Engine.Of(src)
	if n.Setup.Profile.InOrder() {
		n.Engine.Join(src)
	}
	n.open(i, e.Turn())
	e.CarryOut(src)
}

// open starts a flow in a turn of its source.
func (n *Network) open(i int, t *core.Turn) {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	part := n.partOf(f.Src)
	st.state, st.start = running, part.now()
	part.started++
	n.unopened.opened(f)
	if len(n.parts) > 1 {
		part.running = append(part.running, int32(i))
	}
	path := n.first.Pair(f.Src, f.Dst)
	window, rtt := n.window(path, f.Prio)
	marker, receiver := n.points.Of(int(f.Scheme))
	flow := nic.Flow{
		ID: int32(i), Dst: f.Dst, SrcPort: st.srcPort, DstPort: f.DstPort, Prio: f.Prio, DstQP: st.dstQP, Connection: st.connection,
		Size: f.Bytes, Scheme: n.Setup.Schemes[f.Scheme], Marker: marker, Receiver: receiver,
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

func (p *part) flowEnded(i int, state flowProgress) {
	n := p.n
	st := &n.flows[i]
	st.state, st.end = state, p.now()
	p.ended++
	p.noteEnd(i)
	p.tell(&news{at: st.end, kind: flowEnded, record: n.Record(i)})
	p.tellFollowers(i, state)
	if len(n.parts) == 1 && n.allEnded() {
		n.loop.done()
	}
	if n.Setup.ClosedLoop {
		n.keep(&n.ends, Ends, i)
	}
	switch {
	case !n.Setup.Profile.ForgetReceiver:
	case p.apart():
		p.forgotten = append(p.forgotten, int32(i))
	default:
		n.forget(i)
	}
}

// forget makes the receiver of a flow forget it.
func (n *Network) forget(i int) { n.hosts[n.Setup.Flows[i].Dst].Forget(n.flows[i].dstQP) }

// Record describes flow i as it now is. A flow that has not started has FCT 0.
func (n *Network) Record(i int) FlowRecord {
	f, st := &n.Setup.Flows[i], &n.flows[i]
	r := FlowRecord{
		ID: i, Flow: f, SrcPort: st.srcPort, Start: f.Start, Ideal: n.ideal(f, st.srcPort),
		Started: true, Finished: st.state == finished, Failed: st.state == failed,
	}
	if st.state == waiting {
		r.Started, r.Abandoned = false, n.abandoned(i)
		if f.waits() {
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

// ideal is the completion time of a flow that is alone in the network; a failed link that cuts it off leaves it as it was.
func (n *Network) ideal(f *Flow, srcPort uint16) core.Duration {
	s := n.Setup
	if s.Profile.StandaloneFCT {
		first, now := n.first.Pair(f.Src, f.Dst), n.paths.Pair(f.Src, f.Dst)
		return topo.StandaloneFCT(2*first.Delay+first.Tx, cmp.Or(now.Bottleneck, first.Bottleneck), core.Bytes(f.Bytes), s.MTU)
	}
	there, back := n.lines(f, srcPort)
	traits := &n.traits[f.Scheme]
	extra := traits.Bytes(&n.intf, len(there))
	return topo.IdealFCT(there, back, s.Profile.Timing, core.Bytes(f.Bytes), topo.Sizes{
		Payload: s.MTU, Packet: s.MTU + s.Header + extra, Ack: max(s.MinPacket, s.AckHeader+extra),
		AckEvery: max(s.AckEvery, traits.AckEvery),
	})
}

// lines are the links that packets of a flow take at the start, and those that their acknowledgements take. Where packets
// of a flow take several paths, it is the first one, there and back.
func (n *Network) lines(f *Flow, srcPort uint16) (there, back []topo.Link) {
	if !n.Setup.OnePath() {
		there = n.first.Line(f.Src, f.Dst, topo.First)
		back = slices.Clone(there)
		slices.Reverse(back)
		return there, back
	}
	seed := n.Setup.ecmpSeed()
	line := func(p core.Packet) []topo.Link {
		return n.first.Line(p.Src, p.Dst, func(at core.NodeID, ports []uint16) int {
			port, _ := core.ECMPPort(ports, &p, at, seed)
			return port
		})
	}
	there = line(core.Packet{Src: f.Src, Dst: f.Dst, SrcPort: srcPort, DstPort: f.DstPort})
	return there, line(core.Packet{Src: f.Dst, Dst: f.Src, SrcPort: f.DstPort, DstPort: srcPort})
}
