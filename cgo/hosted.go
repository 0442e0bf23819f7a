//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// flowReady is the action QBB_FLOW_READY, which no device asks for.
const flowReady core.ActionKind = C.QBB_FLOW_READY

//export qbb_run_node
func qbb_run_node(handle C.qbb_run, id C.int32_t, out *C.qbb_node) C.int {
	return onHosted(handle, func(r *run) C.int {
		if out == nil {
			return report(null("node"))
		}
		d, f := r.node(int64(id))
		if f != nil {
			return report(f)
		}
		*out = C.qbb_node(r.handles[d.id])
		return 0
	})
}

// node returns a device of a hosted run, which has a handle from then on.
func (r *run) node(id int64) (*node, *failure) {
	if f := inRange(limits{"id", id, 0, int64(r.size) - 1}); f != nil {
		return nil, f
	}
	if h := r.handles[id]; h != 0 {
		return r.nodes[h], nil
	}
	device := r.sim.Node(core.NodeID(id))
	d := &node{net: r.network, id: core.NodeID(id), device: device, busy: make([]core.Time, len(r.sim.Ports()[id]))}
	d.nic, _ = device.(*nic.Host)
	d.sw, _ = device.(*switching.Switch)
	d.turn.Trace = r.hosted.Trace()
	var h C.uint64_t
	if f := keep(d, &h); f != nil {
		return nil, f
	}
	r.nodes[uint64(h)], r.handles[id] = d, uint64(h)
	return d, nil
}

// enterOwned is enter for a node whose flows, routes and life are the caller's, not a run's.
func enterOwned(handle C.qbb_node) (*node, *failure) {
	d, f := enter(handle)
	if f == nil && d.net.run != nil {
		f = failf(C.QBB_E_STATE, "node %d is a run's, and so are its flows and routes", d.id)
		d.leave()
	}
	return d, f
}

// heed tells the run what its node has asked for, and adds what the run asks for.
func (d *node) heed() {
	h := d.net.run.hosted
	for i := range d.turn.Actions {
		h.Heed(d.id, &d.turn.Actions[i])
	}
	h.Recorded()
	for _, r := range h.Ready() {
		d.turn.Actions = append(d.turn.Actions, core.Action{Kind: flowReady, Flow: int32(r.Flow), At: r.At})
	}
}

// reach moves the run's clock on.
func (r *run) reach(now C.int64_t) *failure {
	at, f := instant(now, now, r.sim.Now())
	if f == nil {
		r.begun = true
		r.hosted.At(at.Now)
	}
	return f
}

//export qbb_run_open
func qbb_run_open(handle C.qbb_run, now, born C.int64_t, flow C.uint32_t, out *C.qbb_action, room C.uint32_t) C.int {
	return onHosted(handle, func(r *run) C.int {
		if f := inRange(limits{"flow", int64(flow), 0, int64(len(r.setup.Flows)) - 1}); f != nil {
			return report(f)
		}
		if !r.hosted.Waits(int(flow)) {
			return report(failf(C.QBB_E_STATE, "flow %d has been opened, waits for others, or will never be", flow))
		}
		d, f := r.node(int64(r.setup.Flows[flow].Src))
		if f != nil {
			return report(f)
		}
		to := answers{out, room}
		if f := d.begin(now, born, to); f != nil {
			return report(f)
		}
		r.hosted.Open(int(flow), &d.turn)
		d.opened++
		return d.end(to)
	})
}

//export qbb_node_lost
func qbb_node_lost(handle C.qbb_node, now C.int64_t, port C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	r := d.net.run
	if r == nil {
		return report(failf(C.QBB_E_STATE, "node %d is of no run: its links are the host's", d.id))
	}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if f := r.reach(now); f != nil {
		return report(f)
	}
	return C.int(truth(r.hosted.Loses(d.id, int(port))))
}

//export qbb_run_reroute
func qbb_run_reroute(handle C.qbb_run, now C.int64_t) C.int {
	return onHosted(handle, func(r *run) C.int {
		if f := r.reach(now); f != nil {
			return report(f)
		}
		r.guarded(r.hosted.Reroute)
		return 0
	})
}

//export qbb_run_sweep
func qbb_run_sweep(handle C.qbb_run, now C.int64_t) C.int {
	return onHosted(handle, func(r *run) C.int {
		if r.setup.Manager.Sweep == 0 {
			return report(failf(C.QBB_E_STATE, "this run has no congestion manager: dcms.sweep is 0s"))
		}
		if f := r.reach(now); f != nil {
			return report(f)
		}
		r.guarded(r.hosted.Sweep)
		return 0
	})
}

//export qbb_run_sample
func qbb_run_sample(handle C.qbb_run, now C.int64_t) C.int {
	return onHosted(handle, func(r *run) C.int {
		if q := &r.setup.Sampling; q.Interval == 0 || !q.Events {
			return report(failf(C.QBB_E_STATE, "samples are no events in this run: queue_sampling.events is false"))
		}
		if f := r.reach(now); f != nil {
			return report(f)
		}
		r.guarded(r.hosted.Sample)
		return 0
	})
}
