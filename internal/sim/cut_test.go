package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core/topo"
)

// Parts have about as many ports each, hosts are with their switch if there are enough switches, and
// few links are cut.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		spec  string
		least int
		best  int
		want  int     // parts
		most  float64 // ports of the largest part over the mean
		cut   int     // links
	}{
		{"fat-tree:k=8", 2, 2, 2, 1.02, 64},
		{"fat-tree:k=8", 4, 4, 4, 1.02, 96},
		{"fat-tree:k=4", 3, 3, 3, 1.3, 16},
		{"leaf-spine:leaves=4,spines=2,hosts=8", 2, 2, 2, 1.02, 4},
		{"dumbbell:n=16", 2, 2, 2, 1.02, 1},
		{"star:n=32", 2, 2, 2, 1.02, 32},
		{"fat-tree:k=8", 2, 8, 8, 1.02, 112},
		{"fat-tree:k=4", 2, 8, 8, 1.3, 32},
		{"dumbbell:n=16", 2, 8, 2, 1.02, 1},
		{"star:n=2", 8, 8, 1, 1, 0},
		{"star:n=32,delay=0s", 2, 2, 1, 1, 0},
	} {
		network, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		ports := network.Ports()
		part, parts := cutNetwork(network, ports, c.least, c.best)
		if parts != c.want {
			t.Errorf("%s: %d parts of at best %d, want %d", c.spec, parts, c.best, c.want)
		}
		if parts == 1 {
			continue
		}
		load, cut := make([]int, parts), 0
		for id, p := range ports {
			load[part[id]] += len(p)
		}
		for _, l := range network.Links {
			if part[l.A] != part[l.B] {
				cut++
			}
		}
		for _, n := range load {
			if over := float64(n*parts) / float64(2*len(network.Links)); over > c.most {
				t.Errorf("%s: ports %v, want at most %v of the mean", c.spec, load, c.most)
			}
		}
		if cut > c.cut {
			t.Errorf("%s: %d links are cut, want at most %d", c.spec, cut, c.cut)
		}
	}
}
