package topo

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Order is the order in which a node's neighbours are visited when routes are computed. It
// decides the order of equal-cost next hops, and with it which of them a hash picks.
type Order uint8

const (
	// AscendingID visits the neighbour with the lowest id first: the native profile.
	AscendingID Order = iota
	// DescendingID visits the neighbour with the highest id first: the ns3 profile.
	DescendingID
)

// Routes holds the equal-cost shortest paths, in hops, to every host. Hosts never forward.
//
// Hosts attached to the same neighbours share one column (they differ in the last hop only),
// hosts with the same ports share one row, and equal port lists are stored once, so a
// fat-tree of k = 36 (11,664 hosts) takes a few megabytes.
type Routes struct {
	topo  *Topology
	ports [][]Port
	up    []bool // by link; nil: all

	columns int
	row     []int32    // by node
	rows    [][]uint32 // by node: its row of next
	column  []int32    // by node; 0, a column without routes, for switches
	next    []uint32   // by row and column: index into sets, or lastHop
	last    [][]access // by host: its neighbours, and their ports towards it
	sets    [][]uint16 // sets[0] is empty
}

// lastHop in the table says that the node is a neighbour of the destination.
const lastHop = ^uint32(0)

// access is a neighbour of a host and the set of its ports that lead there.
type access struct {
	peer core.NodeID
	set  uint32
}

// NewRoutes computes the routes of t over the links that are up; nil means all.
// The topology must be valid ([Topology.Validate]) and must not change afterwards.
func NewRoutes(t *Topology, up []bool, o Order) *Routes {
	r := &Routes{
		topo: t, ports: t.Ports(), up: up,
		row:    make([]int32, len(t.Kinds)),
		column: make([]int32, len(t.Kinds)),
		last:   make([][]access, len(t.Kinds)),
	}
	s := newSearch(r, o)
	dests := s.groupDestinations()
	reps := s.groupSources()
	s.restrict(reps)
	r.columns = len(dests) + 1
	r.next = make([]uint32, len(reps)*r.columns)
	for c, d := range dests {
		s.run(d, reps, c+1)
	}
	r.sets = s.sets
	r.rows = make([][]uint32, len(t.Kinds))
	for id, row := range r.row {
		r.rows[id] = r.next[int(row)*r.columns:][:r.columns]
	}
	return r
}

// Next returns the equal-cost egress ports of node towards the host dst, in the order of
// the search. It is empty if there is no route or node is dst. The caller must not change it.
func (r *Routes) Next(node, dst core.NodeID) []uint16 {
	if node == dst {
		return nil
	}
	set := r.rows[node][r.column[dst]]
	if set == lastHop {
		set = r.finalSet(node, dst)
	}
	return r.sets[set]
}

func (r *Routes) finalSet(node, dst core.NodeID) uint32 {
	for _, a := range r.last[dst] {
		if a.peer == node {
			return a.set
		}
	}
	return 0
}

// isUp reports whether link i carries packets.
func (r *Routes) isUp(i int) bool { return r.up == nil || r.up[i] }

// edge is a way from a node to a neighbour, and the neighbour's port that leads back.
type edge struct {
	peer core.NodeID
	back uint16
}

// search is the working state of NewRoutes.
type search struct {
	r     *Routes
	edges [][]edge // by node, in the order in which they are visited; parallel links by ascending port
	sets  [][]uint16
	setOf map[string]uint32
	key   []byte

	dist  []int32 // by node: hops to the destination, 0 for not seen
	hops  [][]uint16
	queue []core.NodeID
}

func newSearch(r *Routes, o Order) *search {
	n := len(r.ports)
	s := &search{
		r: r, edges: make([][]edge, n),
		sets: [][]uint16{nil}, setOf: map[string]uint32{"": 0},
		dist: make([]int32, n), hops: make([][]uint16, n),
	}
	for v := range r.ports {
		s.edges[v] = s.edgesOf(v, o)
	}
	return s
}

func (s *search) edgesOf(v int, o Order) []edge {
	list := make([]edge, 0, len(s.r.ports[v]))
	for _, p := range s.r.ports[v] {
		if s.r.isUp(p.Link) {
			list = append(list, edge{p.Peer, uint16(p.PeerPort)})
		}
	}
	slices.SortStableFunc(list, func(a, b edge) int { // parallel links stay in port order
		if o == DescendingID {
			a, b = b, a
		}
		return cmp.Compare(a.peer, b.peer)
	})
	return list
}

