//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

//export qbb_switch_new
func qbb_switch_new(handle C.qbb_net, in *C.qbb_switch_config, out *C.qbb_node) (code C.int) {
	defer guard(&code)
	return report(addNode(handle, in, out, (*network).newSwitch))
}

func (n *network) newSwitch(in *C.qbb_switch_config) (*node, *failure) {
	if f := n.checkSwitch(in); f != nil {
		return nil, f
	}
	ports, f := n.switchPorts(in)
	if f != nil {
		return nil, f
	}
	has := func(option C.uint32_t) bool { return in.options&option != 0 }
	d := &node{net: n, id: core.NodeID(in.id), busy: make([]core.Time, len(ports))}
	mark := n.mark
	if mark == nil {
		mark = core.NewStream(n.seed, core.StreamMark, uint64(d.id))
	}
	d.sw = switching.New(switching.Config{
		ID: d.id, Pool: n.pool, Router: &d.routes, Timing: n.timing, INT: n.format, MTU: n.mtu, MaxRTT: n.maxRTT,
		Buffer: bufferConfig(in),
		Pause:  switching.PauseConfig{Off: has(C.QBB_NO_PFC) || n.credits != nil, Quanta: uint16(in.pause_quanta), FrameLen: int32(in.pause_size)},
		Watchdog: switching.WatchdogConfig{
			Detection: core.Duration(in.watchdog_detection), Restoration: core.Duration(in.watchdog_restoration),
		},
		ECN:  switching.ECNConfig{Off: has(C.QBB_NO_ECN), AtEnqueue: has(C.QBB_MARK_AT_ENQUEUE), Any: has(C.QBB_MARK_ANY)},
		Mark: mark, PauseTakesDraw: n.mark != nil, Shared: n.shared, Markers: n.points.Markers, NoticeLen: int32(in.notice_size),
		FirstBytes: uint32(in.first_bytes),
		Meter:      switching.MeterConfig{Bin: 1}, Ports: ports, Credits: n.credits, Weights: weights(in), Strict: uint8(in.strict),
		Balance: n.balance(in),
	})
	d.device = d.sw
	return d, nil
}

func (n *network) checkSwitch(in *C.qbb_switch_config) *failure {
	if f := checkSize("qbb_switch_config", in.size, C.sizeof_qbb_switch_config); f != nil {
		return f
	}
	if f := inRange(
		limits{"options", int64(in.options), 0, 2*C.QBB_TRIM - 1},
		limits{"id", int64(in.id), 0, int64(n.size) - 1},
		limits{"pause_size", int64(in.pause_size), 1, 1 << 16},
		limits{"pause_quanta", int64(in.pause_quanta), 0, 1<<16 - 1},
		limits{"notice_size", int64(in.notice_size), 1, 1 << 16},
		limits{"buffer", int64(in.buffer), 1, maxBytes},
		limits{"reserve", int64(in.reserve), 0, int64(switching.MaxUse)},
		limits{"resume", int64(in.resume), 0, maxBytes},
		limits{"flowlet_gap", int64(in.flowlet_gap), 0, maxTime},
		limits{"watchdog_detection", int64(in.watchdog_detection), 0, maxTime},
		limits{"watchdog_restoration", int64(in.watchdog_restoration), 0, maxTime},
		limits{"lossy_shift", int64(in.lossy_shift), 0, 62},
		limits{"sharing", int64(in.sharing), 0, C.QBB_ABM},
		limits{"first_alpha", int64(in.first_alpha), 1, 1<<16 - 1},
		limits{"balance", int64(in.balance), 0, C.QBB_ADAPTIVE},
		limits{"n_ports", int64(in.n_ports), 1, maxPorts},
	); f != nil {
		return f
	}
	if in.strict != 0 && in.sharing == C.QBB_ABM {
		return failf(C.QBB_E_RANGE, "strict is %d; with QBB_ABM it must be 0", in.strict)
	}
	if in.ports == nil {
		return null("ports")
	}
	return nil
}

// switchPorts checks and copies the ports, which must leave something of the memory.
func (n *network) switchPorts(in *C.qbb_switch_config) ([]switching.PortConfig, *failure) {
	ports := make([]switching.PortConfig, in.n_ports)
	memory, promised := bufferConfig(in), core.Bytes(0)
	given := unsafe.Slice(in.ports, int(in.n_ports))
	for i := range given {
		p := &given[i]
		if f := inRange(
			limits{"rate", int64(p.rate), 1, maxRate},
			limits{"headroom", int64(p.headroom), 0, int64(switching.MaxUse)},
			limits{"kmin", int64(p.kmin), 0, C.QBB_UNLIMITED},
			limits{"kmax", int64(p.kmax), int64(p.kmin), C.QBB_UNLIMITED},
			limits{"shift", int64(p.shift), 0, 63},
		); f != nil {
			return nil, f
		}
		if !(p.pmax >= 0 && p.pmax <= 1) {
			return nil, failf(C.QBB_E_RANGE, "pmax of port %d is %v; it must be 0 to 1", i, float64(p.pmax))
		}
		promised += memory.Promised(core.Bytes(p.headroom))
		ports[i] = switching.PortConfig{
			Rate: core.Rate(p.rate), ToHost: p.to_host != 0, Headroom: core.Bytes(p.headroom), Shift: uint8(p.shift),
			KMin: core.Bytes(p.kmin), KMax: core.Bytes(p.kmax), PMax: float64(p.pmax),
			Random: core.NewStream(n.seed, core.StreamMarker, uint64(in.id)<<16|uint64(i)),
		}
	}
	switch {
	case promised >= memory.Total && !memory.Wrap32:
		return nil, failf(C.QBB_E_RANGE, "buffer is %d; the ports are promised %d of reserve and headroom", in.buffer, int64(promised))
	case memory.Total > memory.MaxTotal(promised):
		return nil, failf(C.QBB_E_RANGE, "buffer is %d; the switch can use %d", in.buffer, int64(memory.MaxTotal(promised)))
	}
	return ports, nil
}

func bufferConfig(in *C.qbb_switch_config) switching.BufferConfig {
	return switching.BufferConfig{
		Total: core.Bytes(in.buffer), Reserve: core.Bytes(in.reserve), Resume: core.Bytes(in.resume),
		Wrap32: in.options&C.QBB_WRAP32 != 0, KeepOnFlush: in.options&C.QBB_KEEP_ON_FLUSH != 0, Trim: in.options&C.QBB_TRIM != 0,
		Lossy: uint8(in.lossy), LossyShift: uint8(in.lossy_shift), Sharing: switching.Sharing(in.sharing), FirstAlpha: uint16(in.first_alpha),
	}
}

func weights(in *C.qbb_switch_config) (w [8]uint8) {
	for i := range w {
		w[i] = uint8(in.weights[i])
	}
	return w
}

func (n *network) balance(in *C.qbb_switch_config) switching.BalanceConfig {
	return switching.BalanceConfig{
		Way: switching.Balance(in.balance), Gap: core.Duration(in.flowlet_gap),
		Random: core.NewStream(n.seed, core.StreamBalance, uint64(in.id)),
	}
}

//export qbb_switch_depth
func qbb_switch_depth(handle C.qbb_node, port C.uint32_t, out *C.int64_t) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if d.sw == nil {
		return report(failf(C.QBB_E_HANDLE, "node %d is a NIC, not a switch", d.id))
	}
	if f := d.port(port); f != nil {
		return report(f)
	}
	if out == nil {
		return report(null("bytes"))
	}
	*out = C.int64_t(d.sw.Depth(int(port)))
	return 0
}
