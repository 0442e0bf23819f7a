package native

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// recorder keeps the tables that grow as a run goes on; an Observer.
type recorder struct {
	done   *Table // finished flows, in the order of their ends
	told   []bool // by flow, as far as any is: it is in done
	frames *Table
	set    *Table   // by the congestion manager
	found  *Table   // by its sweeps
	names  []string // of the flows' schemes

	setRows   []traces.ManagerRow // of the last sweep
	foundRows []traces.SweepRow
}

func newRecorder(s *sim.Setup) *recorder {
	r := &recorder{
		done: tableOf[traces.FCTRow]("fct"), frames: tableOf[traces.PFCRow]("pfc"),
		set: tableOf[traces.ManagerRow]("dcms"), found: tableOf[traces.SweepRow]("dcms_counters"),
		told: make([]bool, len(s.Flows)),
	}
	for _, scheme := range s.Schemes {
		r.names = append(r.names, scheme.Traits().Name)
	}
	return r
}

// FlowEnded implements sim.Observer.
func (r *recorder) FlowEnded(f *sim.FlowRecord) {
	if f.Finished {
		for f.ID >= len(r.told) { // added meanwhile
			r.told = append(r.told, false)
		}
		r.told[f.ID] = true
		add(r.done, []traces.FCTRow{r.row(f)})
	}
}

func (r *recorder) row(f *sim.FlowRecord) traces.FCTRow {
	return scenario.FCTRow(f, r.names[f.Flow.Scheme])
}

// PauseReceived implements sim.Observer.
func (r *recorder) PauseReceived(p *sim.PauseRecord) {
	add(r.frames, []traces.PFCRow{scenario.PFCRow(p)})
}

// Swept implements sim.ManagerObserver.
func (r *recorder) Swept(at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction) {
	r.setRows, r.foundRows = driver.AppendSweep(r.setRows[:0], r.foundRows[:0], at, ports, actions)
	add(r.set, r.setRows)
	add(r.found, r.foundRows)
}

// QueueDump implements sim.Observer.
func (r *recorder) QueueDump(core.Time, *sim.Network) {}

// Records implements sim.Observer.
func (r *recorder) Records([]core.Record) {}

// flows returns the current rows of fct.parquet: the finished flows, then the others. As long as parts of the network are at
// different times, a run does not yet tell of the flows that have finished last ([sim.Network.Settle]).
func (r *recorder) flows(n *sim.Network) *Table {
	var last []sim.FlowRecord
	var rest []traces.FCTRow
	for i := range n.Setup.Flows {
		switch f := n.Record(i); {
		case !f.Finished:
			rest = append(rest, r.row(&f))
		case !r.told[i]:
			last = append(last, f)
		}
	}
	slices.SortStableFunc(last, func(a, b sim.FlowRecord) int { return cmp.Compare(a.Start.Add(a.FCT), b.Start.Add(b.FCT)) })
	t := r.done.snapshot()
	for i := range last {
		add(t, []traces.FCTRow{r.row(&last[i])})
	}
	add(t, rest)
	return t
}
