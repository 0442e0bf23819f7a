package scenario

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// A network that a program has built replaces the key topology until that is set again. A printed scenario does not
// have it, and does not run with another one instead.
func TestUseNetwork(t *testing.T) {
	sc := of(t, "topology", "star:n=9", "workload", "none")
	link := topo.Link{A: 0, B: 1, Rate: 100 * core.Gbps, Delay: core.Microsecond}
	sc.UseNetwork(&topo.Topology{Kinds: make([]topo.Kind, 2), Links: []topo.Link{link}})
	nodes := func(sc *Scenario) int {
		t.Helper()
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		return len(s.Topology.Kinds)
	}
	if n := nodes(sc); n != 2 {
		t.Errorf("%d nodes, want those of the program", n)
	}
	var printed strings.Builder
	if err := sc.Print(&printed); err != nil {
		t.Fatal(err)
	}
	again, err := Read("printed", []byte(printed.String()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Setup(); err == nil || !strings.HasPrefix(err.Error(), "printed:") || !strings.Contains(err.Error(), `"made by the program"`) {
		t.Errorf("what was printed is set up: %v", err)
	}
	for _, sc := range []*Scenario{sc, again} {
		if err := sc.Set("topology", "star:n=4"); err != nil {
			t.Fatal(err)
		}
		if n := nodes(sc); n != 5 {
			t.Errorf("%d nodes after the topology was set, want 5", n)
		}
	}
}
