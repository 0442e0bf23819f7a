//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"errors"
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/stall"
)

// run is a simulation: the network of a scenario, which our engine or a host moves on.
type run struct {
	*network // the lock, and what the nodes of a hosted run share
	scenario *scenario.Scenario
	setup    *sim.Setup
	sim      *sim.Network
	hosted   *sim.Hosted  // nil: our engine moves it on
	watch    *stall.Watch // hosted: nil
	handles  []uint64     // hosted: of nodes that the host has asked for; 0: not yet
	records  records
	begun    bool // an event has run
	over     bool
	broken   bool // a bug has shown; it can only be freed
}

//export qbb_run_new
func qbb_run_new(handle C.qbb_scenario, flags C.uint32_t, out *C.qbb_run) C.int {
	return onScenario(handle, func(o *options) C.int {
		if out == nil {
			return report(null("run"))
		}
		if f := inRange(limits{"options", int64(flags), 0, C.QBB_RUN_HOSTED | C.QBB_RUN_KEEP_PFC | C.QBB_RUN_CLOSED_LOOP}); f != nil {
			return report(f)
		}
		if flags&C.QBB_RUN_HOSTED != 0 && flags&C.QBB_RUN_CLOSED_LOOP != 0 {
			return report(failf(C.QBB_E_RANGE, "a hosted run takes flows without QBB_RUN_CLOSED_LOOP"))
		}
		r, f := newRun(o.Scenario, flags)
		if f != nil {
			return report(f)
		}
		return report(keep(r, (*C.uint64_t)(out)))
	})
}

func newRun(sc *scenario.Scenario, options C.uint32_t) (*run, *failure) {
	own := sc.Clone()                          // Setup completes it, and the caller may change his
	own.Pcap.File, own.Series.Interval = "", 0 // files that are the command's alone
	own.ClosedLoop = options&C.QBB_RUN_CLOSED_LOOP != 0
	s, err := own.Setup()
	if err != nil {
		return nil, wrongScenario(err)
	}
	r := &run{scenario: own, setup: s}
	r.records.keepPFC = options&C.QBB_RUN_KEEP_PFC != 0
	if options&C.QBB_RUN_HOSTED == 0 {
		if r.sim, err = sim.Build(s, &r.records); err == nil {
			r.network, r.watch = &network{}, stall.New(r.sim)
		}
	} else if r.hosted, err = sim.BuildHosted(s, &r.records); err == nil {
		r.sim, r.handles = &r.hosted.Network, make([]uint64, len(s.Topology.Kinds))
		err = r.share()
	}
	if err != nil {
		return nil, wrongScenario(err)
	}
	return r, nil
}

// share makes what the nodes of a hosted run share.
func (r *run) share() error {
	format := r.sim.INT()
	if format.MaxHops > C.QBB_MAX_HOPS {
		return fmt.Errorf("paths have up to %d links: a hosted packet has room for the records of %d", format.MaxHops, C.QBB_MAX_HOPS)
	}
	switch r.setup.Balance {
	case switching.CONGA:
		return errors.New("switch.load_balance: conga is not hosted: a packet has no room for what its switches tell one another")
	case switching.ConWeave:
		return errors.New("switch.load_balance: conweave is not hosted: no kind of packet is for what its switches tell one another")
	}
	r.network = &network{
		nodes: make(map[uint64]*node), size: int32(len(r.setup.Topology.Kinds)), maxQPs: 1 << 24, credits: r.sim.Credits(),
		format: format, pool: r.sim.Pool(), points: r.sim.Points(), run: r,
	}
	return nil
}

// onRun does what a call asks of a run, under its lock.
func onRun(handle C.qbb_run, do func(r *run) C.int) (code C.int) {
	defer guard(&code)
	r, f := lookup[run](C.uint64_t(handle), "run")
	if f != nil {
		return report(f)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.freed:
		return report(failf(C.QBB_E_HANDLE, "%#x is no run: freed by another thread", uint64(handle)))
	case r.broken:
		return report(failf(C.QBB_E_BROKEN, "this run has failed before; free it"))
	}
	return do(r)
}

// onHosted is onRun for a run that a host moves on.
func onHosted(handle C.qbb_run, do func(r *run) C.int) C.int {
	return onRun(handle, func(r *run) C.int {
		if r.hosted == nil {
			return report(failf(C.QBB_E_STATE, "this run is not hosted: make it with QBB_RUN_HOSTED"))
		}
		return do(r)
	})
}

//export qbb_run_free
func qbb_run_free(handle C.qbb_run) (code C.int) {
	defer guard(&code)
	r, f := lookup[run](C.uint64_t(handle), "run")
	if f != nil {
		return report(f)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := release[run](C.uint64_t(handle), "run"); f != nil {
		return report(f)
	}
	r.network.free()
	r.records.abort()
	return 0
}

//export qbb_run_until
func qbb_run_until(handle C.qbb_run, until, events C.int64_t) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := r.checkUntil(until); f != nil {
			return report(f)
		}
		if events < 0 {
			return report(failf(C.QBB_E_RANGE, "events is %d; it must be at least 0", events))
		}
		r.guarded(func() { r.advance(core.Time(until), int64(events)) })
		return C.int(truth(!r.over))
	})
}

