package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

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
