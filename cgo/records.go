//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"io"
	"path/filepath"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// records hears what happens in a run, writes its files, and keeps what results are made of.
type records struct {
	text    scenario.TextWriter
	files   []*traces.Output
	taken   traces.Places // of the files
	keepPFC bool
	pauses  []sim.PauseRecord
	failed  *failure // to complete the files
}

// FlowEnded implements sim.Observer.
func (x *records) FlowEnded(r *sim.FlowRecord) { x.text.FlowEnded(r) }

// PauseReceived implements sim.Observer.
func (x *records) PauseReceived(r *sim.PauseRecord) {
	x.text.PauseReceived(r)
	if x.keepPFC {
		x.pauses = append(x.pauses, *r)
	}
}

// QueueDump implements sim.Observer.
func (x *records) QueueDump(at core.Time, n *sim.Network) { x.text.QueueDump(at, n) }

// Records implements sim.Observer.
func (x *records) Records(list []core.Record) { x.text.Records(list) }

// abort removes the files that have not been finished.
func (x *records) abort() {
	for _, f := range x.files {
		f.Abort()
	}
	x.files, x.taken, x.text = nil, nil, scenario.TextWriter{}
}

// place is where the text of a file goes; nil there: the file is not written.
func (x *records) place(file C.int32_t) *io.Writer {
	return [...]*io.Writer{
		C.QBB_FCT_TXT: &x.text.FCT, C.QBB_PFC_TXT: &x.text.PFC, C.QBB_QLEN_TXT: &x.text.Queues, C.QBB_MIX_TR: &x.text.Events,
	}[file]
}

//export qbb_run_write
func qbb_run_write(handle C.qbb_run, file C.int32_t, path *C.char) C.int {
	return onRun(handle, func(r *run) C.int {
		if f := inRange(limits{"file", int64(file), 0, C.QBB_MIX_TR}); f != nil {
			return report(f)
		}
		if r.begun {
			return report(failf(C.QBB_E_STATE, "the run has begun: a file that is opened now would not hold all"))
		}
		name := ""
		if path != nil {
			if name = C.GoString(path); name == "" {
				return report(failf(C.QBB_E_FILE, "path is empty: name a file, or give NULL for the name that the scenario has for it"))
			}
		} else if name = r.named(file); name == "" {
			return 1
		}
		return report(r.write(file, name))
	})
}

// named is the name that the scenario gives to a file; empty: none.
func (r *run) named(file C.int32_t) string {
	names := &r.scenario.Files
	name := map[C.int32_t]string{
		C.QBB_FCT_TXT: names.FCT, C.QBB_PFC_TXT: names.PFC, C.QBB_QLEN_TXT: names.Queues, C.QBB_MIX_TR: names.Events,
	}[file]
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.scenario.Out, name)
}

// write opens a file of the run.
func (r *run) write(file C.int32_t, name string) *failure {
	x := &r.records
	to := x.place(file)
	place, err := x.taken.Check(name)
	switch {
	case file == C.QBB_QLEN_TXT && r.setup.Sampling.Dump == 0:
		return failf(C.QBB_E_STATE, "%s: this run has no histograms of queues to write: set queue_sampling.events and queue_sampling.dump", name)
	case file == C.QBB_MIX_TR && r.setup.Trace == nil:
		return failf(C.QBB_E_STATE, "%s: this run records no packets: set trace", name)
	case *to != nil:
		return failf(C.QBB_E_STATE, "%s: this file of the run has been opened before", name)
	case err != nil:
		return failf(C.QBB_E_FILE, "%v", err)
	case r.scenario.Reads(name):
		return failf(C.QBB_E_FILE, "%s: this output would replace an input: give it another name", name)
	}
	out, base, err := traces.NewOutputOf(name)
	if err != nil {
		return failf(C.QBB_E_FILE, "%v", err)
	}
	f, err := out.Create(base)
	if err != nil {
		out.Abort()
		return failf(C.QBB_E_FILE, "%v", err)
	}
	*to = f
	if file == C.QBB_MIX_TR {
		if err := x.text.Begin(r.scenario, r.sim); err != nil {
			*to = nil
			out.Abort()
			return wrongScenario(err)
		}
	}
	if x.taken == nil {
		x.taken = make(traces.Places)
	}
	x.files, x.taken[place] = append(x.files, out), name
	return nil
}

//export qbb_run_finish
func qbb_run_finish(handle C.qbb_run) C.int {
	return onRun(handle, func(r *run) C.int {
		return report(r.finish())
	})
}

// finish completes the files with all that has happened.
func (r *run) finish() *failure {
	r.sim.Settle()
	return r.records.finish()
}

// finish completes the files; what has failed once fails again.
func (x *records) finish() *failure {
	defer x.abort()
	for _, out := range x.files {
		if err := out.Commit(); err != nil {
			x.failed = failf(C.QBB_E_FILE, "%v", err)
			break
		}
	}
	return x.failed
}
