package sim

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Blocked is an egress queue of a switch that holds packets and that the neighbour has paused, or has no room for.
type Blocked struct {
	PortRef
	Class uint8
	Peer  PortRef   // the neighbour
	Since core.Time // of the pause; core.Never: it waits for credits
	Bytes core.Bytes
}

// queueRef names an egress queue.
type queueRef struct {
	PortRef
	class uint8
}

// waitGraph has, for every blocked queue, the queues at the neighbour that hold packets which came from
// it: it may send only when those have made room.
type waitGraph struct {
	blocked map[queueRef]Blocked
	order   []queueRef // by node, port, class
	on      map[queueRef][]queueRef
}

// Blocked returns the queues of switches that wait for a pause to end, or for credits.
func (n *Network) Blocked() []Blocked {
	w := n.waitGraph()
	var list []Blocked
	for _, q := range w.order {
		list = append(list, w.blocked[q])
	}
	return list
}

// Deadlock returns a cycle of queues each of which waits for the next, and the last for the first,
// and all queues that can never send again. Both are empty if there is no deadlock. A queue counts
// only if all its packets at the neighbour wait in turn: otherwise it might be enough for a resume
// that one of the neighbour's queues drains.
func (n *Network) Deadlock() (cycle, stuck []Blocked) {
	w := n.waitGraph()
	w.removeLive()
	if len(w.order) == 0 {
		return nil, nil
	}
	for _, q := range w.order {
		stuck = append(stuck, w.blocked[q])
	}
	return w.cycle(), stuck
}

func (n *Network) waitGraph() *waitGraph {
	w := &waitGraph{blocked: make(map[queueRef]Blocked), on: make(map[queueRef][]queueRef)}
	for id, sw := range n.switches {
		if sw == nil {
			continue
		}
		for port, p := range n.ports[id] {
			for class := range uint8(8) {
				held := sw.Held(port, class)
				q := queueRef{PortRef{core.NodeID(id), port}, class}
				if held.Bytes == 0 || held.Since == core.Never && !n.starved(q, held.First) {
					continue
				}
				w.blocked[q] = Blocked{q.PortRef, class, PortRef{p.Peer, p.PeerPort}, held.Since, held.Bytes}
				w.order = append(w.order, q)
			}
		}
	}
	for _, q := range w.order {
		b := w.blocked[q]
		w.on[q] = n.waitsOn(b.Peer, q.class, b.Since != core.Never)
	}
	return w
}

// starved reports whether the first packet of a switch's queue waits for room at a switch, and not only for credits that
// are under way.
func (n *Network) starved(q queueRef, first int32) bool {
	p := n.ports[q.Node][q.Port]
	own, there := n.switches[q.Node].Credits(q.Port), n.switches[p.Peer]
	return own != nil && there != nil && own.Starved(there.Credits(p.PeerPort), q.class, first)
}

// waitsOn returns the queues at a node that its neighbour on a port waits for, paused in a class or, if it is not, without
// credits: none if the end of the pause is under way.
func (n *Network) waitsOn(in PortRef, class uint8, paused bool) []queueRef {
	if n.switches[in.Node] == nil || paused && n.resumes(in, class) {
		return nil
	}
	return n.heldFor(in, class)
}

// resumes reports whether the end of a pause is under way to the neighbour on a port, perhaps with another pause behind it.
// Where a resume may have been lost, such a one is not known.
func (n *Network) resumes(in PortRef, class uint8) bool {
	p := &n.ports[in.Node][in.Port]
	mayLose := n.Engine == nil || len(n.Setup.Links) > 0 || n.Loss(in.Node, in.Port) > 0
	return !n.switches[in.Node].Pauses(in.Port, class) ||
		!mayLose && n.Counters(in.Node, in.Port).ResumesSent > n.Counters(p.Peer, p.PeerPort).ResumesReceived
}

// heldFor returns the queues at a node that hold packets of a class which came in on a port.
func (n *Network) heldFor(in PortRef, class uint8) (list []queueRef) {
	for port := range n.ports[in.Node] {
		found := false
		n.switches[in.Node].Packets(port, class, func(from int, _ *core.Packet) { found = found || from == in.Port })
		if found {
			list = append(list, queueRef{PortRef{in.Node, port}, class})
		}
	}
	return list
}

// removeLive keeps the queues that can never send again: those that wait only for each other.
func (w *waitGraph) removeLive() {
	live := func(q queueRef) bool {
		for _, next := range w.on[q] {
			if _, ok := w.blocked[next]; !ok {
				return true
			}
		}
		return len(w.on[q]) == 0
	}
	for before := -1; before != len(w.order); {
		before = len(w.order)
		w.order = slices.DeleteFunc(w.order, func(q queueRef) bool {
			gone := live(q)
			if gone {
				delete(w.blocked, q)
			}
			return gone
		})
	}
}

// cycle follows the queues from the first one until one repeats, and begins with the one that was
// blocked first.
func (w *waitGraph) cycle() []Blocked {
	place := make(map[queueRef]int)
	var path []Blocked
	for q := w.order[0]; ; q = w.on[q][0] {
		if from, ok := place[q]; ok {
			path = path[from:]
			break
		}
		place[q] = len(path)
		path = append(path, w.blocked[q])
	}
	first := slices.MinFunc(path, func(a, b Blocked) int { return cmp.Compare(a.Since, b.Since) })
	at := slices.Index(path, first)
	return slices.Concat(path[at:], path[:at])
}

// caught returns the flows that have packets in queues.
func (n *Network) caught(queues []Blocked) map[int64]bool {
	flows := make(map[int64]bool)
	for _, q := range queues {
		n.switches[q.Node].Packets(q.Port, q.Class, func(_ int, p *core.Packet) { flows[n.FlowOf(p)] = true })
	}
	return flows
}
