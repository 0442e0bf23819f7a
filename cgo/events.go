//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"slices"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
)

//export qbb_node_receive
func qbb_node_receive(handle C.qbb_node, now, born C.int64_t, port C.uint32_t, packet *C.qbb_packet, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	to := answers{out, room}
	if packet == nil {
		return report(null("packet"))
	}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if f := d.acceptable(packet, now); f != nil {
		return report(f)
	}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	d.device.Receive(&d.turn, int(port), d.net.take(packet))
	return d.end(to)
}

//export qbb_node_tx_done
func qbb_node_tx_done(handle C.qbb_node, now, born C.int64_t, port C.uint32_t, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	to := answers{out, room}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if busy := d.busy[port]; core.Time(now) < busy {
		return report(failf(C.QBB_E_STATE, "port %d of node %d sends until %d", port, d.id, busy))
	}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	d.device.TxDone(&d.turn, int(port))
	return d.end(to)
}

//export qbb_node_wake
func qbb_node_wake(handle C.qbb_node, now, born C.int64_t, port C.uint32_t, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	to := answers{out, room}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	d.device.Wake(&d.turn, int(port))
	return d.end(to)
}

//export qbb_node_set_link
func qbb_node_set_link(handle C.qbb_node, now, born C.int64_t, port C.uint32_t, up C.int32_t, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	to := answers{out, room}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	if r := d.net.run; r != nil {
		r.hosted.SetLink(d.id, int(port), up != 0)
	}
	d.device.SetLink(&d.turn, int(port), up != 0)
	return d.end(to)
}

//export qbb_node_more
func qbb_node_more(handle C.qbb_node, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if out == nil && room > 0 {
		return report(null("actions"))
	}
	return d.hand(answers{out, room})
}

//export qbb_node_route
func qbb_node_route(handle C.qbb_node, dst C.int32_t, ports *C.uint16_t, n C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enterOwned(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if f := inRange(limits{"dst", int64(dst), 0, int64(d.net.size) - 1}, limits{"n", int64(n), 0, int64(len(d.busy))}); f != nil {
		return report(f)
	}
	if n > 0 && ports == nil {
		return report(null("ports"))
	}
	list := slices.Clone(unsafe.Slice((*uint16)(unsafe.Pointer(ports)), int(n)))
	for _, p := range list {
		if f := d.port(C.uint32_t(p)); f != nil {
			return report(f)
		}
	}
	for int(dst) >= len(d.routes.ports) {
		d.routes.ports = append(d.routes.ports, nil)
	}
	d.routes.ports[dst] = list
	d.setRoutes()
	return 0
}

// end hands over what the device wants done, and notes that it has done its part.
func (d *node) end(out answers) C.int {
	for i := range d.turn.Actions {
		if a := &d.turn.Actions[i]; a.Kind == core.Transmit {
			d.busy[a.Port] = a.At
		}
	}
	if d.net.run != nil {
		d.heed()
	}
	d.setBroken(false)
	return d.hand(out)
}

//export qbb_node_free
func qbb_node_free(handle C.qbb_node) (code C.int) {
	defer guard(&code)
	d, f := lookup[node](C.uint64_t(handle), "node")
	if f != nil {
		return report(f)
	}
	d.net.mu.Lock()
	defer d.net.mu.Unlock()
	if d.net.run != nil {
		return report(failf(C.QBB_E_STATE, "node %d is a run's, which is freed as a whole", d.id))
	}
	if f := release[node](C.uint64_t(handle), "node"); f != nil {
		return report(f)
	}
	d.freed = true
	delete(d.net.nodes, uint64(handle))
	delete(d.net.taken, d.id)
	d.empty()
	return 0
}

// empty gives the packets that the node holds back to the pool: what has not been fetched, and
// what the device drops when its links fail. A broken device is left alone.
func (d *node) empty() {
	if d.broken {
		return
	}
	d.drop()
	for port := range d.busy {
		d.device.SetLink(&d.turn, port, false)
		d.drop()
	}
}

func (d *node) drop() {
	for _, a := range d.turn.Actions[d.fetched:] {
		if a.Packet != nil {
			d.net.pool.Free(a.Packet)
		}
	}
	d.turn.Actions, d.fetched = d.turn.Actions[:0], 0
}
