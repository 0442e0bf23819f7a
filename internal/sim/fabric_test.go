package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Source ToRs count paths from end to end.
func TestFabric(t *testing.T) {
	for _, c := range []struct {
		topology  string
		from, to  core.NodeID
		tor       core.NodeID
		wantPaths int
	}{
		{"leaf-spine:leaves=2,spines=4,hosts=4", 8, 4, 9, 4},
		{"leaf-spine:leaves=2,spines=4,hosts=4", 8, 3, 8, 1},
		{"leaf-spine:leaves=2,spines=4,hosts=4", 10, 3, 8, 1}, // from a spine
		{"fat-tree:k=4", 16, 15, 23, 4},
		{"fat-tree:k=4", 16, 2, 17, 2},
		{"fat-tree:k=8", 128, 127, 159, 16},
	} {
		network, err := topo.Parse(c.topology)
		if err != nil {
			t.Fatal(err)
		}
		n := &Network{Setup: &Setup{Profile: Native(), Topology: network}, wiring: newWiring(network)}
		n.route()
		f := fabric{n}
		if tor, paths := f.ToR(c.to), f.Paths(c.from, c.to); tor != c.tor || paths != c.wantPaths {
			t.Errorf("%s: host %d is at %d, with %d paths from %d, want %d and %d", c.topology, c.to, tor, paths, c.from, c.tor, c.wantPaths)
		}
	}
}
