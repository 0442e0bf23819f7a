package laws

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/stall"
)

// Run runs a network to its end, or until laws are broken, and returns these. The error is that of a network which cannot
// be built.
func Run(s *sim.Setup) (broken []string, err error) {
	l := newLaws(s)
	if err := l.run(l); err != nil {
		return nil, err
	}
	return l.broken, nil
}

// laws is the bystander of a run.
type laws struct {
	s        *sim.Setup
	n        *sim.Network
	wires    [][]*wire         // by node and port: of the direction that leaves it
	away     [][]int           // by destination and node: links of a shortest path; nil until asked for
	paths    map[pathKey]int32 // the port on which they go on
	flows    []flowLaws
	begun    map[queuePair][]int64 // flows of connections, in the order of their turns, some that have ended left out
	ordered  bool                  // no packet of a flow overtakes another, or is sent again for want of patience
	arriving []*arrival            // by switch: what has arrived and is not yet in a queue
	early    [][]*arrival          // by switch: what has arrived and is held, to be put in order
	held     []core.Bytes          // by switch: in classes other than 0
	changes  []sim.LinkEvent       // still to come
	dropped  int64
	broken   []string
}

// arrival is a packet that has arrived at a port of a switch.
type arrival struct {
	core.Packet
	in   *wire
	at   core.Time
	held bool
}

// pathKey is a device and the packets that take one path through it.
type pathKey struct {
	node     core.NodeID
	src, dst core.NodeID
	ports    [2]uint16
}

func newLaws(s *sim.Setup) *laws {
	nodes := len(s.Topology.Kinds)
	l := &laws{
		s: s, flows: make([]flowLaws, len(s.Flows)), changes: s.Links, paths: make(map[pathKey]int32), begun: make(map[queuePair][]int64),
		away: make([][]int, nodes), arriving: make([]*arrival, nodes), early: make([][]*arrival, nodes), held: make([]core.Bytes, nodes),
	}
	for i := range l.flows {
		l.flows[i] = flowLaws{first: core.Never, arrived: core.Never, end: core.Never}
	}
	for id, list := range s.Topology.Ports() {
		var wires []*wire
		for i, p := range list {
			wires = append(wires, newWire(l, core.NodeID(id), i, p))
		}
		l.wires = append(l.wires, wires)
	}
	inOrder := s.Balance == switching.ConWeave && s.ConWeave.Resume > core.Second // which is as long as it takes
	l.ordered = (s.OnePath() || inOrder) && len(s.Links) == 0 && s.Profile.RTO == 0 && !l.loses()
	return l
}

// run builds the network and runs it; the observer hears what it does, and tells the laws.
func (l *laws) run(observer sim.Observer) (err error) {
	l.s.Capture = true
	if l.n, err = sim.Build(l.s, observer); err != nil {
		return err
	}
	for watch := stall.New(l.n); len(l.broken) == 0 && watch.Step(core.Never, 1); {
	}
	if len(l.broken) == 0 {
		l.end()
	}
	return nil
}

// check notes that a law is broken, unless it holds.
func (l *laws) check(holds bool, format string, args ...any) {
	if !holds {
		l.broken = append(l.broken, fmt.Sprintf(format, args...))
	}
}

// PauseReceived implements sim.Observer.
func (l *laws) PauseReceived(*sim.PauseRecord) {}

// QueueDump implements sim.Observer.
func (l *laws) QueueDump(core.Time, *sim.Network) {}

// Records implements sim.Observer.
func (l *laws) Records(records []core.Record) {
	for i := range records {
		r := &records[i]
		l.changeLinks(r.At, r.Event)
		w := l.wires[r.Node][r.Port]
		w.keepsBusy(r.At)
		l.settle(r)
		switch r.Event {
		case core.EventRecv:
			l.wires[w.peer.Peer][w.peer.PeerPort].arrive(r)
			l.flowReceives(r)
			w.receive(r)
			l.arrives(r, w)
		case core.EventEnqueue:
			if w.isSwitch {
				w.enqueue(r, l.admitted(r))
			}
		case core.EventDequeue:
			l.flowSends(r)
			l.routes(r)
			w.leave(r)
		case core.EventDrop:
			l.drop(r, w)
		}
	}
}

// changeLinks makes links fail or return that have done so before a record. What a failed link throws away is recorded
// after that.
func (l *laws) changeLinks(now core.Time, event core.Event) {
	atOnce := event == core.EventDrop || l.s.Profile.Order == engine.BySchedule
	for len(l.changes) > 0 && (l.changes[0].At < now || l.changes[0].At == now && atOnce) {
		c, link := l.changes[0], &l.s.Topology.Links[l.changes[0].Link]
		for _, end := range [2]core.NodeID{link.A, link.B} {
			for _, w := range l.wires[end] {
				if w.peer.Link == c.Link {
					w.change(c.At, c.Up)
				}
			}
		}
		l.changes = l.changes[1:]
		clear(l.away)
	}
}

