//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// node is a device with the turn that its host owes it.
type node struct {
	net     *network
	id      core.NodeID
	device  core.Node
	nic     *nic.Host         // nil for a switch
	sw      *switching.Switch // nil for a NIC
	routes  routes
	turn    core.Turn
	fetched int // actions of the turn that the host has
	busy    []core.Time
	opened  int32 // flows
	freed   bool
	broken  bool // the device has panicked
}

// routes are the equal-cost ports towards each node: those set one by one, else those of a
// topology.
type routes struct {
	ports [][]uint16
	rest  *topo.Routes
}

// Next implements core.Router.
func (r *routes) Next(node, dst core.NodeID) []uint16 {
	if int(dst) < len(r.ports) && len(r.ports[dst]) > 0 {
		return r.ports[dst]
	}
	if r.rest != nil {
		return r.rest.Next(node, dst)
	}
	return nil
}

// setRoutes tells the device that its routes have changed.
func (d *node) setRoutes() {
	if d.nic != nil {
		d.nic.SetRouter(&d.routes)
	} else {
		d.sw.SetRouter(&d.routes)
	}
}

// enter finds a node and takes its lock; leave gives that back.
func enter(handle C.qbb_node) (*node, *failure) {
	d, f := lookup[node](C.uint64_t(handle), "node")
	if f != nil {
		return nil, f
	}
	d.net.mu.Lock()
	switch {
	case d.freed:
		f = failf(C.QBB_E_HANDLE, "%#x is no node: freed by another thread", uint64(handle))
	case d.broken || d.net.run != nil && d.net.run.broken:
		f = failf(C.QBB_E_BROKEN, "node %d has failed before; free it", d.id)
	default:
		return d, nil
	}
	d.net.mu.Unlock()
	return nil, f
}

func (d *node) leave() { d.net.mu.Unlock() }

// enterNIC is enter for a NIC.
func enterNIC(handle C.qbb_node) (*node, *failure) {
	d, f := enter(handle)
	if f == nil && d.nic == nil {
		f = failf(C.QBB_E_HANDLE, "node %d is a switch, not a NIC", d.id)
		d.leave()
	}
	return d, f
}

// answers is where a host wants the actions.
type answers struct {
	to *C.qbb_action
	n  C.uint32_t
}

// begin checks the time of an event and that it may come now. After it the device is called, and
// then end.
func (d *node) begin(now, born C.int64_t, out answers) *failure {
	at, f := instant(now, born, d.turn.Now)
	switch {
	case f != nil:
		return f
	case out.to == nil && out.n > 0:
		return null("actions")
	case d.fetched < len(d.turn.Actions):
		return failf(C.QBB_E_PENDING, "%d actions of the last call have not been fetched: call qbb_node_more", len(d.turn.Actions)-d.fetched)
	}
	if r := d.net.run; r != nil {
		if f := r.reach(now); f != nil {
			return f
		}
	}
	d.turn.Instant = at
	d.turn.Actions, d.fetched = d.turn.Actions[:0], 0
	d.setBroken(true)
	return nil
}

// setBroken is called around what may panic: a node that has been left in the middle of a call
// stays broken, and so does the run that it is of.
func (d *node) setBroken(broken bool) {
	d.broken = broken
	if d.net.run != nil {
		d.net.run.broken = broken
	}
}

// hand writes the actions that fit and returns how many there were.
func (d *node) hand(out answers) C.int {
	left := d.turn.Actions[d.fetched:]
	n := min(len(left), int(out.n))
	to := unsafe.Slice(out.to, n)
	for i := range to {
		d.write(&to[i], &left[i])
	}
	d.fetched += n
	return C.int(len(left))
}

func (d *node) port(port C.uint32_t) *failure {
	if uint64(port) >= uint64(len(d.busy)) {
		return failf(C.QBB_E_RANGE, "port is %d; node %d has ports 0 to %d", port, d.id, len(d.busy)-1)
	}
	return nil
}
