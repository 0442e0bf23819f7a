package topo

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Two hosts have paths of equal cost that differ if walking them all finds so.
func TestUneven(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	seen := make(map[bool]int)
	for range 600 {
		net := randomTopology(rng)
		if rng.IntN(3) == 0 {
			for i := range net.Links {
				net.Links[i].Rate, net.Links[i].Delay = core.Gbps, 0
			}
			net.Links[rng.IntN(len(net.Links))].Delay = core.Microsecond
		}
		up := randomUp(rng, len(net.Links))
		next, want := plainRoutes(net, up, DescendingID), false
		for _, src := range net.Hosts() {
			for _, dst := range net.Hosts() {
				want = want || plainUneven(net, next, src, dst)
			}
		}
		src, dst, got := NewPaths(NewRoutes(net, up, DescendingID), core.FixedPointNanos, testSizes).Uneven()
		if got != want || got && !plainUneven(net, next, src, dst) {
			t.Fatalf("%v, hosts %d and %d; want %v\n%+v", got, src, dst, want, net)
		}
		seen[got]++
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("too few cases of a kind: %v", seen)
	}
}

// plainUneven walks all paths from src to dst and compares their sums.
func plainUneven(t *Topology, next [][][]uint16, src, dst core.NodeID) bool {
	ports, found := t.Ports(), make(map[Path]bool)
	var walk func(at core.NodeID, p Path)
	walk = func(at core.NodeID, p Path) {
		if at == dst {
			found[p] = true
		}
		for _, i := range next[at][dst] {
			l, longer := t.Links[ports[at][i].Link], p
			longer.Delay += l.Delay
			longer.Tx += nanosOf(testSizes.Payload, l.Rate)
			if p.Bottleneck == 0 || l.Rate < p.Bottleneck {
				longer.Bottleneck = l.Rate
			}
			walk(ports[at][i].Peer, longer)
		}
	}
	walk(src, Path{})
	return len(found) > 1
}

// What a fat-tree's hosts have is the same by every spine, until a cable of one is longer.
func TestUnevenFatTree(t *testing.T) {
	net := mustParse(t, "fat-tree:k=4")
	for _, want := range []bool{false, true} {
		if _, _, got := NewPaths(NewRoutes(net, nil, AscendingID), core.Exact, testSizes).Uneven(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		net.Links[len(net.Links)-1].Delay++
	}
}
