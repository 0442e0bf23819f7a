//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"unsafe"

	"github.com/qbb-sim/qbb/core"
)

// hopsOf returns the records of a packet of the caller's, in place.
func hopsOf(p *C.qbb_packet) *[C.QBB_MAX_HOPS]core.Hop {
	return (*[C.QBB_MAX_HOPS]core.Hop)(unsafe.Pointer(&p.hops))
}

// acceptable refuses what no peer can have sent.
func (d *node) acceptable(p *C.qbb_packet, now C.int64_t) *failure {
	n := d.net
	what := ""
	switch {
	case p.kind > C.QBB_PKT_DATAGRAM || p.kind == C.QBB_PKT_CREDIT && n.credits == nil:
		what = "kind"
	case p.src < 0 || int32(p.src) >= n.size:
		what = "src"
	case p.dst < 0 || int32(p.dst) >= n.size:
		what = "dst"
	case p.size < 1 || int64(p.size) > 2*maxFrame:
		what = "size"
	case p.payload < 0 || p.payload > p.size:
		what = "payload"
	case p.prio >= C.QBB_CLASSES:
		what = "prio"
	case p.sent < 0 || p.sent > now:
		what = "sent"
	case int(p.marker) > len(n.points.Markers):
		what = "marker"
	case int(p.receiver) > len(n.points.Receivers):
		what = "receiver"
	case p.kind <= C.QBB_PKT_NACK && (p.seq < 0 || int64(p.seq) > maxBytes):
		what = "seq"
	case d.nic != nil && core.NodeID(p.dst) == d.id && p.kind != C.QBB_PKT_PAUSE && p.kind != C.QBB_PKT_CREDIT:
		what = d.misdirected(p)
	}
	if what == "" {
		return nil
	}
	return failf(C.QBB_E_PACKET, "node %d: no peer sends a packet with this %s (kind %d, src %d, dst %d, src_qp %d, dst_qp %d, size %d, payload %d, prio %d, sent %d, seq %d)",
		d.id, what, p.kind, p.src, p.dst, p.src_qp, p.dst_qp, p.size, p.payload, p.prio, p.sent, p.seq)
}

// misdirected names the field by which a NIC does not find the queue pair of a packet that is for it.
func (d *node) misdirected(p *C.qbb_packet) string {
	most := d.opened
	if p.kind == C.QBB_PKT_DATA {
		most = d.net.maxQPs
	}
	switch {
	case p.kind == C.QBB_PKT_DATAGRAM:
		return ""
	case p.dst_qp < 0 || int32(p.dst_qp) >= most:
		return "dst_qp"
	case p.src_qp < 0:
		return "src_qp"
	}
	if d.nic.KeepsOutOfOrder() {
		return d.tooEarly(p)
	}
	return ""
}

// tooEarly names the field by which a packet is further ahead of what is missing than a sender
// can be: the NIC's bitmaps cover what lies between.
func (d *node) tooEarly(p *C.qbb_packet) string {
	const most = 1 << 30
	switch p.kind {
	case C.QBB_PKT_DATA:
		if int64(p.seq)-d.nic.Expected(int32(p.dst_qp)) > most {
			return "seq"
		}
	case C.QBB_PKT_NACK:
		if acked, _, _, _ := d.nic.Flow(int32(p.dst_qp)); p.sack < 0 || int64(p.sack)-acked > most {
			return "sack"
		}
	}
	return ""
}

// take copies a packet into the pool.
func (n *network) take(in *C.qbb_packet) *core.Packet {
	p := n.pool.New()
	p.Src, p.Dst = core.NodeID(in.src), core.NodeID(in.dst)
	p.SrcQP, p.DstQP = int32(in.src_qp), int32(in.dst_qp)
	p.Size, p.Payload, p.HostNanos = int32(in.size), int32(in.payload), uint32(in.host_nanos)
	p.SrcPort, p.DstPort = uint16(in.src_port), uint16(in.dst_port)
	p.Kind, p.Prio, p.Flags = core.Kind(in.kind), uint8(in.prio), core.Flags(in.flags)
	p.Marker, p.Scheme = uint8(in.marker), uint8(in.receiver)
	p.Sent, p.Seq, p.Aux, p.Sack = core.Time(in.sent), int64(in.seq), uint64(in.aux), int64(in.sack)
	if in.has_int != 0 {
		n.pool.AddINT(p)
		p.NHops = uint8(in.n_hops)
		copy(p.INT[:n.recorded(p)], hopsOf(in)[:])
	}
	return p
}

// recorded is the number of valid records in a packet's INT stack.
func (n *network) recorded(p *core.Packet) int { return min(int(p.NHops), n.format.MaxHops) }

// write copies an action out, and its packet back to the pool.
func (d *node) write(out *C.qbb_action, a *core.Action) {
	out.kind, out.port, out.flow = C.int32_t(a.Kind), C.int32_t(a.Port), C.int32_t(a.Flow)
	out.more, out.classes, out.at = C.uint8_t(truth(a.More)), C.uint8_t(a.Class), C.int64_t(a.At)
	if a.Packet == nil {
		return
	}
	d.net.give(&out.packet, a.Packet)
	a.Packet = nil
}

// give copies a packet out and frees it.
func (n *network) give(out *C.qbb_packet, p *core.Packet) {
	out.src, out.dst = C.int32_t(p.Src), C.int32_t(p.Dst)
	out.src_qp, out.dst_qp = C.int32_t(p.SrcQP), C.int32_t(p.DstQP)
	out.size, out.payload, out.host_nanos = C.int32_t(p.Size), C.int32_t(p.Payload), C.uint32_t(p.HostNanos)
	out.src_port, out.dst_port = C.uint16_t(p.SrcPort), C.uint16_t(p.DstPort)
	out.kind, out.prio, out.flags = C.uint8_t(p.Kind), C.uint8_t(p.Prio), C.uint8_t(p.Flags)
	out.marker, out.receiver, out.n_hops = C.uint8_t(p.Marker), C.uint8_t(p.Scheme), C.uint8_t(p.NHops)
	out.sent, out.seq, out.aux, out.sack = C.int64_t(p.Sent), C.int64_t(p.Seq), C.uint64_t(p.Aux), C.int64_t(p.Sack)
	out.has_int, out.reserved = 0, 0
	if p.INT != nil {
		out.has_int = 1
		copy(hopsOf(out)[:], p.INT[:n.recorded(p)])
	}
	n.pool.Free(p)
}
