package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core/topo"
)

// wiring is the network's links, and the ways over those that are up.
type wiring struct {
	ports  [][]topo.Port
	base   []int  // by node: its first port, when the ports of all nodes are numbered in one row
	losses []loss // by port
	linkUp []bool
	routes *topo.Routes
	paths  *topo.Paths // as the routes now are
	first  *topo.Paths // as they were at the start
	most   topo.Most   // at the start
}

// newWiring has all links up and no routes yet.
func newWiring(t *topo.Topology) wiring {
	return wiring{ports: t.Ports(), linkUp: slices.Repeat([]bool{true}, len(t.Links))}
}

// route computes routes and path figures for the links that are up.
func (n *Network) route() { n.routes, n.paths = n.routesOver(n.linkUp) }

// routesOver returns routes and path figures for the links that are up.
func (n *Network) routesOver(up []bool) (*topo.Routes, *topo.Paths) {
	s := n.Setup
	routes := topo.NewRoutes(s.Topology, up, s.Profile.ECMP)
	return routes, topo.NewPaths(routes, s.Profile.Timing, topo.Sizes{
		Payload: s.MTU, Packet: s.MTU + s.Header, Ack: max(s.MinPacket, s.AckHeader), Host: s.HostDelay + s.HostService,
	})
}

// longestPath is the most links of a path, at the start or after any link change of the set-up.
func (n *Network) longestPath() int {
	most, up, events := n.most.Hops, slices.Clone(n.linkUp), n.Setup.Links
	for i, ev := range events {
		up[ev.Link] = ev.Up
		if last := i+1 == len(events) || events[i+1].At > ev.At; last {
			_, paths := n.routesOver(up)
			most = max(most, paths.Max().Hops)
		}
	}
	return most
}
