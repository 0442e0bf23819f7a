package traces

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// eventPorts returns the ports in the order of the reference's header. There they sit in
// libstdc++ hash maps, one of nodes and in it one of ports, filled host by host ascending,
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

// hashSizes are the numbers of buckets through which a growing libstdc++ hash map goes.
var hashSizes = [...]int{1, 13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229}

// hashOrder returns the order in which a libstdc++ unordered_map with the identity for a
// hash iterates over keys that were inserted in the order given.
func hashOrder[K ~int32](keys []K) []K {
	var m hashList[K]
	size := 0
	m.reset(hashSizes[size])
	for i, k := range keys {
		if i+1 > hashSizes[size] {
			size++
			list := m.list()
			m.reset(hashSizes[size])
			for _, old := range list {
				m.add(old)
			}
		}
		m.add(k)
	}
	return m.list()
}

// hashList holds the keys of each bucket in the order of insertion, and the buckets in the
// order of their first key; the map's list is the reverse of both.
type hashList[K ~int32] struct {
	size    int
	index   map[int]int
	buckets [][]K
}

func (m *hashList[K]) reset(size int) {
	*m = hashList[K]{size: size, index: make(map[int]int)}
}

func (m *hashList[K]) add(k K) {
	b := int(k) % m.size
	i, ok := m.index[b]
	if !ok {
		i = len(m.buckets)
		m.index[b] = i
		m.buckets = append(m.buckets, nil)
	}
	m.buckets[i] = append(m.buckets[i], k)
}

func (m *hashList[K]) list() []K {
	var keys []K
	for _, b := range slices.Backward(m.buckets) {
		for _, k := range slices.Backward(b) {
			keys = append(keys, k)
		}
	}
	return keys
}
