package results

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// PauseTree says which port paused which: a port that was paused, for how long, and the ports that
// were paused because of it. At the root is a node that paused others while nothing paused it: the
// place of the congestion.
type PauseTree struct {
	Node   core.NodeID // of the port that was paused; at the root, the node that paused
	Port   int32       // -1 at the root
	Peer   core.NodeID // the node that paused it
	Times  int
	Ns     float64      // time paused, summed over priorities; at the root, of the next level
	Paused []*PauseTree // ports that were paused because of it
}

// portKey is a port, pauseKey a class of one.
type portKey struct {
	node core.NodeID
	port int32
}

type pauseKey struct {
	portKey
	priority int32
}

// pause is a pause in force; times in ns.
type pause struct {
	pauseKey
	since, until float64 // until: when it expires, unless it is repeated
	tree         *PauseTree
}

// portOf is what the trees need of a port.
type portOf struct {
	peer  core.NodeID // at the other end
	lasts float64     // ns for which a pause holds; infinite: until a resume
}

// pauseForest grows the trees from the frames in the order of time. A pause is attributed to the
// earliest that held its sender at the time, whichever priority that stopped.
type pauseForest struct {
	ports map[portKey]portOf
	held  map[core.NodeID][]pause    // by node, in force, in the order in which they began
	roots map[core.NodeID]*PauseTree // by node that paused
	list  []*PauseTree               // roots
	size  int                        // nodes of all trees
	downs []linkDown                 // to come, in the order of time
}

// mostPauseNodes limits the size of the trees; pauses beyond it count for the port above.
const mostPauseNodes = 5000

// newPauseForest returns a forest of a network whose pauses last for some quanta; 0: until a resume.
func newPauseForest(ports []traces.PortRow, quanta uint16) *pauseForest {
	f := &pauseForest{ports: make(map[portKey]portOf), held: make(map[core.NodeID][]pause), roots: make(map[core.NodeID]*PauseTree)}
	for i := range ports {
		p := portOf{ports[i].Peer, math.Inf(1)}
		if rate := core.Rate(ports[i].RateBps); quanta > 0 && rate > 0 {
			p.lasts = core.NewPause(0, quanta, false).Lasts(rate).Nanos()
		}
		f.ports[portKey{ports[i].Node, ports[i].Port}] = p
	}
	return f
}

// add takes a frame.
func (f *pauseForest) add(row *traces.PFCRow) {
	f.fail(row.TimeNs)
	key := pauseKey{portKey{row.Node, row.Port}, row.Priority}
	held := f.inForce(row.Node, row.TimeNs)
	at := slices.IndexFunc(held, func(p pause) bool { return p.pauseKey == key })
	switch port := f.ports[key.portKey]; {
	case row.Event == traces.EventResume && at >= 0:
		held[at].tree.Ns += row.TimeNs - held[at].since
		f.held[row.Node] = slices.Delete(held, at, at+1)
	case row.Event == traces.EventPause && at >= 0:
		held[at].until = row.TimeNs + port.lasts
	case row.Event == traces.EventPause:
		t := f.grow(f.cause(port.peer, row.TimeNs), row.Node, row.Port, port.peer)
		t.Times++
		f.held[row.Node] = append(held, pause{key, row.TimeNs, row.TimeNs + port.lasts, t})
	}
}

// fail ends the pauses of the ports whose links have failed before now.
func (f *pauseForest) fail(now float64) {
	for ; len(f.downs) > 0 && f.downs[0].at < now; f.downs = f.downs[1:] {
		down := &f.downs[0]
		for _, end := range down.ends {
			f.held[end.node] = slices.DeleteFunc(f.inForce(end.node, down.at), func(p pause) bool {
				if p.portKey == end {
					p.tree.Ns += down.at - p.since
				}
				return p.portKey == end
			})
		}
	}
}

// inForce returns the pauses that hold a node, without those that have expired.
func (f *pauseForest) inForce(node core.NodeID, now float64) []pause {
	held := slices.DeleteFunc(f.held[node], func(p pause) bool {
		if p.until <= now {
			p.tree.Ns += p.until - p.since
		}
		return p.until <= now
	})
	f.held[node] = held
	return held
}

// cause returns the pause that held a node which pauses another, or the root for the node.
func (f *pauseForest) cause(node core.NodeID, now float64) *PauseTree {
	if held := f.inForce(node, now); len(held) > 0 {
		return held[0].tree
	}
	root := f.roots[node]
	if root == nil {
		root = &PauseTree{Node: node, Port: -1, Peer: -1}
		f.roots[node] = root
		f.list = append(f.list, root)
	}
	return root
}

// grow returns the port among those that a tree paused.
func (f *pauseForest) grow(t *PauseTree, node core.NodeID, port int32, peer core.NodeID) *PauseTree {
	for _, c := range t.Paused {
		if c.Node == node && c.Port == port {
			return c
		}
	}
	if f.size >= mostPauseNodes {
		return t
	}
	f.size++
	c := &PauseTree{Node: node, Port: port, Peer: peer}
	t.Paused = append(t.Paused, c)
	return c
}

// end closes what is still paused and returns the trees, those of the longest pauses first.
func (f *pauseForest) end(now float64) []*PauseTree {
	f.fail(now)
	for _, node := range slices.Sorted(maps.Keys(f.held)) {
		for _, p := range f.held[node] {
			p.tree.Ns += min(now, p.until) - p.since
		}
	}
	for _, root := range f.list {
		for _, c := range root.Paused {
			root.Times, root.Ns = root.Times+c.Times, root.Ns+c.Ns
		}
	}
	sortTrees(f.list)
	return f.list
}

func sortTrees(list []*PauseTree) {
	slices.SortFunc(list, func(a, b *PauseTree) int {
		return cmp.Or(cmp.Compare(b.Ns, a.Ns), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Port, b.Port))
	})
	for _, t := range list {
		sortTrees(t.Paused)
	}
}
