package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// A flow may wait for the ends of earlier ones (Flow.After), which count from when its source knows of them: if it
// receives that flow, with the last byte; otherwise when the sender has the last acknowledgement.

// followers says which flows wait for others. Only known and front change in a run. It is empty if no flow waits for another,
// and none for a program; byQP if nobody hears of a flow's last byte.
type followers struct {
	rows
	first []int32   // by flow, and one more: where the flows that wait for it begin in list
	list  []int32   // for every flow, those that wait for it; of each row the first that does
	byQP  [][]int32 // by node and queue pair there: the flow that ends there
	// known is, by the head of a row, how many of those that its flows wait for, from the first one on, have ended to the
	// knowledge of their source: they are not looked at again.
	known []int32
	front []int32 // by the head of a row: the first of its flows that has still to wait; 0: none
}

// chooseFollowers notes which flows wait for others, when all have been numbered.
func (n *Network) chooseFollowers() {
	flows, fs := n.Setup.Flows, &n.followers
	if n.Setup.ClosedLoop || n.Setup.Programs != nil || n.Setup.chained() {
		n.listByQP()
	}
	if n.Setup.Programs == nil && !n.Setup.chained() {
		return
	}
	fs.rows = rowsOf(flows)
	fs.first, fs.known, fs.front = make([]int32, len(flows)+1), make([]int32, len(flows)), slices.Clone(fs.head)
	for _, earlier := range fs.waits(flows) {
		fs.first[earlier+1]++
	}
	for i := range flows {
		fs.first[i+1] += fs.first[i]
	}
	fs.list = make([]int32, fs.first[len(flows)])
	next := slices.Clone(fs.first)
	for f, earlier := range fs.waits(flows) {
		fs.list[next[earlier]] = f
		next[earlier]++
	}
}

// listByQP notes which flow ends at each queue pair.
func (n *Network) listByQP() {
	fs := &n.followers
	fs.byQP = make([][]int32, len(n.nextQP))
	for node, count := range n.nextQP {
		fs.byQP[node] = make([]int32, 0, count)
	}
	for i := range n.Setup.Flows { // queue pairs have been numbered in this order
		fs.addQP(i, n.Setup.Flows[i].Dst)
	}
}

// addQP notes that flow i ends at the next queue pair of a node.
func (fs *followers) addQP(i int, dst core.NodeID) { fs.byQP[dst] = append(fs.byQP[dst], int32(i)) }

// of returns the flows that wait for flow i, of each row the first that does; none of one that was added to the set-up.
func (fs *followers) of(i int) []int32 {
	if i+1 >= len(fs.first) {
		return nil
	}
	return fs.list[fs.first[i]:fs.first[i+1]]
}

// received starts the flows of a host that waited for the last byte of a queue pair. That byte may come again if the
// receiver has forgotten the flow.
func (p *part) received(host core.NodeID, qp int32) {
	n := p.n
	if len(n.followers.byQP) == 0 || int(qp) >= len(n.followers.byQP[host]) {
		return
	}
	i := int(n.followers.byQP[host][qp])
	if n.flows[i].received {
		return
	}
	n.noteReceived(i)
	p.release(i, func(f int) bool { return n.receives(f, i) })
	p.programs.tell(host, i)
	if n.Setup.ClosedLoop {
		n.keep(&n.arrived, Arrivals, i)
	}
}

// noteReceived notes that the destination of flow i has its last byte.
func (n *Network) noteReceived(i int) {
	n.flows[i].received = true
	if len(n.followers.of(i)) > 0 {
		p := n.partOf(n.Setup.Flows[i].Dst)
		p.reached = append(p.reached, int32(i))
	}
}

// receives reports whether the source of flow f receives flow i.
func (n *Network) receives(f, i int) bool { return n.Setup.Flows[i].Dst == n.Setup.Flows[f].Src }

// knows reports whether the source of flow f, which waits for flow i, knows of its end.
func (n *Network) knows(f, i int) bool {
	if n.receives(f, i) {
		return n.flows[i].received
	}
	return n.flows[i].state == finished
}

// released reports whether flow f need not wait any longer.
func (n *Network) released(f int) bool {
	after := n.Setup.Flows[f].After
	if len(after) == 0 {
		return true
	}
	known := &n.followers.known[n.followers.head[f]]
	for int(*known) < len(after) && n.knows(f, int(after[*known])) {
		*known++
	}
	return int(*known) >= len(after)
}

// release starts those that wait for flow i, and whose source now learns of its end, if it is the last that they wait for.
// They are of the part.
func (p *part) release(i int, learns func(f int) bool) {
	n, fs := p.n, &p.n.followers
	released := p.released[:0]
	for _, first := range fs.of(i) {
		if !learns(int(first)) {
			continue
		}
		front := &fs.front[fs.head[first]]
		for ; *front != 0 && n.released(int(*front)); *front = fs.next[*front] {
			released = append(released, *front)
		}
	}
	slices.Sort(released) // a host opens them in this order
	for _, f := range released {
		n.loop.later(int(f), p.now().Add(core.Duration(n.Setup.Flows[f].Start)))
	}
	p.released = released
}

// tellFollowers tells the flows that still wait for flow i that it has ended. A program that hosts the network may not
// have reported that the last byte was received.
func (p *part) tellFollowers(i int, state flowProgress) {
	if state == failed {
		p.noteHanging(i)
		return
	}
	n := p.n
	received := n.flows[i].received
	if !received {
		n.flows[i].received = true
	}
	p.release(i, func(f int) bool { return !received || !n.receives(f, i) })
	p.programs.tell(n.Setup.Flows[i].Src, i)
}
