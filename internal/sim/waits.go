package sim

import (
	"iter"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A flow may wait for the end of an earlier one (Flow.After), which is when its source knows of it: a source that
// receives that flow has its last byte, any other host is told when the sender has the last acknowledgement.

// followers says which flows wait for others. It does not change in a run; it is empty if none do.
type followers struct {
	first []int32   // by flow: 1 + the first that waits for it
	next  []int32   // by flow: 1 + the next that waits for the same
	ends  [][]int32 // by node and queue pair there: the flow that ends there
	// rest is, by flow, a time for which those that wait for it, and for these, are sure to last when it has finished.
	// It is known where there are several parts.
	rest []core.Duration
}

// chooseFollowers notes which flows wait for others, when all have been numbered.
func (n *Network) chooseFollowers() {
	flows, fs := n.Setup.Flows, &n.followers
	for i := len(flows) - 1; i >= 0; i-- {
		if after := flows[i].After; after != 0 {
			if fs.first == nil {
				fs.first, fs.next = make([]int32, len(flows)), make([]int32, len(flows))
			}
			fs.next[i], fs.first[after-1] = fs.first[after-1], int32(i)+1
		}
	}
	if fs.first == nil {
		return
	}
	fs.ends = make([][]int32, len(n.nextQP))
	for node, count := range n.nextQP {
		fs.ends[node] = make([]int32, count)
	}
	for i := range flows {
		fs.ends[flows[i].Dst][n.flows[i].dstQP] = int32(i)
	}
	if len(n.parts) > 1 {
		n.chooseRest()
	}
}

// chooseRest computes followers.rest from the last flow to the first, since none waits for a later one.
func (n *Network) chooseRest() {
	flows := n.Setup.Flows
	n.followers.rest = make([]core.Duration, len(flows))
	patience := nic.Config{Retries: n.Setup.Profile.Retries, RTOLow: n.Setup.RTOLow}
	for i := len(flows) - 1; i >= 0; i-- {
		f := &flows[i]
		if f.After == 0 {
			continue
		}
		own := n.Setup.Profile.Timing.TxTime(core.Bytes(f.Bytes), n.fastest(f.Src))
		lasts := min(patience.Patience(n.Timeout(i)), own+n.followers.rest[i])
		before := &n.followers.rest[f.After-1]
		*before = max(*before, min(core.Duration(f.Start)+lasts, core.Duration(MostTime)))
	}
}

// fastest returns the highest rate of a node's ports.
func (n *Network) fastest(node core.NodeID) (most core.Rate) {
	for _, p := range n.ports[node] {
		most = max(most, n.Setup.Topology.Links[p.Link].Rate)
	}
	return most
}

// after is followers.rest of a flow.
func (fs *followers) after(i int) core.Duration {
	if fs.rest == nil {
		return 0
	}
	return fs.rest[i]
}

// of visits the flows that wait for flow i, in their order.
func (fs *followers) of(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if i >= len(fs.first) {
			return
		}
		for f := fs.first[i]; f != 0 && yield(int(f)-1); {
			f = fs.next[f-1]
		}
	}
}

// count returns the number of flows that wait for flow i, for one that does, and so on, and i.
func (fs *followers) count(i int) (sum int) {
	for left := []int{i}; len(left) > 0; sum++ { // no recursion: a chain may have millions
		f := left[len(left)-1]
		left = left[:len(left)-1]
		for next := range fs.of(f) {
			left = append(left, next)
		}
	}
	return sum
}

// received starts the flows of a host that waited for the last byte of a queue pair. That comes again where the
// receiver has forgotten the flow.
func (n *Network) received(host core.NodeID, qp int32) {
	if len(n.followers.ends) == 0 || int(qp) >= len(n.followers.ends[host]) {
		return
	}
	i := int(n.followers.ends[host][qp])
	if n.flows[i].received {
		return
	}
	n.flows[i].received = true
	for f := range n.followers.of(i) {
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

func (n *Network) release(f int) {
	flow := &n.Setup.Flows[f]
	n.loop.later(f, n.partOf(flow.Src).now().Add(core.Duration(flow.Start)))
}

// tellFollowers tells the flows that still wait for flow i of its end.
func (p *part) tellFollowers(i int, state flowProgress) {
	for f := range p.n.followers.of(i) {
		switch {
		case state == failed:
			p.hanging = append(p.hanging, hanging{f, p.n.followers.count(f)})
		case !p.n.knowsByReceipt(f):
			p.n.release(f)
		}
	}
}

// hanging is a flow that waits for one whose sender has given up, and the number of those that hang on it, itself
// included. Its source may still receive the other, of which packets may be under way.
type hanging struct{ flow, count int }

// inVain returns the number of flows that wait, as it seems, for ever.
func (n *Network) inVain() (sum int) {
	for _, p := range n.parts {
		for _, h := range p.hanging {
			if !n.knowsByReceipt(h.flow) {
				sum += h.count
			}
		}
	}
	return sum
}

// abandoned reports whether flow i waits for one that has failed, or for one that does.
func (n *Network) abandoned(i int) bool {
	if n.inVain() == 0 {
		return false
	}
	for n.flows[i].state == waiting && n.Setup.Flows[i].After != 0 {
		after := int(n.Setup.Flows[i].After) - 1
		if n.flows[after].state == failed {
			return !n.knowsByReceipt(i)
		}
		i = after
	}
	return false
}
