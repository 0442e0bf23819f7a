package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// chooseParts decides how many parts the network has, and cuts it.
func (n *Network) chooseParts() int {
	least, best := max(1, n.Setup.Threads), n.bestParts()
	if best < 2 || !n.separable() {
		return 1
	}
	cut, parts := cutNetwork(n.Setup.Topology, n.ports, n.Setup.Delay, least, best)
	if parts < 2 || least == 1 && !n.Setup.usefulParts(cut, parts) {
		return 1
	}
	n.cut = cut
	return parts
}

// Parts returns how many parts the network is cut into.
func (n *Network) Parts() int { return len(n.parts) }

// separable reports whether nothing in the run acts at once on distant nodes, as the end of a flow does on one between two
// other hosts, or is recorded in an order that all nodes share.
func (n *Network) separable() bool {
	s := n.Setup
	if s.ClosedLoop || s.Manager.Sweep != 0 || s.Trace != nil || s.Capture {
		return false
	}
	if s.Profile.InOrder() {
		return n.separableInOrder()
	}
	return !s.Profile.CommonRandom && !s.Profile.ForgetReceiver && !s.Sampling.Events && !s.chainedApart()
}

// chained reports whether flows wait for others.
func (s *Setup) chained() bool {
	return slices.ContainsFunc(s.Flows, func(f Flow) bool { return len(f.After) > 0 })
}

// chainedApart reports whether flows wait for others between two other hosts.
func (s *Setup) chainedApart() bool {
	if !s.chained() {
		return false
	}
	r := rowsOf(s.Flows)
	for i, earlier := range r.waits(s.Flows) {
		if src, f := s.Flows[i].Src, &s.Flows[earlier]; src != f.Src && src != f.Dst {
			return true
		}
	}
	return false
}

// separableInOrder reports whether a run in the order of scheduling is separable. Flows start while all parts have met,
// but must not start others. Of what draws from common sequences, only marks can wait for their numbers until the parts
// meet: losses and the schemes' own chance cannot. And a receiver is forgotten when they meet, which is early enough only if
// nothing is sent twice and no notification point has something left to send to the source of a flow that has ended.
func (n *Network) separableInOrder() bool {
	s, p := n.Setup, &n.Setup.Profile
	instant, lossy := false, s.LossPerLink > 0
	for i := range s.Topology.Links {
		l := &s.Topology.Links[i]
		instant, lossy = instant || s.Delay(l) == 0, lossy || l.Loss > 0
	}
	common := p.CommonRandom && (lossy || len(n.points.Markers) > 0)
	twice := lossy || s.NoPFC || s.Lossy != 0 || p.RTO != 0 || !s.OnePath()
	late := p.ForgetReceiver && (twice || len(n.points.Receivers) > 0)
	return !s.chained() && s.Programs == nil && len(s.Links) == 0 && !instant && !common && !late
}

// partsPerThread balances the work of the threads in a window: one that has finished its own
// parts runs others'.
const partsPerThread = 4

// Even one thread runs a large network faster in parts: in a window, a part finds more of its
// packets in the caches. Each part costs memory for all ports.
const (
	portsPerPart    = 256
	mostPartsOfSize = 8
)

// bestParts returns the best number of parts.
func (n *Network) bestParts() int {
	if n.Setup.Threads > 1 {
		return n.Setup.Threads * partsPerThread
	}
	if n.Setup.Profile.InOrder() {
		return 1 // keeping the order costs more than the caches save
	}
	return min(2*len(n.Setup.Topology.Links)/portsPerPart, mostPartsOfSize)
}

// cutNetwork cuts a network into parts with about equal numbers of ports, and returns the part of every
// node: the best number of parts, or the least number if there are not enough switches with hosts for
// more. There is one part if links without delay would have to be cut, or the network is too small.
func cutNetwork(t *topo.Topology, ports [][]topo.Port, delay func(*topo.Link) core.Duration, least, best int) ([]uint8, int) {
	c := &cutter{t: t, ports: ports, part: make([]uint8, len(t.Kinds))}
	for i := range c.part {
		c.part[i] = nowhere
	}
	groups, parts := c.groups(), min(best, nowhere)
	if len(groups) < parts {
		parts = min(least, nowhere)
	}
	c.load = make([]int, parts)
	if len(groups) >= parts {
		c.putGroups(groups)
	} else {
		c.putApart(groups)
	}
	for c.putNeighbours() {
	}
	for i := range t.Links {
		if l := &t.Links[i]; delay(l) == 0 && c.part[l.A] != c.part[l.B] {
			return nil, 1
		}
	}
	if slices.Contains(c.load, 0) || slices.Contains(c.part, nowhere) {
		return nil, 1
	}
	return c.part, len(c.load)
}

// nowhere is the part of a node that has none yet.
const nowhere = 255

type cutter struct {
	t     *topo.Topology
	ports [][]topo.Port
	part  []uint8 // by node
	load  []int   // by part: ports
}

func (c *cutter) put(node core.NodeID, part int) {
	c.part[node] = uint8(part)
	c.load[part] += len(c.ports[node])
}

// least returns the part with the fewest ports.
func (c *cutter) least() int { return slices.Index(c.load, slices.Min(c.load)) }

// groups returns the hosts by the peer of their first port.
func (c *cutter) groups() (groups [][]core.NodeID) {
	of := make(map[core.NodeID]int)
	for _, h := range c.t.Hosts() {
		if len(c.ports[h]) == 0 {
			continue
		}
		peer := c.ports[h][0].Peer
		g, ok := of[peer]
		if !ok {
			g = len(groups)
			of[peer], groups = g, append(groups, nil)
		}
		groups[g] = append(groups[g], h)
	}
	return groups
}

// putGroups keeps the hosts of a switch together, with it.
func (c *cutter) putGroups(groups [][]core.NodeID) {
	all, before := 0, 0
	for _, hosts := range groups {
		all += len(hosts)
	}
	for _, hosts := range groups {
		part := (2*before + len(hosts)) * len(c.load) / (2 * all)
		before += len(hosts)
		c.putSwitch(hosts, part)
		for _, h := range hosts {
			if c.part[h] == nowhere { // else it is the peer of a host
				c.put(h, part)
			}
		}
	}
}

// putApart separates switches that are too few from their hosts.
func (c *cutter) putApart(groups [][]core.NodeID) {
	for _, hosts := range groups {
		c.putSwitch(hosts, c.least())
	}
	for _, hosts := range groups {
		for _, h := range hosts {
			if c.part[h] == nowhere {
				c.put(h, c.least())
			}
		}
	}
}

// putSwitch puts the peer of a group.
func (c *cutter) putSwitch(hosts []core.NodeID, part int) {
	if peer := c.ports[hosts[0]][0].Peer; c.part[peer] == nowhere {
		c.put(peer, part)
	}
}

// putNeighbours puts the neighbours of nodes that have a part where most of their links lead, and
// reports whether there were any.
func (c *cutter) putNeighbours() bool {
	var nodes []core.NodeID
	var votes [][]int
	for id, part := range c.part {
		if part != nowhere {
			continue
		}
		count, any := make([]int, len(c.load)), false
		for _, p := range c.ports[id] {
			if at := c.part[p.Peer]; at != nowhere {
				count[at]++
				any = true
			}
		}
		if any {
			nodes, votes = append(nodes, core.NodeID(id)), append(votes, count)
		}
	}
	for i, node := range nodes {
		best := 0
		for part, n := range votes[i] {
			if most := votes[i][best]; n > most || n == most && c.load[part] < c.load[best] {
				best = part
			}
		}
		c.put(node, best)
	}
	return len(nodes) > 0
}
