//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"strings"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/stall"
)

// listTo writes what fits of a list and returns its length.
func listTo[T, C1 any](what string, out *C1, room C.uint32_t, list []T, convert func(int, T) C1) C.int {
	if out == nil && room > 0 {
		return report(null(what))
	}
	to := unsafe.Slice(out, min(len(list), int(room)))
	for i := range to {
		to[i] = convert(i, list[i])
	}
	return C.int(len(list))
}

// column writes a row of a column, if that is wanted.
func column[T any](to *T, row int, value T) {
	if to != nil {
		*(*T)(unsafe.Add(unsafe.Pointer(to), uintptr(row)*unsafe.Sizeof(value))) = value
	}
}

// rows returns how many of n rows, from first on, a table of a given length has.
func rows(first, n C.uint32_t, table int) int {
	return max(0, min(int(n), table-int(first)))
}

//export qbb_run_flows
func qbb_run_flows(handle C.qbb_run, first, n C.uint32_t, out *C.qbb_flow_columns) C.int {
	return onRun(handle, func(r *run) C.int {
		if out == nil {
			return report(null("columns"))
		}
		if f := checkSize("qbb_flow_columns", out.size, C.sizeof_qbb_flow_columns); f != nil {
			return report(f)
		}
		count := rows(first, n, len(r.setup.Flows))
		for row := range count {
			rec := r.sim.Record(int(first) + row)
			writeFlow(out, row, &rec)
		}
		return C.int(count)
	})
}

func writeFlow(out *C.qbb_flow_columns, row int, r *sim.FlowRecord) {
	f, start := r.Flow, r.Start
	if !r.Started {
		start, r.FCT = f.Start, 0
	}
	column(out.src, row, C.int32_t(f.Src))
	column(out.dst, row, C.int32_t(f.Dst))
	column(out.src_port, row, C.uint16_t(r.SrcPort))
	column(out.dst_port, row, C.uint16_t(f.DstPort))
	column(out.prio, row, C.uint8_t(f.Prio))
	column(out.scheme, row, C.uint8_t(f.Scheme))
	column(out.progress, row, C.uint8_t(progressOf(r)))
	column(out.after, row, C.int32_t(firstAwaited(f)))
	column(out.bytes, row, C.int64_t(f.Bytes))
	column(out.start, row, C.int64_t(start))
	column(out.fct, row, C.int64_t(r.FCT))
	column(out.ideal, row, C.int64_t(r.Ideal))
	column(out.acked, row, C.int64_t(r.Acked))
	column(out.retransmitted, row, C.int64_t(r.Retx))
	column(out.marked, row, C.int64_t(r.Marked))
	column(out.timeouts, row, C.int64_t(r.Timeouts))
}

// firstAwaited is the first of the flows that a flow waits for, or -1.
func firstAwaited(f *sim.Flow) int32 {
	if len(f.After) == 0 {
		return -1
	}
	return f.After[0]
}

func progressOf(r *sim.FlowRecord) int {
	switch {
	case r.Finished:
		return C.QBB_FLOW_FINISHED
	case r.Failed:
		return C.QBB_FLOW_GIVEN_UP
	case r.Abandoned:
		return C.QBB_FLOW_ABANDONED
	case r.Started:
		return C.QBB_FLOW_RUNS
	}
	return C.QBB_FLOW_WAITS
}

//export qbb_run_added
func qbb_run_added(handle C.qbb_run, added C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := inRange(limits{"added", int64(added), 0, int64(len(r.scenario.Added)) - 1}); f != nil {
			return report(f)
		}
		return C.int(r.scenario.PlaceOfAdded(int(added)))
	})
}

//export qbb_run_tag
func qbb_run_tag(handle C.qbb_run, flow C.uint32_t, text *C.char, room C.size_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := inRange(limits{"flow", int64(flow), 0, int64(len(r.setup.Flows)) - 1}); f != nil {
			return report(f)
		}
		return putText(r.setup.Flows[flow].Tag, text, room)
	})
}

//export qbb_run_why
func qbb_run_why(handle C.qbb_run, flow C.uint32_t, text *C.char, room C.size_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := inRange(limits{"flow", int64(flow), 0, int64(len(r.setup.Flows)) - 1}); f != nil {
			return report(f)
		}
		rec := r.sim.Record(int(flow))
		if rec.Finished {
			return putText("", text, room)
		}
		reason, _ := r.sim.Why(r.hosted == nil && !r.over).Unfinished(&rec)
		return putText(reason, text, room)
	})
}

//export qbb_run_notes
func qbb_run_notes(handle C.qbb_run, text *C.char, room C.size_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if r.hosted != nil {
			return putText(strings.Join(stall.Blocks(r.sim), "\n"), text, room)
		}
		return putText(strings.Join(r.watch.Notes(), "\n"), text, room)
	})
}

//export qbb_run_scheme
func qbb_run_scheme(handle C.qbb_run, i C.uint32_t, text *C.char, room C.size_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := inRange(limits{"i", int64(i), 0, int64(len(r.setup.Schemes)) - 1}); f != nil {
			return report(f)
		}
		return putText(r.setup.Schemes[i].Traits().Name, text, room)
	})
}

//export qbb_run_pfc
func qbb_run_pfc(handle C.qbb_run, first, n C.uint32_t, out *C.qbb_pfc_columns) C.int {
	return onRun(handle, func(r *run) C.int {
		if out == nil {
			return report(null("columns"))
		}
		if f := checkSize("qbb_pfc_columns", out.size, C.sizeof_qbb_pfc_columns); f != nil {
			return report(f)
		}
		if !r.records.keepPFC {
			return report(failf(C.QBB_E_STATE, "PFC frames are not kept: make the run with QBB_RUN_KEEP_PFC"))
		}
		count := rows(first, n, len(r.records.pauses))
		for row := range count {
			p := &r.records.pauses[int(first)+row]
			column(out.at, row, C.int64_t(p.At))
			column(out.node, row, C.int32_t(p.Node))
			column(out.port, row, C.int32_t(p.Port))
			column(out.classes, row, C.uint8_t(p.Classes))
			column(out.pause, row, C.uint8_t(truth(p.Pause)))
		}
		return C.int(count)
	})
}

//export qbb_run_histogram
func qbb_run_histogram(handle C.qbb_run, node C.int32_t, port C.uint32_t, out *C.uint64_t, room C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := r.checkPort(node, int64(port)); f != nil {
			return report(f)
		}
		if r.setup.Topology.Kinds[node] != topo.Switch {
			return report(failf(C.QBB_E_RANGE, "node is %d, a host; queues are those of switches", node))
		}
		counts := r.sim.Histogram(core.NodeID(node), int(port))
		return listTo("counts", out, room, counts, func(_ int, n uint64) C.uint64_t { return C.uint64_t(n) })
	})
}

//export qbb_run_counters
func qbb_run_counters(handle C.qbb_run, node C.int32_t, out *C.qbb_counters, room C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := r.checkPort(node, 0); f != nil {
			return report(f)
		}
		ports := r.sim.Ports()[node]
		return listTo("counters", out, room, ports, func(i int, _ topo.Port) C.qbb_counters {
			return countersOf(r.sim.Counters(core.NodeID(node), i))
		})
	})
}

// checkPort demands a port of a node; port 0 stands for the node.
func (r *run) checkPort(node C.int32_t, port int64) *failure {
	all := r.sim.Ports()
	if f := inRange(limits{"node", int64(node), 0, int64(len(all)) - 1}); f != nil {
		return f
	}
	return inRange(limits{"port", port, 0, max(0, int64(len(all[node]))-1)})
}
