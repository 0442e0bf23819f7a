package sim

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
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

// Times of ConWeave that are 0 are those of the network; a wait for ever is one.
func TestConWeaveTimes(t *testing.T) {
	const rtt = 7 * core.Microsecond
	for _, c := range [][2]switching.ConWeaveConfig{
		{{Resume: 9}, {Reply: rtt, Busy: rtt, Resume: 9, Inactive: 2*rtt + 9}},
		{{Reply: 1, Busy: 2, Resume: 3, Inactive: 4}, {Reply: 1, Busy: 2, Resume: 3, Inactive: 4}},
		{{Resume: math.MaxInt64 - 1}, {Reply: rtt, Busy: rtt, Resume: math.MaxInt64 - 1, Inactive: math.MaxInt64}},
	} {
		n := &Network{Setup: &Setup{ConWeave: c[0]}, wiring: wiring{most: topo.Most{RTT: rtt}}}
		got := n.conWeave()
		if got.Fabric = nil; got != c[1] {
			t.Errorf("%+v becomes %+v, want %+v", c[0], got, c[1])
		}
	}
}
