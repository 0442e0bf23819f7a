//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

//export qbb_nic_send
func qbb_nic_send(handle C.qbb_node, now, born C.int64_t, port C.uint32_t, in *C.qbb_datagram, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enterNIC(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	to := answers{out, room}
	if in == nil {
		return report(null("datagram"))
	}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if f := d.checkDatagram(in); f != nil {
		return report(f)
	}
	if d.nic.HasDatagram(int(port)) {
		return report(failf(C.QBB_E_STATE, "port %d of node %d has not sent its last datagram", port, d.id))
	}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	d.nic.SendDatagram(&d.turn, int(port), &nic.Datagram{
		Dst: core.NodeID(in.dst), Size: int32(in.bytes), Prio: uint8(in.prio), SrcPort: uint16(in.src_port),
		DstPort: uint16(in.dst_port), ID: uint64(in.id),
	})
	return d.end(to)
}

func (d *node) checkDatagram(in *C.qbb_datagram) *failure {
	if f := checkSize("qbb_datagram", in.size, C.sizeof_qbb_datagram); f != nil {
		return f
	}
	if f := inRange(
		limits{"dst", int64(in.dst), 0, int64(d.net.size) - 1},
		limits{"bytes", int64(in.bytes), 1, int64(d.nic.MaxDatagram())},
		limits{"prio", int64(in.prio), 1, C.QBB_CLASSES - 1},
	); f != nil {
		return f
	}
	if core.NodeID(in.dst) == d.id {
		return failf(C.QBB_E_RANGE, "dst is %d, the node itself", d.id)
	}
	return nil
}
