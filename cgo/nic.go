//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"math/bits"
	"unsafe"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

//export qbb_nic_new
func qbb_nic_new(handle C.qbb_net, in *C.qbb_nic_config, out *C.qbb_node) (code C.int) {
	defer guard(&code)
	return report(addNode(handle, in, out, (*network).newNIC))
}

func (n *network) newNIC(in *C.qbb_nic_config) (*node, *failure) {
	if f := n.checkNIC(in); f != nil {
		return nil, f
	}
	rates := make([]core.Rate, in.n_ports)
	for i, r := range unsafe.Slice(in.rates, int(in.n_ports)) {
		if f := inRange(limits{"rates", int64(r), 1, maxRate}); f != nil {
			return nil, f
		}
		rates[i] = core.Rate(r)
	}
	has := func(option C.uint32_t) bool { return in.options&option != 0 }
	var recovery [C.QBB_CLASSES]nic.Recovery
	for class, way := range in.recovery {
		recovery[class] = nic.Recovery(way)
	}
	ackClass := uint8(0)
	if has(C.QBB_ACK_CLASS_3) {
		ackClass = 3
	}
	entropy := nic.OfFlow
	switch {
	case has(C.QBB_PLB_PORTS):
		entropy = nic.Protective
	case has(C.QBB_RECYCLED_PORTS):
		entropy = nic.Recycled
	case has(C.QBB_RANDOM_PORTS):
		entropy = nic.Sprayed
	}
	d := &node{net: n, id: core.NodeID(in.id), busy: make([]core.Time, len(rates))}
	d.nic = nic.New(nic.Config{
		ID: d.id, Pool: n.pool, Router: &d.routes, Timing: n.timing, Ports: rates, MTU: n.mtu,
		Header: int32(in.header), AckLen: int32(in.ack), MinLen: int32(in.min_packet), INT: n.format,
		Receivers: n.points.Receivers, MaxRTT: n.maxRTT, Seed: n.seed,
		NackEvery: core.Duration(in.nack_every), AckEvery: int(in.ack_every), Chunk: int64(in.chunk), RTO: core.Duration(in.rto), Retries: int(in.retries),
		AckPrio0: has(C.QBB_ACK_FIRST), AckClass: ackClass, AckControl: uint8(in.ack_control), AckDuplicates: has(C.QBB_ACK_DUPLICATES), SkipAcked: has(C.QBB_SKIP_ACKED),
		Recovery: recovery, Reordering: int64(in.reordering), Unpaced: has(C.QBB_UNPACED), WakeForAll: has(C.QBB_WAKE_FOR_ALL),
		KeepOrder: has(C.QBB_KEEP_ORDER), RTOLow: core.Duration(in.rto_low), Credits: n.credits,
		Delay: core.Duration(in.delay), Service: core.Duration(in.service),
		Entropy: entropy, Chance: core.NewStream(n.seed, core.StreamEntropy, uint64(in.id)), PLB: nic.DefaultPLB(),
	})
	d.device = d.nic
	return d, nil
}

func (n *network) checkNIC(in *C.qbb_nic_config) *failure {
	if f := checkSize("qbb_nic_config", in.size, C.sizeof_qbb_nic_config); f != nil {
		return f
	}
	if f := inRange(
		limits{"options", int64(in.options), 0, 2*C.QBB_PLB_PORTS - 1},
		limits{"id", int64(in.id), 0, int64(n.size) - 1},
		limits{"header", int64(in.header), 0, 1 << 16},
		limits{"ack", int64(in.ack), 0, 1 << 16},
		limits{"min_packet", int64(in.min_packet), 1, 1 << 16},
		limits{"nack_every", int64(in.nack_every), 0, maxTime},
		limits{"ack_every", int64(in.ack_every), 1, 1e6},
		limits{"chunk", int64(in.chunk), 1, maxBytes},
		limits{"rto", int64(in.rto), 0, maxTime},
		limits{"delay", int64(in.delay), 0, maxTime},
		limits{"service", int64(in.service), 0, maxTime},
		limits{"rto_low", int64(in.rto_low), 0, maxTime},
		limits{"reordering", int64(in.reordering), 0, 1e6},
		limits{"retries", int64(in.retries), 0, 1 << 30},
		limits{"n_ports", int64(in.n_ports), 1, maxPorts},
	); f != nil {
		return f
	}
	if bits.OnesCount32(uint32(in.options&(C.QBB_RANDOM_PORTS|C.QBB_RECYCLED_PORTS|C.QBB_PLB_PORTS))) > 1 {
		return failf(C.QBB_E_RANGE, "options are %d; QBB_RANDOM_PORTS, QBB_RECYCLED_PORTS and QBB_PLB_PORTS exclude one another", in.options)
	}
	for _, way := range in.recovery {
		if f := inRange(limits{"recovery", int64(way), 0, C.QBB_SELECTIVE}); f != nil {
			return f
		}
	}
	for _, s := range n.schemes {
		if t := s.Traits(); in.ack_every > 1 && (t.AckEvery > 0 || t.Needs&algorithms.AckPerData != 0) {
			return failf(C.QBB_E_RANGE, "ack_every is %d; with %s it must be 1", in.ack_every, t.Name)
		}
	}
	if in.rates == nil {
		return null("rates")
	}
	return nil
}

