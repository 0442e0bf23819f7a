package topo

import (
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// Most has the largest figures of all ordered pairs of hosts, each possibly from a different pair.
type Most struct {
	RTT  core.Duration
	BDP  core.Bytes
	Hops int // links
}

// Max returns the largest figures. Hosts attached in the same way count once even if their cables differ in length, since
// no figure falls as a delay grows, unless products wrap. So large networks take little time.
func (p *Paths) Max() Most {
	m := p.mostOf(p.routes.classes(true))
	if p.mayWrap(m.RTT) {
		m = p.mostOf(p.routes.classes(false))
	}
	return m
}

// mayWrap reports whether a rate times a round trip may need more than 64 bits where only 64 are kept.
func (p *Paths) mayWrap(rtt core.Duration) bool {
	fastest := core.Rate(0)
	for i := range p.routes.topo.Links {
		fastest = max(fastest, p.routes.topo.Links[i].Rate)
	}
	high, _ := bits.Mul64(uint64(fastest), uint64(rtt.WholeNanos()))
	return p.timing != core.Exact && high > 0
}

// mostOf returns the largest figures of the pairs of classes.
func (p *Paths) mostOf(list []class) (m Most) {
	f := newFunnel(p)
	for _, b := range list {
		f.begin(b.first)
		for _, a := range list {
			src := a.first
			if src == b.first {
				src = a.second
			}
			path := p.sum(f.from(src))
			m = Most{max(m.RTT, path.RTT), max(m.BDP, path.BDP), max(m.Hops, path.Hops)}
		}
	}
	return m
}

// funnel finds the figures, except for their sum, of the paths from many nodes to one host. Paths join: each is followed
// to where it meets another one.
type funnel struct {
	p     *Paths
	tx    []core.Duration // by link
	dst   core.NodeID
	known []core.NodeID // by node: 1 + the host to which path leads
	path  []Path        // by node
	way   []hop         // of the last path, what was followed
}

type hop struct {
	node core.NodeID
	link int
}

func newFunnel(p *Paths) *funnel {
	t := p.routes.topo
	f := &funnel{p: p, known: make([]core.NodeID, len(t.Kinds)), path: make([]Path, len(t.Kinds))}
	for i := range t.Links {
		f.tx = append(f.tx, p.txTime(t.Links[i].Rate))
	}
	return f
}

// begin makes a host the end of all paths.
func (f *funnel) begin(dst core.NodeID) {
	f.dst, f.known[dst], f.path[dst] = dst, dst+1, Path{Bottleneck: math.MaxInt64}
}

// from returns the figures of the path from a node.
func (f *funnel) from(node core.NodeID) Path {
	r := f.p.routes
	f.way = f.way[:0]
	for f.known[node] != f.dst+1 {
		next := r.Next(node, f.dst)
		if len(next) == 0 {
			return Path{}
		}
		port := &r.ports[node][next[0]]
		f.way = append(f.way, hop{node, port.Link})
		node = port.Peer
	}
	path := f.path[node]
	for i := len(f.way) - 1; i >= 0; i-- {
		h := f.way[i]
		f.p.add(&path, &r.topo.Links[h.link], f.tx[h.link])
		f.known[h.node], f.path[h.node] = f.dst+1, path
	}
	return path
}
