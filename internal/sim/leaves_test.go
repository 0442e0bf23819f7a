package sim

import (
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Leaves are switches with hosts, numbered as they come; a host has one, whatever the number of its links.
func TestLeaves(t *testing.T) {
	const h, s = topo.Host, topo.Switch
	kinds := []topo.Kind{s, h, h, s, h, s, h, h}
	for _, c := range []struct {
		links [][2]core.NodeID
		want  []int32
		wrong string
	}{
		{[][2]core.NodeID{{1, 3}, {2, 3}, {3, 0}, {4, 5}, {0, 5}, {5, 4}, {6, 5}}, []int32{-1, 0, 0, 0, 1, 1, 1, -1}, ""},
		{[][2]core.NodeID{{1, 0}, {0, 3}, {3, 2}, {6, 7}, {2, 6}}, []int32{0, 0, 1, 1, -1, -1, -1, -1}, ""},
		{[][2]core.NodeID{{1, 0}, {1, 3}}, nil, "host 1 has links to switches 0 and 3"},
		{append(slices.Repeat([][2]core.NodeID{{0, 3}}, 16), [2]core.NodeID{0, 1}), []int32{0, 0, -1, -1, -1, -1, -1, -1}, ""},
		{append(slices.Repeat([][2]core.NodeID{{3, 0}}, 17), [2]core.NodeID{5, 1}), []int32{-1, 0, -1, -1, -1, 0, -1, -1}, ""},
		{append(slices.Repeat([][2]core.NodeID{{3, 0}}, 17), [2]core.NodeID{0, 1}), nil, "switch 0 has hosts and 17 links to other switches"},
	} {
		set := &Setup{Balance: switching.CONGA, Topology: &topo.Topology{Kinds: kinds}}
		for _, l := range c.links {
			set.Topology.Links = append(set.Topology.Links, topo.Link{A: l[0], B: l[1]})
		}
		got, err := set.Leaves()
		switch {
		case err != nil && (c.wrong == "" || !strings.HasPrefix(err.Error(), c.wrong)):
			t.Errorf("%v: %v, want %q", c.links, err, c.wrong)
		case err == nil && (c.wrong != "" || !slices.Equal(got, c.want)):
			t.Errorf("%v: %v, want %v or %q", c.links, got, c.want, c.wrong)
		}
	}
	if f, err := new(Setup).Leaves(); f != nil || err != nil {
		t.Errorf("%v, %v with another way to balance load", f, err)
	}
}
