//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"maps"
	"slices"
	"sync"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/refrand"
	"github.com/qbb-sim/qbb/internal/sim"
)

// network is what the devices of one network share. Its lock is that of all its nodes.
type network struct {
	mu      sync.Mutex
	freed   bool
	run     *run // of which this is the network; nil: a network of the host's own
	nodes   map[uint64]*node
	taken   map[core.NodeID]bool // numbers of these nodes, unless they are a run's
	size    int32                // nodes are numbered below it
	seed    uint64
	timing  core.Timing
	mtu     core.Bytes
	maxRTT  core.Duration
	maxQPs  int32
	format  core.INTFormat
	pool    *core.Pool
	credits *core.CreditConfig // nil: none
	schemes []*scheme
	points  sim.Points
	mark    core.Random // the sequences that all devices draw from; nil: each has its own
	shared  core.Random
}

//export qbb_net_new
func qbb_net_new(in *C.qbb_net_config, out *C.qbb_net) (code C.int) {
	defer guard(&code)
	switch {
	case in == nil:
		return report(null("config"))
	case out == nil:
		return report(null("net"))
	}
	if f := needOpen(); f != nil {
		return report(f)
	}
	n, f := newNetwork(in)
	if f != nil {
		return report(f)
	}
	return report(keep(n, (*C.uint64_t)(out)))
}

func newNetwork(in *C.qbb_net_config) (*network, *failure) {
	if f := checkSize("qbb_net_config", in.size, C.sizeof_qbb_net_config); f != nil {
		return nil, f
	}
	if f := inRange(
		limits{"options", int64(in.options), 0, 2*C.QBB_CREDIT_REFRESH - 1},
		limits{"nodes", int64(in.nodes), 1, maxNodes},
		limits{"timing", int64(in.timing), 0, 1},
		limits{"mtu", int64(in.mtu), 1, maxFrame},
		limits{"max_rtt", int64(in.max_rtt), 0, maxTime},
		limits{"n_schemes", int64(in.n_schemes), 0, 255},
		limits{"max_qps", int64(in.max_qps), 1, 1 << 24},
		limits{"lane", int64(in.lane), 0, int64(core.MaxLane)},
		limits{"credit_update", int64(in.credit_update), 0, int64(in.lane)},
	); f != nil {
		return nil, f
	}
	format, f := formatOf(&in.format)
	if f != nil {
		return nil, f
	}
	n := &network{
		size: int32(in.nodes), seed: uint64(in.seed), timing: core.Timing(in.timing), mtu: core.Bytes(in.mtu),
		maxRTT: core.Duration(in.max_rtt), maxQPs: int32(in.max_qps), format: format,
		pool: core.NewPool(format.MaxHops), nodes: make(map[uint64]*node), taken: make(map[core.NodeID]bool),
	}
	if in.lane > 0 {
		n.credits = &core.CreditConfig{
			Lane: core.Bytes(in.lane), Update: core.Bytes(in.credit_update), Refresh: in.options&C.QBB_CREDIT_REFRESH != 0,
		}
	}
	if in.options&C.QBB_COMMON_RANDOM != 0 {
		n.mark, n.shared = refrand.NewFirstOfEach(uint64(in.mark_stream)), refrand.NewCRand(1)
	}
	return n, n.addSchemes(in)
}

// addSchemes numbers the schemes, and their congestion and notification points.
func (n *network) addSchemes(in *C.qbb_net_config) *failure {
	if in.n_schemes == 0 {
		return nil
	}
	if in.schemes == nil {
		return null("schemes")
	}
	for _, handle := range unsafe.Slice(in.schemes, int(in.n_schemes)) {
		s, f := lookup[scheme](C.uint64_t(handle), "scheme")
		if f != nil {
			return f
		}
		n.schemes = append(n.schemes, s)
		n.points.Add(s)
	}
	return nil
}

//export qbb_net_free
func qbb_net_free(handle C.qbb_net) (code C.int) {
	defer guard(&code)
	n, f := lookup[network](C.uint64_t(handle), "network")
	if f != nil {
		return report(f)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if f := release[network](C.uint64_t(handle), "network"); f != nil {
		return report(f)
	}
	n.free()
	return 0
}

// free makes the handles of all nodes invalid. The caller holds the lock.
func (n *network) free() {
	n.freed = true
	for _, h := range slices.Sorted(maps.Keys(n.nodes)) {
		n.nodes[h].freed = true
		objects.remove(h)
	}
}

// addNode adds the node that a function makes of its config.
func addNode[T any](handle C.qbb_net, in *T, out *C.qbb_node, made func(*network, *T) (*node, *failure)) *failure {
	n, f := lookup[network](C.uint64_t(handle), "network")
	if f != nil {
		return f
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.freed:
		return failf(C.QBB_E_HANDLE, "%#x is no network: freed by another thread", uint64(handle))
	case in == nil:
		return null("config")
	case out == nil:
		return null("node")
	}
	d, f := made(n, in)
	if f != nil {
		return f
	}
	return n.add(d, out)
}

// add gives a new node its handle. The caller holds the lock.
func (n *network) add(d *node, out *C.qbb_node) *failure {
	if n.taken[d.id] {
		return failf(C.QBB_E_STATE, "id is %d: the network has a node of this number already", d.id)
	}
	if f := keep(d, (*C.uint64_t)(out)); f != nil {
		return f
	}
	n.nodes[uint64(*out)], n.taken[d.id] = d, true
	return nil
}
