package sim

import "slices"

// A flow that waits for one whose sender has given up is abandoned, and so are those that wait for it: none of them will ever
// start. But packets of the one that was given up may still be under way. If its destination receives it after all, those
// that wait for it there are not abandoned any more.

// failures are what a part notes for allAbandoned, which looks at the notes of all parts when they have met.
type failures struct {
	hanging []hanging // in the order of the failures
	counted int       // of these, how many are in Network.abandonedFlows if they are abandoned
	reached []int32   // flows received at their destinations since then, for which others wait
}

// hanging is a flow that waits, with those behind it in its row, for a flow of the part that has failed.
type hanging struct{ flow, failed int }

// noteHanging notes what waits for a flow that has failed.
func (p *part) noteHanging(failed int) {
	for _, f := range p.n.followers.of(failed) {
		p.hanging = append(p.hanging, hanging{int(f), failed})
	}
}

// allAbandoned returns the flows that are abandoned. If one that had failed has arrived since the last time, all are counted
// again.
func (n *Network) allAbandoned() map[int]bool {
	again := false
	for _, p := range n.parts {
		again = again || slices.ContainsFunc(p.reached, func(i int32) bool { return n.flows[i].state == failed })
		p.reached = p.reached[:0]
	}
	if again {
		n.abandonedFlows = nil
		for _, p := range n.parts {
			p.counted = 0
		}
	}
	for _, p := range n.parts {
		for ; p.counted < len(p.hanging); p.counted++ {
			if h := p.hanging[p.counted]; !n.knows(h.flow, h.failed) {
				n.abandon(h.flow)
			}
		}
	}
	return n.abandonedFlows
}

// abandon adds a flow and those behind it in its row, and those that wait for these.
func (n *Network) abandon(flow int) {
	if n.abandonedFlows == nil {
		n.abandonedFlows = make(map[int]bool)
	}
	left := []int32{int32(flow)}
	for len(left) > 0 { // no recursion: a chain may have millions
		f := left[len(left)-1]
		left = left[:len(left)-1]
		for ; f != 0 && !n.abandonedFlows[int(f)]; f = n.followers.next[f] {
			n.abandonedFlows[int(f)] = true
			left = append(left, n.followers.of(int(f))...)
		}
	}
}

// abandoned reports whether a flow is.
func (n *Network) abandoned(i int) bool { return n.allAbandoned()[i] }