// checkUntil demands that our engine can go on to a time.
func (r *run) checkUntil(until C.int64_t) *failure {
	switch {
	case r.hosted != nil:
		return failf(C.QBB_E_STATE, "this run is hosted: its events are the host's")
	case until != C.QBB_NEVER && (until < 0 || until > maxTime):
		return failf(C.QBB_E_RANGE, "until is %d; it must be 0 to %d, or QBB_NEVER", until, int64(maxTime))
	case core.Time(until) < r.sim.Now():
		return failf(C.QBB_E_TIME, "until is %d, before %d of an earlier call", until, r.sim.Now())
	}
	return nil
}

// guarded does what may panic: then the run stays broken.
func (r *run) guarded(do func()) {
	r.broken = true
	do()
	r.broken = false
}

// advance runs events up to a time, at most a number of them, or all.
func (r *run) advance(until core.Time, events int64) {
	if events == 0 {
		events = math.MaxInt64
	}
	r.begun = true
	r.over = r.over && (!r.setup.ClosedLoop || r.sim.Halted()) || !r.watch.Step(until, events)
}

//export qbb_run_progress
func qbb_run_progress(handle C.qbb_run, out *C.qbb_progress) C.int {
	return onRun(handle, func(r *run) C.int {
		if out == nil {
			return report(null("progress"))
		}
		if f := checkSize("qbb_progress", out.size, C.sizeof_qbb_progress); f != nil {
			return report(f)
		}
		n := r.sim
		*out = C.qbb_progress{
			size: C.sizeof_qbb_progress, over: truth(r.over), now: C.int64_t(n.Now()), stop: C.int64_t(r.setup.Stop),
			flows: C.int64_t(len(r.setup.Flows)), started: C.int64_t(n.Started()), ended: C.int64_t(n.Ended()),
			pfc: C.int64_t(len(r.records.pauses)), dropped: C.int64_t(n.Dropped()), lost: C.int64_t(n.Lost()),
		}
		if n.Engine != nil {
			out.hops, out.events = C.int64_t(n.Engine.Hops()), C.int64_t(n.Engine.Events())
		}
		return 0
	})
}

//export qbb_run_describe
func qbb_run_describe(handle C.qbb_run, out *C.qbb_run_info) C.int {
	return onRun(handle, func(r *run) C.int {
		if out == nil {
			return report(null("info"))
		}
		if f := checkSize("qbb_run_info", out.size, C.sizeof_qbb_run_info); f != nil {
			return report(f)
		}
		s, q := r.setup, &r.setup.Sampling
		*out = C.qbb_run_info{
			size: C.sizeof_qbb_run_info, nodes: C.int32_t(len(s.Topology.Kinds)), hosts: C.int32_t(len(s.Topology.Hosts())),
			links: C.int32_t(len(s.Topology.Links)), changes: C.int32_t(len(s.Links)), flows: C.int32_t(len(s.Flows)),
			schemes: C.int32_t(len(s.Schemes)), timing: C.int32_t(s.Profile.Timing),
			in_order: truth(s.Profile.InOrder()), start_chain: truth(s.Profile.StartChain),
			stop: C.int64_t(s.Stop), mtu: C.int64_t(s.MTU), max_rtt: C.int64_t(r.sim.MaxRTT()), max_bdp: C.int64_t(r.sim.MaxBDP()),
			header: C.int32_t(s.Header), sweep_every: C.int64_t(s.Manager.Sweep),
		}
		if q.Interval > 0 {
			out.bin = C.int64_t(q.Bin)
		}
		if q.Interval > 0 && q.Events {
			out.sample_every, out.sample_start, out.sample_end = C.int64_t(q.Interval), C.int64_t(q.Start), C.int64_t(q.End)
		}
		return 0
	})
}

//export qbb_run_kinds
func qbb_run_kinds(handle C.qbb_run, out *C.uint8_t, room C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		return listTo("kinds", out, room, r.setup.Topology.Kinds, func(_ int, k topo.Kind) C.uint8_t { return C.uint8_t(k) })
	})
}

//export qbb_run_links
func qbb_run_links(handle C.qbb_run, out *C.qbb_run_link, room C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		ends := make([][2]int, len(r.setup.Topology.Links))
		for id, ports := range r.sim.Ports() {
			for port, p := range ports {
				side := 0
				if r.setup.Topology.Links[p.Link].B == core.NodeID(id) {
					side = 1
				}
				ends[p.Link][side] = port
			}
		}
		return listTo("links", out, room, r.setup.Topology.Links, func(i int, l topo.Link) C.qbb_run_link {
			return C.qbb_run_link{
				a: C.int32_t(l.A), b: C.int32_t(l.B), a_port: C.int32_t(ends[i][0]), b_port: C.int32_t(ends[i][1]),
				rate: C.int64_t(l.Rate), delay: C.int64_t(r.setup.Delay(&l)), loss: C.double(r.sim.Loss(l.A, ends[i][0])),
			}
		})
	})
}

//export qbb_run_changes
func qbb_run_changes(handle C.qbb_run, out *C.qbb_link_change, room C.uint32_t) C.int {
	return onRun(handle, func(r *run) C.int {
		return listTo("changes", out, room, r.setup.Links, func(_ int, ev sim.LinkEvent) C.qbb_link_change {
			return C.qbb_link_change{at: C.int64_t(ev.At), link: C.int32_t(ev.Link), up: truth(ev.Up)}
		})
	})
}
