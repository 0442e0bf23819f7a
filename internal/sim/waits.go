package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// A flow may wait for the end of an earlier one (Flow.After), which is when its source knows of it: a source that
// receives that flow has its last byte, any other host is told when the sender has the last acknowledgement.

// queuePair is a queue pair at the receiver.
type queuePair struct {
	host core.NodeID
	qp   int32
}

// chooseFollowers notes which flows wait for others.
func (n *Network) chooseFollowers() {
	n.followers, n.awaited = make(map[int][]int), make(map[queuePair]int)
	for i := range n.Setup.Flows {
		if after := int(n.Setup.Flows[i].After); after != 0 {
			n.followers[after-1] = append(n.followers[after-1], i)
		}
	}
}

// await notes the queue pair of a flow if others wait for that.
func (n *Network) await(i int) {
	if len(n.followers[i]) > 0 {
		n.awaited[queuePair{n.Setup.Flows[i].Dst, n.flows[i].dstQP}] = i
	}
}

// received starts the flows of a host that waited for the last byte of a queue pair. That comes again where the
// receiver has forgotten the flow.
func (n *Network) received(host core.NodeID, qp int32) {
	i, ok := n.awaited[queuePair{host, qp}]
	if !ok {
		return
	}
	delete(n.awaited, queuePair{host, qp})
	n.flows[i].received = true
	for _, f := range n.followers[i] {
		if n.knowsByReceipt(f) {
			n.release(f)
		}
	}
}

// knowsByReceipt reports whether the source of flow f, which waits for another, has received that one.
func (n *Network) knowsByReceipt(f int) bool {
	after := int(n.Setup.Flows[f].After) - 1
	return n.flows[after].received && n.Setup.Flows[after].Dst == n.Setup.Flows[f].Src
}

// released reports whether flow f need not wait any longer.
func (n *Network) released(f int) bool {
	after := int(n.Setup.Flows[f].After) - 1
	return after < 0 || n.flows[after].state == finished || n.knowsByReceipt(f)
}

func (n *Network) release(f int) { n.loop.later(f, n.Now().Add(core.Duration(n.Setup.Flows[f].Start))) }

// followersOf starts the flows that still wait for flow i, or gives them up, and all that wait for
// these, if it did not finish.
func (n *Network) followersOf(i int, state flowProgress) {
	left := slices.DeleteFunc(slices.Clone(n.followers[i]), n.knowsByReceipt)
	if state == finished {
		for _, f := range left {
			n.release(f)
		}
		return
	}
	for len(left) > 0 { // no recursion: a chain may have millions
		f := left[len(left)-1]
		left = append(left[:len(left)-1], n.followers[f]...)
		n.flows[f].state = abandoned
		n.partOf(n.Setup.Flows[f].Src).ended++
	}
}
