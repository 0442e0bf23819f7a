package sim

import "github.com/qbb-sim/qbb/core"

// chooseFollowers notes which flows wait for others.
func (n *Network) chooseFollowers() {
	n.followers = make(map[int][]int)
	for i := range n.Setup.Flows {
		if after := int(n.Setup.Flows[i].After); after != 0 {
			n.followers[after-1] = append(n.followers[after-1], i)
		}
	}
}

// followersOf starts the flows that waited for flow i, or gives them up if it did not finish.
func (n *Network) followersOf(i int, state flowProgress) {
	for _, f := range n.followers[i] {
		if state == finished {
			n.loop.later(f, n.Now().Add(core.Duration(n.Setup.Flows[f].Start)))
			continue
		}
		n.flows[f].state = abandoned
		n.partOf(n.Setup.Flows[f].Src).ended++
		n.followersOf(f, abandoned)
	}
}
