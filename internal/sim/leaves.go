package sim

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Leaves returns the leaf of every node, as switching.BalanceConfig has them for CONGA; nil with other ways to balance load.
// It is an error if a host has links to several switches, or a leaf more links to other switches than packets can name.
func (s *Setup) Leaves() ([]int32, error) {
	if s.Balance != switching.CONGA {
		return nil, nil
	}
	const none = -1
	kinds := s.Topology.Kinds
	at := make([]core.NodeID, len(kinds)) // a host's switch, and a leaf itself
	uplinks := make([]int, len(kinds))
	for id := range at {
		at[id] = none
	}
	for _, l := range s.Topology.Links {
		for _, end := range [...][2]core.NodeID{{l.A, l.B}, {l.B, l.A}} {
			a, b := end[0], end[1]
			switch {
			case kinds[b] == topo.Host:
			case kinds[a] == topo.Switch:
				uplinks[a]++
			case at[a] != none && at[a] != b:
				return nil, fmt.Errorf("host %d has links to switches %d and %d, but conga needs hosts at one leaf: use another way, or a network whose hosts have one switch each", a, at[a], b)
			default:
				at[a], at[b] = b, b
			}
		}
	}
	list := make([]int32, len(kinds))
	number, leaves := make([]int32, len(kinds)), int32(0)
	for id, leaf := range at {
		if core.NodeID(id) != leaf {
			continue
		}
		if uplinks[id] > switching.MostUplinks {
			return nil, fmt.Errorf("switch %d has hosts and %d links to other switches, of which packets of conga can name %d: use another way, or fewer such links",
				id, uplinks[id], switching.MostUplinks)
		}
		number[id] = leaves
		leaves++
	}
	for id, leaf := range at {
		list[id] = none
		if leaf != none {
			list[id] = number[leaf]
		}
	}
	return list, nil
}
