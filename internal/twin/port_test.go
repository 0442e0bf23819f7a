package twin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

type kind int

const (
	data kind = iota
	ack
	nack
	pause
)

type packet struct {
	kind             kind
	size, payload    int
	src, dst         int
	srcPort, dstPort int
	class            int
	seq              uint64
	marked           bool // ACK: the echo
	ce               bool // as the packet itself is
	hops             [5]hop
	met              int // switches
	sent             int64
	digest           uint16
	in               *port // switch: the port by which it arrived
	resume           bool
}

// port is an end of a link; the fields after peer belong to switches or to hosts.
type port struct {
	node  *node
	index int // from 0
	link  *link
	peer  *port

	busy   bool
	paused [8]bool // by the neighbour

	queues     [8][]*packet
	last       int // data queue served last; host: pair served last
	ingress    [8]uint32
	inHeadroom [8]uint32
	stopped    [8]bool // the neighbour, stopped by us
	egress     [8]uint32
	headroom   uint32
	shift      int
	sent       uint64
	digester   digester
	samples    []int

	acks  []*packet
	pairs []*pair
	wake  *event
}

func (n *node) byPeer() []*port {
	list := slices.Clone(n.ports)
	slices.SortStableFunc(list, func(a, b *port) int { return cmp.Compare(b.peer.node.id, a.peer.node.id) })
	return list
}

// portTo chooses a port by hash.
func (n *node) portTo(p *packet) *port {
	ways := n.next[p.dst]
	if len(ways) == 0 {
		panic(beyond{})
	}
	h := core.ECMPHash(&core.Packet{
		Src: core.NodeID(p.src), Dst: core.NodeID(p.dst), SrcPort: uint16(p.srcPort), DstPort: uint16(p.dstPort),
	}, uint32(n.id))
	return n.ports[ways[h%uint32(len(ways))]]
}

func (o *port) transmit(p *packet) {
	w := o.node.w
	o.busy = true
	end := w.now + txTime(p.size, o.link.rate)
	w.later(end, func() {
		o.busy = false
		o.trySend()
	})
	w.later(end+o.link.delay, func() { o.peer.arrive(p) })
}

func (o *port) trySend() {
	switch {
	case o.busy || o.link.down:
	case o.node.isHost:
		o.sendFromHost()
	default:
		o.sendFromQueues()
	}
}

func (o *port) arrive(p *packet) {
	w, l := o.node.w, o.link
	switch {
	case l.down:
		w.seen["in flight on a failed link"]++
		return
	case l.dice != nil:
		if l.dice.Float64() < l.loss {
			return
		}
	case w.loss != nil:
		if w.loss.Float64() < w.c.ErrorRate {
			return
		}
	}
	o.note("Recv", 0, 0, p)
	switch {
	case p.kind == pause:
		o.obey(p)
	case o.node.isHost:
		o.node.receive(p)
	default:
		o.forward(p)
	}
}

// obey carries out a PFC frame.
func (o *port) obey(p *packet) {
	w := o.node.w
	bit := map[bool]int{true: 1}
	fmt.Fprintf(&w.pfc, "%d %d %d %d %d\n", w.now, o.node.id, bit[!o.node.isHost], o.index+1, bit[!p.resume])
	o.paused[p.class] = !p.resume
	if p.resume {
		o.trySend()
	}
}

// fail takes a link down.
func (w *world) fail(a, b int) {
	for _, l := range w.links {
		x, y := l.ends[0].node.id, l.ends[1].node.id
		if x == a && y == b || x == b && y == a {
			l.down = true
			for _, o := range l.ends {
				o.acks, o.queues, o.paused = nil, [8][]*packet{}, [8]bool{}
			}
		}
	}
	if w.route(false); len(w.rates) < len(w.pairs) {
		w.seen["hosts without a way"]++
	}
	w.seen["failure"]++
	for _, n := range w.nodes {
		for _, o := range n.ports {
			o.pairs = nil
		}
		for _, f := range n.table.list {
			n.bind(f)
			f.port.trySend()
		}
	}
}
