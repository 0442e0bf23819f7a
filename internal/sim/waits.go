package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// chooseFollowers notes which flows wait for others.
func (n *Network) chooseFollowers() {
	n.followers = make(map[int][]int)
	for i := range n.Setup.Flows {
		if after := int(n.Setup.Flows[i].After); after != 0 {
			n.followers[after-1] = append(n.followers[after-1], i)
		}
	}
}

// followersOf starts the flows that waited for flow i, or gives them up, and all that wait for
// these, if it did not finish.
func (n *Network) followersOf(i int, state flowProgress) {
	if state == finished {
		for _, f := range n.followers[i] {
			n.loop.later(f, n.Now().Add(core.Duration(n.Setup.Flows[f].Start)))
		}
		return
	}
	for left := slices.Clone(n.followers[i]); len(left) > 0; { // no recursion: a chain may have millions
		f := left[len(left)-1]
		left = append(left[:len(left)-1], n.followers[f]...)
		n.flows[f].state = abandoned
		n.partOf(n.Setup.Flows[f].Src).ended++
	}
}
