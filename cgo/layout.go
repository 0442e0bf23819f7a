//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"reflect"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
)

// Telemetry records are looked at in place: a qbb_hop is a core.Hop. A difference in size or
// offset makes the length of an array here other than 0, which does not compile.
var _ = [...][0]byte{
	[C.sizeof_qbb_hop - unsafe.Sizeof(core.Hop{})]byte{},
	[unsafe.Sizeof(core.Hop{}) - C.sizeof_qbb_hop]byte{},
	[unsafe.Offsetof(C.qbb_hop{}.line) - unsafe.Offsetof(core.Hop{}.Line)]byte{},
	[unsafe.Offsetof(C.qbb_hop{}.at) - unsafe.Offsetof(core.Hop{}.At)]byte{},
	[unsafe.Offsetof(C.qbb_hop{}.tx) - unsafe.Offsetof(core.Hop{}.Tx)]byte{},
	[unsafe.Offsetof(C.qbb_hop{}.queue) - unsafe.Offsetof(core.Hop{}.Queue)]byte{},
	[unsafe.Offsetof(C.qbb_hop{}.flows) - unsafe.Offsetof(core.Hop{}.Flows)]byte{},
}

// structs are the structs of qbb.h as Go sees them.
func structs() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[C.qbb_hop](), reflect.TypeFor[C.qbb_int_format](), reflect.TypeFor[C.qbb_traits](),
		reflect.TypeFor[C.qbb_flow](), reflect.TypeFor[C.qbb_signal](), reflect.TypeFor[C.qbb_control](),
		reflect.TypeFor[C.qbb_packet](), reflect.TypeFor[C.qbb_action](), reflect.TypeFor[C.qbb_net_config](),
		reflect.TypeFor[C.qbb_nic_config](), reflect.TypeFor[C.qbb_flow_config](), reflect.TypeFor[C.qbb_flow_state](),
		reflect.TypeFor[C.qbb_switch_port](), reflect.TypeFor[C.qbb_switch_config](), reflect.TypeFor[C.qbb_counters](),
		reflect.TypeFor[C.qbb_link](), reflect.TypeFor[C.qbb_topology_config](), reflect.TypeFor[C.qbb_path](),
		reflect.TypeFor[C.qbb_run_info](), reflect.TypeFor[C.qbb_run_link](), reflect.TypeFor[C.qbb_link_change](),
		reflect.TypeFor[C.qbb_message](), reflect.TypeFor[C.qbb_flow_columns](), reflect.TypeFor[C.qbb_pfc_columns](),
		reflect.TypeFor[C.qbb_progress](), reflect.TypeFor[C.qbb_datagram](), reflect.TypeFor[C.qbb_scenario_flow](),
	}
}
