//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Flows that a program adds to a run: to one that it hosts, or in a closed loop to one of the library.

//export qbb_run_add
func qbb_run_add(handle C.qbb_run, in *C.qbb_message, out *C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		switch {
		case in == nil:
			return report(null("message"))
		case out == nil:
			return report(null("flow"))
		case r.hosted == nil && !r.setup.ClosedLoop:
			return report(failf(C.QBB_E_STATE, "this run takes no flows: make it with QBB_RUN_CLOSED_LOOP or QBB_RUN_HOSTED"))
		}
		if f := r.checkMessage(in); f != nil {
			return report(f)
		}
		add := r.sim.Add
		if r.hosted != nil {
			add = r.hosted.Add
		} else if f := r.checkStart(core.Time(in.start)); f != nil {
			return report(f)
		}
		r.over = false
		*out = C.uint32_t(add(sim.Flow{
			Src: core.NodeID(in.src), Dst: core.NodeID(in.dst), Bytes: int64(in.bytes), Start: core.Time(in.start),
			Prio: uint8(in.prio), SrcPort: uint16(in.src_port), DstPort: uint16(in.dst_port), Scheme: uint8(in.scheme),
		}))
		return 0
	})
}

// checkStart demands that a flow can start in a closed loop.
func (r *run) checkStart(at core.Time) *failure {
	switch {
	case r.sim.Halted():
		return failf(C.QBB_E_STATE, "the run has ended: no flow can be added")
	case at < r.sim.Now():
		return failf(C.QBB_E_TIME, "start is %d, before now: %d", at, r.sim.Now())
	case r.setup.Profile.Timing != core.Exact && core.Duration(at)%core.Nanosecond != 0:
		return failf(C.QBB_E_RANGE, "start is %d; where times are nanoseconds it must be a whole number of them", at)
	}
	return nil
}

//export qbb_run_next_end
func qbb_run_next_end(handle C.qbb_run, until C.int64_t, out *C.uint32_t) C.int {
	return nextOf(handle, until, out, sim.Ends, (*sim.Network).TakeEnd)
}

//export qbb_run_next_arrival
func qbb_run_next_arrival(handle C.qbb_run, until C.int64_t, out *C.uint32_t) C.int {
	return nextOf(handle, until, out, sim.Arrivals, (*sim.Network).TakeArrival)
}

// nextOf runs a closed loop until what is awaited comes, and takes it.
func nextOf(handle C.qbb_run, until C.int64_t, out *C.uint32_t, what sim.Await, take func(*sim.Network) (int, bool)) C.int {
	return onRun(handle, func(r *run) C.int {
		switch {
		case out == nil:
			return report(null("flow"))
		case !r.setup.ClosedLoop:
			return report(failf(C.QBB_E_STATE, "this run is no closed loop: make it with QBB_RUN_CLOSED_LOOP"))
		}
		if f := r.checkUntil(until); f != nil {
			return report(f)
		}
		flow, ok := take(r.sim)
		if !ok {
			r.sim.BreakAt = what
			r.guarded(func() { r.advance(core.Time(until), 0) })
			r.sim.BreakAt = sim.Nothing
			flow, ok = take(r.sim)
		}
		if !ok {
			return 0
		}
		*out = C.uint32_t(flow)
		return 1
	})
}

//export qbb_run_tagged
func qbb_run_tagged(handle C.qbb_run, tag *C.char) C.int {
	return onRun(handle, func(r *run) C.int {
		if tag == nil {
			return report(null("tag"))
		}
		i, ok := r.scenario.SchemeOf(C.GoString(tag))
		if !ok {
			return report(failf(C.QBB_E_NAME, "cc_by_tag: no scheme for flows with the tag %q", C.GoString(tag)))
		}
		return C.int(i)
	})
}

func (r *run) checkMessage(in *C.qbb_message) *failure {
	if f := checkSize("qbb_message", in.size, C.sizeof_qbb_message); f != nil {
		return f
	}
	kinds := r.setup.Topology.Kinds
	most := int64(len(kinds)) - 1
	if f := inRange(
		limits{"src", int64(in.src), 0, most}, limits{"dst", int64(in.dst), 0, most},
		limits{"prio", int64(in.prio), 1, C.QBB_CLASSES - 1}, limits{"scheme", int64(in.scheme), 0, int64(len(r.setup.Schemes)) - 1},
		limits{"bytes", int64(in.bytes), 1, maxBytes}, limits{"start", int64(in.start), 0, maxTime},
		limits{"the number of flows", int64(len(r.setup.Flows)), 0, 1<<31 - 2},
	); f != nil {
		return f
	}
	if kinds[in.src] != topo.Host || kinds[in.dst] != topo.Host || in.src == in.dst {
		return failf(C.QBB_E_RANGE, "src and dst are %d and %d; they must be two hosts", in.src, in.dst)
	}
	return nil
}