// groupDestinations gives every host its column: one for all hosts with the same
// neighbours. It returns the first host of each, and fills in the last hops.
func (s *search) groupDestinations() []core.NodeID {
	var first []core.NodeID
	seen := make(map[string]int32)
	for _, h := range s.r.topo.Hosts() {
		s.key = s.key[:0]
		for peer := range s.peers(h) {
			s.key = binary.LittleEndian.AppendUint32(s.key, uint32(peer))
		}
		c, ok := seen[string(s.key)]
		if !ok {
			first = append(first, h)
			c = int32(len(first))
			seen[string(s.key)] = c
		}
		s.r.column[h] = c
		for peer, back := range s.peers(h) {
			s.r.last[h] = append(s.r.last[h], access{peer, s.set(back)})
		}
	}
	return first
}

// peers yields the neighbours of a node, each once, with all its ports that lead back. That list is valid
// until the next one.
func (s *search) peers(v core.NodeID) iter.Seq2[core.NodeID, []uint16] {
	return func(yield func(core.NodeID, []uint16) bool) {
		var back []uint16
		for i, e := range s.edges[v] {
			back = append(back, e.back)
			if i+1 < len(s.edges[v]) && s.edges[v][i+1].peer == e.peer {
				continue
			}
			if !yield(e.peer, back) {
				return
			}
			back = back[:0]
		}
	}
}

// groupSources gives every node its row: its own for a switch, one for all hosts whose
// ports lead to the same peers. It returns the first node of each.
func (s *search) groupSources() []core.NodeID {
	var first []core.NodeID
	seen := make(map[string]int32)
	for v, k := range s.r.topo.Kinds {
		if k == Host {
			s.key = s.key[:0]
			for i, p := range s.r.ports[v] {
				if s.r.isUp(p.Link) {
					s.key = binary.LittleEndian.AppendUint32(s.key, uint32(i))
					s.key = binary.LittleEndian.AppendUint32(s.key, uint32(p.Peer))
				}
			}
			if row, ok := seen[string(s.key)]; ok {
				s.r.row[v] = row
				continue
			}
			seen[string(s.key)] = int32(len(first))
		}
		s.r.row[v] = int32(len(first))
		first = append(first, core.NodeID(v))
	}
	return first
}

// restrict leaves only nodes with a row of their own in the lists of edges. Hosts do not
// forward, so leaving some out changes nothing for the others.
func (s *search) restrict(reps []core.NodeID) {
	keep := make([]bool, len(s.edges))
	for _, v := range reps {
		keep[v] = true
	}
	for v, list := range s.edges {
		if s.r.topo.Kinds[v] == Switch {
			s.edges[v] = slices.DeleteFunc(list, func(e edge) bool { return !keep[e.peer] })
		}
	}
}

// run searches breadth first from the neighbours of the host d, whose group has column c.
func (s *search) run(d core.NodeID, reps []core.NodeID, c int) {
	clear(s.dist)
	s.queue = s.queue[:0]
	for peer := range s.peers(d) {
		s.dist[peer] = 1
		s.push(peer)
	}
	for i := 0; i < len(s.queue); i++ {
		s.expand(s.queue[i])
	}
	for row, v := range reps {
		cell := &s.r.next[row*s.r.columns+c]
		switch s.dist[v] {
		case 0:
		case 1:
			*cell = lastHop
		default:
			*cell = s.setLike(s.r.next[row*s.r.columns+c-1], s.hops[v])
		}
	}
}

// setLike is set that is fast if the list is the one with the index guess, as it often is for
// neighbouring columns.
func (s *search) setLike(guess uint32, ports []uint16) uint32 {
	if guess != lastHop && slices.Equal(s.sets[guess], ports) {
		return guess
	}
	return s.set(ports)
}

// expand visits the neighbours of a dequeued switch: it is a next hop of each that is one
// hop further away.
func (s *search) expand(v core.NodeID) {
	far := s.dist[v] + 1
	for _, e := range s.edges[v] {
		if s.dist[e.peer] == 0 {
			s.dist[e.peer] = far
			s.hops[e.peer] = s.hops[e.peer][:0]
			s.push(e.peer)
		}
		if s.dist[e.peer] == far {
			s.hops[e.peer] = append(s.hops[e.peer], e.back)
		}
	}
}

func (s *search) push(v core.NodeID) {
	if s.r.topo.Kinds[v] == Switch {
		s.queue = append(s.queue, v)
	}
}

// set returns the index of a list of ports, storing it if it is new.
func (s *search) set(ports []uint16) uint32 {
	s.key = s.key[:0]
	for _, p := range ports {
		s.key = binary.LittleEndian.AppendUint16(s.key, p)
	}
	if i, ok := s.setOf[string(s.key)]; ok {
		return i
	}
	i := uint32(len(s.sets))
	s.sets = append(s.sets, slices.Clone(ports))
	s.setOf[string(s.key)] = i
	return i
}
