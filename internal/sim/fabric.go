package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// fabric is what source ToRs know of the network.
type fabric struct{ n *Network }

// ToR implements switching.Fabric.
func (f fabric) ToR(host core.NodeID) core.NodeID { return f.n.ports[host][0].Peer }

// Paths implements switching.Fabric: the product of the numbers of equal-cost ports at the switches of a path, the largest
// if paths differ in them. Then some paths have several numbers.
func (f fabric) Paths(from, host core.NodeID) int {
	return f.count(from, host, make(map[core.NodeID]int))
}

func (f fabric) count(from, host core.NodeID, known map[core.NodeID]int) int {
	if from == f.ToR(host) {
		return 1
	}
	if known[from] == 0 {
		next, most := f.n.routes.Next(from, host), 0
		for _, port := range next {
			most = max(most, f.count(f.n.ports[from][port].Peer, host, known))
		}
		known[from] = min(len(next)*most, switching.MostPaths)
	}
	return known[from]
}

// conWeave are the times of ConWeave, chosen by those of the network where they are 0. An epoch without a CLEAR ends when
// the destination ToR must have given up TAIL, and its CLEAR should have come.
func (n *Network) conWeave() switching.ConWeaveConfig {
	c := n.Setup.ConWeave
	if c.Reply == 0 {
		c.Reply = n.most.RTT
	}
	if c.Busy == 0 {
		c.Busy = n.most.RTT
	}
	if c.Inactive == 0 {
		c.Inactive = core.Duration(core.Time(c.Resume).Add(2 * n.most.RTT)) // durations overflow, times become Never
	}
	c.Fabric = fabric{n}
	return c
}