// isSwitch reports whether a node is a switch.
func (l *laws) isSwitch(id core.NodeID) bool { return l.s.Topology.Kinds[id] == topo.Switch }

// arrives checks that a switch has dealt with what arrived before.
func (l *laws) arrives(r *core.Record, in *wire) {
	if !l.isSwitch(r.Node) {
		return
	}
	l.check(l.arriving[r.Node] == nil, "%v: node %d has lost %+v", r.At, r.Node, l.arriving[r.Node])
	taken := r.Packet.Kind == core.ConWeave && l.distance(r.Node, r.Packet.Dst) == 1
	if l.arriving[r.Node] = nil; r.Packet.Kind != core.Pause && r.Packet.Kind != core.Credit && !taken {
		l.arriving[r.Node] = &arrival{Packet: r.Packet, in: in, at: r.At}
	}
}

// settle notes that a switch holds what arrived last, if by ConWeave it may: one that may have overtaken others, at the switch
// of its host.
func (l *laws) settle(r *core.Record) {
	p := l.arriving[r.Node]
	if p == nil || p.at == r.At && r.Event != core.EventRecv || l.s.Balance != switching.ConWeave || p.Kind != core.Data || p.Sack == 0 || !l.serves(r.Node, p.Dst) {
		return
	}
	l.holds(r.At, r.Node, p)
	p.held = true
	l.early[r.Node] = append(l.early[r.Node], p)
	l.hold(r.At, r.Node, p.Prio, p.in, core.Bytes(p.Size))
	l.arriving[r.Node] = nil
}

// serves reports whether a node is the neighbour of a host.
func (l *laws) serves(node, host core.NodeID) bool {
	return slices.ContainsFunc(l.wires[node], func(w *wire) bool { return w.peer.Peer == host })
}

// release returns how a packet has arrived that was held and no longer is; nil if it was not.
func (l *laws) release(r *core.Record) *arrival {
	want := identify(&r.Packet)
	i := slices.IndexFunc(l.early[r.Node], func(a *arrival) bool { return identify(&a.Packet) == want })
	if i < 0 {
		return nil
	}
	a := l.early[r.Node][i]
	l.early[r.Node] = slices.Delete(l.early[r.Node], i, i+1)
	l.hold(r.At, r.Node, a.Prio, a.in, -core.Bytes(a.Size))
	return a
}

// admitted returns how a packet that a switch queues has arrived; nil if it is the switch's own.
func (l *laws) admitted(r *core.Record) *arrival {
	p := l.arriving[r.Node]
	switch {
	case p == nil:
	case identify(&p.Packet) == identify(&r.Packet):
		l.arriving[r.Node] = nil
		return p
	case l.trimmed(p, &r.Packet):
		l.refuses(r.At, r.Node, p)
		p.in.count.Trimmed++
		l.arriving[r.Node] = nil
		return p
	}
	if a := l.release(r); a != nil {
		return a
	}
	l.check(r.Packet.Src == r.Node, "%v: node %d queues %+v, which has not arrived", r.At, r.Node, r.Packet)
	return nil
}

// trimmed reports whether a packet is what remains of one that has arrived, of a class in which that is allowed.
func (l *laws) trimmed(from *arrival, p *core.Packet) bool {
	cut := from.Packet
	cut.Size, cut.Payload, cut.Prio = cut.Size-cut.Payload, 0, 0
	return l.s.Trim && l.s.Lossy>>from.Prio&1 != 0 && from.Kind == core.Data && p.Flags == from.Flags|core.Trimmed && p.Size == cut.Size &&
		identify(&cut) == identify(p)
}

// hold counts bytes more in the memory of a switch: shared, or with credits that of the lane on which they have arrived.
func (l *laws) hold(at core.Time, node core.NodeID, class uint8, in *wire, more core.Bytes) {
	if class == 0 || in == nil {
		return
	}
	in.lanes[class] += more
	if credits := l.n.Credits(); credits != nil {
		in.check(at, in.lanes[class] <= credits.Lane, "holds %d bytes in lane %d", in.lanes[class], class)
		return
	}
	l.held[node] += more
	l.check(l.s.Profile.Wrap32 || l.held[node] <= l.s.Buffer, "%v: node %d holds %d bytes", at, node, l.held[node])
}

