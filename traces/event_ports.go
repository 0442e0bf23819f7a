package traces

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// eventPorts returns the ports in the order of the reference's header. There they sit in
// libstdc++ hash maps ([core.HashOrder]), one of nodes and in it one of ports, filled host by host ascending,
// then switch by switch descending, and likewise by the neighbours of each node.
func eventPorts(t *topo.Topology) []EventPort {
	ports := t.Ports()
	visit := func(a, b core.NodeID) int {
		if t.Kinds[a] != t.Kinds[b] {
			return int(t.Kinds[a]) - int(t.Kinds[b])
		}
		if t.Kinds[a] == topo.Switch {
			return int(b) - int(a)
		}
		return int(a) - int(b)
	}
	var nodes []core.NodeID
	for id := range ports {
		if len(ports[id]) > 0 {
			nodes = append(nodes, core.NodeID(id))
		}
	}
	slices.SortFunc(nodes, visit)
	var all []EventPort
	for _, node := range hashOrder(nodes) {
		var numbers []int32
		for i := range ports[node] {
			numbers = append(numbers, int32(i)+1)
		}
		slices.SortStableFunc(numbers, func(a, b int32) int {
			return visit(ports[node][a-1].Peer, ports[node][b-1].Peer)
		})
		for _, n := range hashOrder(numbers) {
			all = append(all, EventPort{Node: node, Port: n - 1, Rate: t.Links[ports[node][n-1].Link].Rate})
		}
	}
	return all
}

// hashOrder returns the order in which such a map iterates over keys that were inserted in the order given.
func hashOrder[K ~int32](keys []K) []K {
	order := core.NewHashOrder(func(k K) uint64 { return uint64(k) })
	for _, k := range keys {
		order.Add(k)
	}
	return order.Keys()
}
