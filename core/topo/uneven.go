package topo

import "github.com/qbb-sim/qbb/core"

// Uneven returns two hosts between which paths of equal cost differ in their figures, so that those of [Paths.Pair] are
// not those of all packets; false if there are no such hosts. Hosts attached in the same way count once.
func (p *Paths) Uneven() (src, dst core.NodeID, found bool) {
	if p.routes.alike() {
		return 0, 0, false
	}
	list := p.routes.classes(false)
	f := forks{newFunnel(p), make([]core.NodeID, len(p.routes.topo.Kinds))}
	for _, b := range list {
		dst = b.first
		f.begin(dst)
		f.compared[dst] = dst + 1
		for _, a := range list {
			if src = a.first; src == dst {
				src = a.second
			}
			if f.differ(src) {
				return src, dst, true
			}
		}
	}
	return 0, 0, false
}

// alike reports whether all links that a path may have in place of another are the same, as in most large networks: all
// but those of hosts with one port.
func (r *Routes) alike() bool {
	t, first := r.topo, (*Link)(nil)
	alone := func(n core.NodeID) bool { return t.Kinds[n] == Host && len(r.ports[n]) == 1 }
	for i := range t.Links {
		l := &t.Links[i]
		if !r.isUp(i) || alone(l.A) || alone(l.B) {
			continue
		}
		if first == nil {
			first = l
		}
		if l.Rate != first.Rate || l.Delay != first.Delay {
			return false
		}
	}
	return true
}

// forks compares all paths from many nodes to one host, from every node once.
type forks struct {
	*funnel
	compared []core.NodeID // by node: 1 + the host to which its paths were compared
}

// differ reports whether paths from a node differ that have not been compared before.
func (f *forks) differ(node core.NodeID) bool {
	if f.compared[node] == f.dst+1 {
		return false
	}
	f.compared[node] = f.dst + 1
	r, first := f.p.routes, f.from(node)
	for _, i := range r.Next(node, f.dst) {
		port := &r.ports[node][i]
		path := f.from(port.Peer)
		f.p.add(&path, &r.topo.Links[port.Link], f.tx[port.Link])
		if path != first || f.differ(port.Peer) {
			return true
		}
	}
	return false
}