//export qbb_nic_open
func qbb_nic_open(handle C.qbb_node, now, born C.int64_t, in *C.qbb_flow_config, qp *C.int32_t, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enterNIC(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if d.net.run != nil {
		return report(failf(C.QBB_E_STATE, "node %d is a run's, whose flows are opened by qbb_run_open", d.id))
	}
	to := answers{out, room}
	if in == nil {
		return report(null("flow"))
	}
	flow, f := d.flow(in)
	if f != nil {
		return report(f)
	}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	number := d.nic.Open(&d.turn, flow)
	d.opened++
	if qp != nil {
		*qp = C.int32_t(number)
	}
	return d.end(to)
}

// flow checks and copies what a NIC is to send.
func (d *node) flow(in *C.qbb_flow_config) (*nic.Flow, *failure) {
	n := d.net
	if f := checkSize("qbb_flow_config", in.size, C.sizeof_qbb_flow_config); f != nil {
		return nil, f
	}
	if f := inRange(
		limits{"dst", int64(in.dst), 0, int64(n.size) - 1},
		limits{"dst_qp", int64(in.dst_qp), 0, int64(n.maxQPs) - 1},
		limits{"prio", int64(in.prio), 1, C.QBB_CLASSES - 1},
		limits{"scheme", int64(in.scheme), 0, int64(len(n.schemes)) - 1},
		limits{"hops", int64(in.hops), 0, 255},
		limits{"bytes", int64(in.bytes), 1, maxBytes},
		limits{"base_rtt", int64(in.base_rtt), 1, maxTime},
		limits{"window", int64(in.window), 0, maxBytes},
		limits{"rto", int64(in.rto), 0, maxTime},
		limits{"first_rto", int64(in.first_rto), 0, maxTime},
	); f != nil {
		return nil, f
	}
	if core.NodeID(in.dst) == d.id || len(d.routes.Next(d.id, core.NodeID(in.dst))) == 0 {
		return nil, failf(C.QBB_E_STATE, "node %d has no route to node %d: call qbb_node_route", d.id, in.dst)
	}
	marker, receiver := n.points.Of(int(in.scheme))
	return &nic.Flow{
		ID: int32(in.id), Dst: core.NodeID(in.dst), SrcPort: uint16(in.src_port), DstPort: uint16(in.dst_port),
		Prio: uint8(in.prio), DstQP: int32(in.dst_qp), Size: int64(in.bytes), Scheme: n.schemes[in.scheme].Scheme,
		Marker: marker, Receiver: receiver, BaseRTT: core.Duration(in.base_rtt),
		RTO: core.Duration(in.rto), FirstRTO: core.Duration(in.first_rto), Hops: int(in.hops), Window: core.Bytes(in.window), ScaleWindow: in.scale_window != 0,
		Random: core.NewStream(n.seed, core.StreamFlow, uint64(uint32(in.id))), Shared: n.shared,
	}, nil
}

//export qbb_nic_reroute
func qbb_nic_reroute(handle C.qbb_node, now, born C.int64_t, out *C.qbb_action, room C.uint32_t) (code C.int) {
	defer guard(&code)
	d, f := enterNIC(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	to := answers{out, room}
	if f := d.begin(now, born, to); f != nil {
		return report(f)
	}
	d.nic.Reroute(&d.turn)
	return d.end(to)
}

//export qbb_nic_flow
func qbb_nic_flow(handle C.qbb_node, qp C.int32_t, out *C.qbb_flow_state) (code C.int) {
	defer guard(&code)
	d, f := enterNIC(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if out == nil {
		return report(null("state"))
	}
	if qp < 0 || int32(qp) >= d.opened {
		return report(failf(C.QBB_E_RANGE, "qp is %d; node %d has opened %d flows", qp, d.id, d.opened))
	}
	acked, done, control, stats := d.nic.Flow(int32(qp))
	*out = C.qbb_flow_state{
		acked: C.int64_t(acked), retransmitted: C.int64_t(stats.RetransmittedBytes), marked: C.int64_t(stats.MarkedPackets),
		timeouts: C.int64_t(stats.Timeouts), control: controlOf(&control), done: truth(done),
	}
	return 0
}

//export qbb_nic_forget
func qbb_nic_forget(handle C.qbb_node, qp C.int32_t) (code C.int) {
	defer guard(&code)
	d, f := enterNIC(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if f := inRange(limits{"qp", int64(qp), 0, int64(d.net.maxQPs) - 1}); f != nil {
		return report(f)
	}
	d.nic.Forget(int32(qp))
	return 0
}
