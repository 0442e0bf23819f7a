package topo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// plainRoutes is the brute-force twin of Routes: one search per destination host over whole
// nodes, nothing shared. It returns the ports by [node][dst].
func plainRoutes(t *Topology, up []bool, o Order) [][][]uint16 {
	ports := t.Ports()
	n := len(t.Kinds)
	next := make([][][]uint16, n)
	for i := range next {
		next[i] = make([][]uint16, n)
	}
	for _, d := range t.Hosts() {
		dist := make([]int, n)
		seen := make([]bool, n)
		seen[d] = true
		for queue := []core.NodeID{d}; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			for _, w := range nodesInOrder(n, o) {
				back := portsBetween(ports, up, w, v)
				if len(back) == 0 || w == d {
					continue
				}
				if !seen[w] {
					seen[w], dist[w] = true, dist[v]+1
					if t.Kinds[w] == Switch {
						queue = append(queue, w)
					}
				}
				if dist[w] == dist[v]+1 {
					next[w][d] = append(next[w][d], back...)
				}
			}
		}
	}
	return next
}

func nodesInOrder(n int, o Order) []core.NodeID {
	ids := make([]core.NodeID, n)
	for i := range ids {
		ids[i] = core.NodeID(i)
	}
	if o == DescendingID {
		slices.Reverse(ids)
	}
	return ids
}

// portsBetween returns the ports of v that lead to w over links that are up.
func portsBetween(ports [][]Port, up []bool, v, w core.NodeID) []uint16 {
	var list []uint16
	for i, p := range ports[v] {
		if p.Peer == w && (up == nil || up[p.Link]) {
			list = append(list, uint16(i))
		}
	}
	return list
}

// randomTopology is a network without regularity: parallel links, hosts with several or no
// links, hosts linked to hosts, hosts and switches with ids in any order.
func randomTopology(rng *rand.Rand) *Topology {
	n := 3 + rng.IntN(18)
	t := &Topology{Name: "random", Kinds: make([]Kind, n)}
	for i := range t.Kinds {
		t.Kinds[i] = Kind(rng.IntN(2))
	}
	for range n + rng.IntN(2*n) {
		a, b := core.NodeID(rng.IntN(n)), core.NodeID(rng.IntN(n))
		if a == b {
			continue
		}
		rates := []core.Rate{10 * core.Gbps, 25 * core.Gbps, 100 * core.Gbps}
		t.Links = append(t.Links, Link{A: a, B: b, Rate: rates[rng.IntN(3)], Delay: core.Duration(rng.IntN(4)) * core.Microsecond})
	}
	return t
}

func randomUp(rng *rand.Rand, links int) []bool {
	if rng.IntN(2) == 0 {
		return nil
	}
	up := make([]bool, links)
	for i := range up {
		up[i] = rng.IntN(5) > 0
	}
	return up
}

func TestRoutesEqualPlainSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		net := randomTopology(rng)
		up := randomUp(rng, len(net.Links))
		for _, o := range []Order{AscendingID, DescendingID} {
			compareRoutes(t, fmt.Sprintf("trial %d, order %d", trial, o), net, NewRoutes(net, up, o), plainRoutes(net, up, o))
		}
	}
}

func compareRoutes(t *testing.T, what string, net *Topology, r *Routes, want [][][]uint16) {
	t.Helper()
	for v := range net.Kinds {
		for d, k := range net.Kinds {
			got := r.Next(core.NodeID(v), core.NodeID(d))
			if k == Switch && len(got) > 0 {
				t.Fatalf("%s: a route to switch %d", what, d)
			}
			if !slices.Equal(got, want[v][d]) {
				t.Fatalf("%s: node %d to %d: got ports %v, want %v\n%+v", what, v, d, got, want[v][d], net)
			}
		}
	}
}

// diamond: host 0 - switch 2 - {3, 4, 5} - switch 6 - host 1; the link to 4 is doubled.
func diamond() *Topology {
	t := &Topology{Name: "diamond", Kinds: []Kind{Host, Host, Switch, Switch, Switch, Switch, Switch}}
	for _, ab := range [][2]core.NodeID{{0, 2}, {2, 4}, {2, 3}, {2, 5}, {2, 4}, {3, 6}, {4, 6}, {5, 6}, {6, 1}} {
		t.Links = append(t.Links, Link{A: ab[0], B: ab[1], Rate: 100 * core.Gbps, Delay: core.Microsecond})
	}
	return t
}

func TestRoutesOrderOfNextHops(t *testing.T) {
	net := diamond()
	for _, c := range []struct {
		o    Order
		want []uint16 // ports of switch 2: 1 and 4 lead to 4, 2 leads to 3, 3 leads to 5
	}{{AscendingID, []uint16{2, 1, 4, 3}}, {DescendingID, []uint16{3, 1, 4, 2}}} {
		r := NewRoutes(net, nil, c.o)
		if got := r.Next(2, 1); !slices.Equal(got, c.want) {
			t.Errorf("order %d: got ports %v, want %v", c.o, got, c.want)
		}
	}
}

func TestRoutesAvoidLinksThatAreDown(t *testing.T) {
	net := diamond()
	up := slices.Repeat([]bool{true}, len(net.Links))
	up[1], up[2] = false, false
	if got := NewRoutes(net, up, AscendingID).Next(2, 1); !slices.Equal(got, []uint16{4, 3}) {
		t.Errorf("got ports %v, want [4 3]", got)
	}
	up[8] = false
	if got := NewRoutes(net, up, AscendingID).Next(2, 1); len(got) != 0 {
		t.Errorf("host 1 is cut off, but switch 2 has ports %v", got)
	}
}

// 11,664 hosts share 648 columns and 648 rows, besides the 1,620 of the switches, and a few port
// lists: one for each port, one for the way up, and the empty one.
func TestRoutesShareWhatIsEqual(t *testing.T) {
	r := NewRoutes(mustParse(t, "fat-tree:k=36"), nil, DescendingID)
	if rows := len(r.next) / r.columns; rows != 648+1620 || r.columns != 648+1 {
		t.Errorf("%d rows and %d columns, want 2268 and 649", rows, r.columns)
	}
	if len(r.sets) > 36+2 {
		t.Errorf("%d lists of ports, want 38 at most", len(r.sets))
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	r := NewRoutes(diamond(), nil, AscendingID)
	if n := testing.AllocsPerRun(100, func() { r.Next(2, 1); r.Next(6, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkNext(b *testing.B) {
	r := NewRoutes(diamond(), nil, AscendingID)
	b.ReportAllocs()
	for b.Loop() {
		r.Next(2, 1)
		r.Next(6, 1)
	}
}
