//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// options are a scenario, which its calls change one after the other.
type options struct {
	mu sync.Mutex
	*scenario.Scenario
}

//export qbb_scenario_read
func qbb_scenario_read(name, text *C.char, n C.size_t, out *C.qbb_scenario) (code C.int) {
	defer guard(&code)
	switch {
	case out == nil:
		return report(null("scenario"))
	case text == nil && n > 0:
		return report(null("text"))
	case n > C.size_t(scenario.MaxText):
		return report(failf(C.QBB_E_RANGE, "n is %d; a scenario has at most %d bytes", n, scenario.MaxText))
	}
	called := cmp.Or(C.GoString(name), "scenario")
	return makeScenario(out, func() (*scenario.Scenario, error) {
		return scenario.Read(called, C.GoBytes(unsafe.Pointer(text), C.int(n)))
	})
}

//export qbb_scenario_load
func qbb_scenario_load(path *C.char, out *C.qbb_scenario) (code C.int) {
	defer guard(&code)
	switch {
	case path == nil:
		return report(null("path"))
	case out == nil:
		return report(null("scenario"))
	}
	return makeScenario(out, func() (*scenario.Scenario, error) { return scenario.Load(C.GoString(path)) })
}

func makeScenario(out *C.qbb_scenario, read func() (*scenario.Scenario, error)) C.int {
	if f := needOpen(); f != nil {
		return report(f)
	}
	sc, err := read()
	if err != nil {
		return report(wrongScenario(err))
	}
	return report(keep(&options{Scenario: sc}, (*C.uint64_t)(out)))
}

// wrongScenario is a mistake of the user's in a scenario or a file that it names.
func wrongScenario(err error) *failure { return failf(C.QBB_E_SCENARIO, "%v", err) }

// onScenario does what a call asks of a scenario, under its lock.
func onScenario(handle C.qbb_scenario, do func(o *options) C.int) (code C.int) {
	defer guard(&code)
	o, f := lookup[options](C.uint64_t(handle), "scenario")
	if f != nil {
		return report(f)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return do(o)
}

//export qbb_scenario_set
func qbb_scenario_set(handle C.qbb_scenario, key, value *C.char) C.int {
	return onScenario(handle, func(o *options) C.int {
		switch {
		case key == nil:
			return report(null("key"))
		case value == nil:
			return report(null("value"))
		}
		if err := o.Set(C.GoString(key), C.GoString(value)); err != nil {
			return report(wrongScenario(err))
		}
		return 0
	})
}

//export qbb_scenario_topology
func qbb_scenario_topology(handle C.qbb_scenario, kinds *C.uint8_t, nodes C.int32_t, links *C.qbb_link, n C.uint32_t) C.int {
	return onScenario(handle, func(o *options) C.int {
		made, up, f := networkOf(kinds, nodes, links, n)
		if f != nil {
			return report(f)
		}
		if i := slices.Index(up, false); i >= 0 {
			return report(failf(C.QBB_E_RANGE, "link %d is down; let it fail by the key links", i))
		}
		o.UseNetwork(made)
		return 0
	})
}

//export qbb_scenario_add
func qbb_scenario_add(handle C.qbb_scenario, in *C.qbb_scenario_flow) C.int {
	return onScenario(handle, func(o *options) C.int {
		if in == nil {
			return report(null("flow"))
		}
		added := len(o.Added)
		flow, f := rowOf(in, added)
		if f != nil {
			return report(f)
		}
		o.Added = append(o.Added, flow)
		return C.int(added)
	})
}

// rowOf checks and copies a flow that comes after a number of added ones.
func rowOf(in *C.qbb_scenario_flow, added int) (traces.Flow, *failure) {
	if f := checkSize("qbb_scenario_flow", in.size, C.sizeof_qbb_scenario_flow); f != nil {
		return traces.Flow{}, f
	}
	if f := inRange(
		limits{"src", int64(in.src), 0, maxNodes - 1}, limits{"dst", int64(in.dst), 0, maxNodes - 1},
		limits{"prio", int64(in.prio), 1, C.QBB_CLASSES - 1},
		limits{"bytes", int64(in.bytes), 1, maxBytes}, limits{"start", int64(in.start), 0, maxTime},
		limits{"the number of flows", int64(added), 0, traces.MaxFlows - 1},
	); f != nil {
		return traces.Flow{}, f
	}
	if in.n_after > 0 && in.after == nil {
		return traces.Flow{}, null("after")
	}
	start := core.Time(in.start)
	flow := traces.Flow{
		Src: core.NodeID(in.src), Dst: core.NodeID(in.dst), Bytes: core.Bytes(in.bytes), Start: start, StartNanos: start.Nanos(),
		Prio: uint8(in.prio), SrcPort: uint16(in.src_port), DstPort: uint16(in.dst_port), Tag: C.GoString(in.tag), Scheme: C.GoString(in.scheme),
	}
	for i, earlier := range unsafe.Slice(in.after, int(in.n_after)) {
		if int(earlier) >= added {
			return flow, failf(C.QBB_E_RANGE, "after[%d] is %d; it must be the number of an added flow, of which there are %d", i, earlier, added)
		}
		flow.After = append(flow.After, int32(earlier))
	}
	if err := traces.CheckFlow(scenario.NameOfAdded(added), &flow, added); err != nil {
		return flow, wrongScenario(err)
	}
	return flow, nil
}

//export qbb_scenario_print
func qbb_scenario_print(handle C.qbb_scenario, text *C.char, room C.size_t) C.int {
	return onScenario(handle, func(o *options) C.int {
		var b strings.Builder
		if err := o.Print(&b); err != nil {
			return report(wrongScenario(err))
		}
		return putText(b.String(), text, room)
	})
}

// putText writes what fits of a text, with a 0 at the end, and returns its length.
func putText(s string, to *C.char, room C.size_t) C.int {
	switch {
	case room > 0 && to == nil:
		return report(null("text"))
	case room > 0:
		n := int(min(C.size_t(len(s)), room-1))
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(to)), n+1)
		copy(bytes, s[:n])
		bytes[n] = 0
	}
	return C.int(len(s))
}

//export qbb_scenario_free
func qbb_scenario_free(handle C.qbb_scenario) (code C.int) {
	defer guard(&code)
	return report(release[options](C.uint64_t(handle), "scenario"))
}