// drop checks a packet that is thrown away: on arrival, or with a failed link.
func (l *laws) drop(r *core.Record, w *wire) {
	l.dropped++
	if p := l.arriving[r.Node]; p != nil && identify(&p.Packet) == identify(&r.Packet) {
		l.arriving[r.Node] = nil
		w.count.Dropped(&p.Packet)
		if reachable := l.distance(r.Node, p.Dst) < len(l.wires); !reachable {
			w.count.NoRoute++
			return
		}
		l.refuses(r.At, r.Node, p)
		l.check(!l.lossless(p.Prio), "%v: node %d has no room for %+v", r.At, r.Node, identify(&p.Packet))
		return
	}
	unsendable := !w.isSwitch && l.distance(r.Node, r.Packet.Dst) == len(l.wires) // an answer
	w.check(r.At, !w.up || w.failed == r.At || unsendable || w.pausedForLong(r), "drops %+v", identify(&r.Packet))
	w.count.Flushed++
	if w.isSwitch && l.release(r) == nil {
		w.takeFirst(r)
	}
}

// lossless reports whether a class is never dropped for want of room: pauses come in time, if they come, while what
// credits let go has room in any case.
func (l *laws) lossless(class uint8) bool {
	if l.n.Credits() != nil {
		return true
	}
	return !l.loses() && !l.s.NoPFC && l.s.Watchdog.Detection == 0 && l.s.Lossy>>class&1 == 0 && len(l.n.ShortHeadroom()) == 0 && l.n.ShortPauses() == 0
}

// quiet reports whether what failed links throw away is not recorded.
func (l *laws) quiet() bool { return l.s.Profile.QuietFlush && len(l.s.Links) > 0 }

// loses reports whether links lose packets.
func (l *laws) loses() bool {
	return l.s.LossPerLink > 0 || slices.ContainsFunc(l.s.Topology.Links, func(k topo.Link) bool { return k.Loss > 0 })
}

// routes checks that a packet comes nearer to its destination, and by ECMP always on the same path, while no link changes.
func (l *laws) routes(r *core.Record) {
	p := &r.Packet
	if p.Kind == core.Pause || p.Kind == core.Credit || len(l.s.Links) > 0 {
		return
	}
	next := l.wires[r.Node][r.Port].peer.Peer
	here, there := l.distance(r.Node, p.Dst), l.distance(next, p.Dst)
	l.check(there == here-1, "%v: %v of %d to %d goes from node %d, %d links away, to %d, %d away", r.At, p.Kind, p.Src, p.Dst, r.Node, here, next, there)
	bound := p.Kind == core.Data && !l.isSwitch(r.Node) && l.s.Entropy != nic.OfFlow // to a port, by the flow's own source port
	if l.s.Balance == switching.ECMP && p.Kind != core.CNM && !bound {
		key := pathKey{r.Node, p.Src, p.Dst, [2]uint16{p.SrcPort, p.DstPort}}
		port, known := l.paths[key]
		l.check(!known || port == r.Port, "%v: %+v leaves by ports %d and %d", r.At, key, port, r.Port)
		l.paths[key] = r.Port
	}
}

// distance returns the links between a node and a destination, as many as nodes if there is no way; hosts do not forward.
func (l *laws) distance(from, to core.NodeID) int {
	if l.away[to] == nil {
		d := make([]int, len(l.wires))
		for i := range d {
			d[i] = len(d)
		}
		d[to] = 0
		for row := []core.NodeID{to}; len(row) > 0; row = row[1:] {
			for _, w := range l.wires[row[0]] {
				if peer := w.peer.Peer; w.up && d[peer] == len(d) && (row[0] == to || l.isSwitch(row[0])) {
					d[peer] = d[row[0]] + 1
					row = append(row, peer)
				}
			}
		}
		l.away[to] = d
	}
	return l.away[to][from]
}

// end checks what must hold when the run is over.
func (l *laws) end() {
	now, lost, doubt := l.n.Now(), int64(0), int64(0)
	for _, wires := range l.wires {
		for _, w := range wires {
			w.keepsBusy(now)
			w.end(now)
			lost, doubt = lost+w.lost, doubt+w.doubt
		}
	}
	l.checkSeries()
	l.flowsEnd()
	l.check(lost <= l.n.Lost() && l.n.Lost() <= lost+doubt, "%d packets were lost on links, or %d; reported are %d", lost, lost+doubt, l.n.Lost())
	l.check(l.dropped == l.n.Dropped() || l.quiet(), "%d packets were dropped, reported are %d", l.dropped, l.n.Dropped())
}
