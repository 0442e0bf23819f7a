//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// topology is links, routes and paths. It does not change.
type topology struct {
	kinds  []topo.Kind
	ports  []int // by node
	routes *topo.Routes
	paths  *topo.Paths
}

//export qbb_topology_new
func qbb_topology_new(in *C.qbb_topology_config, out *C.qbb_topology) (code C.int) {
	defer guard(&code)
	switch {
	case in == nil:
		return report(null("config"))
	case out == nil:
		return report(null("topology"))
	}
	if f := needOpen(); f != nil {
		return report(f)
	}
	t, f := newTopology(in)
	if f != nil {
		return report(f)
	}
	return report(keep(t, (*C.uint64_t)(out)))
}

func newTopology(in *C.qbb_topology_config) (*topology, *failure) {
	if f := checkSize("qbb_topology_config", in.size, C.sizeof_qbb_topology_config); f != nil {
		return nil, f
	}
	if f := inRange(
		limits{"timing", int64(in.timing), 0, 1},
		limits{"payload", int64(in.payload), 1, maxFrame},
		limits{"packet", int64(in.packet), 1, 2 * maxFrame},
		limits{"ack", int64(in.ack), 1, maxFrame},
	); f != nil {
		return nil, f
	}
	made, up, f := networkOf(in.kinds, in.nodes, in.links, in.n_links)
	if f != nil {
		return nil, f
	}
	ports := make([]int, in.nodes)
	for _, l := range made.Links {
		ports[l.A]++
		ports[l.B]++
	}
	order := topo.AscendingID
	if in.descending != 0 {
		order = topo.DescendingID
	}
	routes := topo.NewRoutes(made, up, order)
	sizes := topo.Sizes{Payload: core.Bytes(in.payload), Packet: core.Bytes(in.packet), Ack: core.Bytes(in.ack)}
	return &topology{made.Kinds, ports, routes, topo.NewPaths(routes, core.Timing(in.timing), sizes)}, nil
}

// networkOf checks and copies nodes and links, and returns which links are up.
func networkOf(kinds *C.uint8_t, nodes C.int32_t, links *C.qbb_link, n C.uint32_t) (*topo.Topology, []bool, *failure) {
	if f := inRange(limits{"nodes", int64(nodes), 1, maxNodes}, limits{"n_links", int64(n), 1, 1 << 26}); f != nil {
		return nil, nil, f
	}
	switch {
	case kinds == nil:
		return nil, nil, null("kinds")
	case links == nil:
		return nil, nil, null("links")
	}
	made := &topo.Topology{Kinds: make([]topo.Kind, nodes)}
	for i, k := range unsafe.Slice(kinds, int(nodes)) {
		made.Kinds[i] = topo.Kind(k)
	}
	up := make([]bool, n)
	for i, l := range unsafe.Slice(links, int(n)) {
		made.Links = append(made.Links, topo.Link{A: core.NodeID(l.a), B: core.NodeID(l.b), Rate: core.Rate(l.rate), Delay: core.Duration(l.delay)})
		up[i] = l.down == 0
	}
	if err := made.Validate(); err != nil {
		return nil, nil, failf(C.QBB_E_RANGE, "%v", err)
	}
	return made, up, nil
}

//export qbb_topology_path
func qbb_topology_path(handle C.qbb_topology, src, dst C.int32_t, out *C.qbb_path) (code C.int) {
	defer guard(&code)
	t, f := lookup[topology](C.uint64_t(handle), "topology")
	if f != nil {
		return report(f)
	}
	if out == nil {
		return report(null("path"))
	}
	most := int64(len(t.kinds)) - 1
	if f := inRange(limits{"src", int64(src), 0, most}, limits{"dst", int64(dst), 0, most}); f != nil {
		return report(f)
	}
	if t.kinds[src] != topo.Host || t.kinds[dst] != topo.Host || src == dst {
		return report(failf(C.QBB_E_RANGE, "src and dst are %d and %d; they must be two hosts", src, dst))
	}
	p := t.paths.Pair(core.NodeID(src), core.NodeID(dst))
	if p.Hops == 0 {
		return report(failf(C.QBB_E_STATE, "no path leads from %d to %d over the links that are up", src, dst))
	}
	*out = C.qbb_path{
		rtt: C.int64_t(p.RTT), bdp: C.int64_t(p.BDP), bottleneck: C.int64_t(p.Bottleneck), hops: C.int32_t(p.Hops),
	}
	return 0
}

//export qbb_topology_largest
func qbb_topology_largest(handle C.qbb_topology, out *C.qbb_path) (code C.int) {
	defer guard(&code)
	t, f := lookup[topology](C.uint64_t(handle), "topology")
	if f != nil {
		return report(f)
	}
	if out == nil {
		return report(null("path"))
	}
	most := t.paths.Max()
	*out = C.qbb_path{rtt: C.int64_t(most.RTT), bdp: C.int64_t(most.BDP), hops: C.int32_t(most.Hops)}
	return 0
}

//export qbb_topology_free
func qbb_topology_free(handle C.qbb_topology) (code C.int) {
	defer guard(&code)
	return report(release[topology](C.uint64_t(handle), "topology"))
}

//export qbb_node_routes
func qbb_node_routes(handle C.qbb_node, of C.qbb_topology) (code C.int) {
	defer guard(&code)
	t, f := lookup[topology](C.uint64_t(of), "topology")
	if f != nil {
		return report(f)
	}
	d, f := enterOwned(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if len(t.kinds) != int(d.net.size) {
		return report(failf(C.QBB_E_RANGE, "the topology has %d nodes, the network %d", len(t.kinds), d.net.size))
	}
	if ports := t.ports[d.id]; ports != len(d.busy) {
		return report(failf(C.QBB_E_RANGE, "node %d has %d ports in the topology and %d in the network", d.id, ports, len(d.busy)))
	}
	d.routes.rest = t.routes
	d.setRoutes()
	return 0
}
