//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

// The choices of the profiles, which are those of the standalone simulator; a test compares.

//export qbb_net_default
func qbb_net_default(profile C.int32_t, out *C.qbb_net_config) (code C.int) {
	defer guard(&code)
	if f := checkDefault(profile, out == nil); f != nil {
		return report(f)
	}
	*out = C.qbb_net_config{
		size: C.sizeof_qbb_net_config, nodes: 1, mtu: 1000, seed: 1, max_qps: 1 << 20, timing: C.QBB_EXACT,
	}
	if profile == C.QBB_NS3 {
		out.timing, out.options = C.QBB_FIXED_NANOS, C.QBB_COMMON_RANDOM
		return qbb_int_quantised(1, &out.format)
	}
	return qbb_int_full(C.QBB_MAX_HOPS, &out.format)
}

//export qbb_nic_default
func qbb_nic_default(profile C.int32_t, out *C.qbb_nic_config) (code C.int) {
	defer guard(&code)
	if f := checkDefault(profile, out == nil); f != nil {
		return report(f)
	}
	*out = C.qbb_nic_config{size: C.sizeof_qbb_nic_config, nack_every: 500e6, ack_every: 1, chunk: 4000, rto_low: 100e6}
	if profile == C.QBB_NS3 {
		out.header, out.ack, out.min_packet = 48, 46, 60
		out.options = C.QBB_WAKE_FOR_ALL | C.QBB_KEEP_ORDER | C.QBB_ACK_CLASS_3
		return 0
	}
	out.header, out.ack, out.min_packet = 62, 66, 64
	out.options = C.QBB_ACK_DUPLICATES | C.QBB_SKIP_ACKED
	out.rto, out.retries = 4e9, 12
	return 0
}

//export qbb_switch_default
func qbb_switch_default(profile C.int32_t, out *C.qbb_switch_config) (code C.int) {
	defer guard(&code)
	if f := checkDefault(profile, out == nil); f != nil {
		return report(f)
	}
	*out = C.qbb_switch_config{
		size: C.sizeof_qbb_switch_config, buffer: 32e6, reserve: 4096, resume: 3072, notice_size: 64, flowlet_gap: 100e6,
		first_alpha: 64,
	}
	if profile == C.QBB_NS3 {
		out.pause_size = 43
		out.options = C.QBB_MARK_ANY | C.QBB_WRAP32 | C.QBB_KEEP_ON_FLUSH
		return 0
	}
	out.pause_size, out.pause_quanta = 64, 0xffff
	return 0
}

//export qbb_topology_default
func qbb_topology_default(profile C.int32_t, out *C.qbb_topology_config) (code C.int) {
	defer guard(&code)
	if f := checkDefault(profile, out == nil); f != nil {
		return report(f)
	}
	*out = C.qbb_topology_config{size: C.sizeof_qbb_topology_config, payload: 1000}
	if profile == C.QBB_NS3 {
		out.timing, out.descending, out.packet, out.ack = C.QBB_FIXED_NANOS, 1, 1048, 60
		return 0
	}
	out.packet, out.ack = 1062, 66
	return 0
}

func checkDefault(profile C.int32_t, missing bool) *failure {
	if missing {
		return null("config")
	}
	return inRange(limits{"profile", int64(profile), C.QBB_NATIVE, C.QBB_NS3})
}
