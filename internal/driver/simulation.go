package driver

import (
	"time"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/stall"
)

// Simulation is a run that is under way: Start, any number of Steps, then Finish or Abort.
type Simulation struct {
	Network *sim.Network

	sc    *scenario.Scenario
	out   *outputs
	ended bool
	watch *stall.Watch
	setup time.Duration
	wall  time.Duration // spent in Step
}

// Start makes the network of a scenario, whose Setup s is, and opens its outputs in a folder;
// empty: nothing is written. Also, unless it is nil, hears what the outputs hear. The error is a
// [StartError].
func Start(sc *scenario.Scenario, s *sim.Setup, dir string, also sim.Observer) (*Simulation, error) {
	began := time.Now()
	out, err := newOutputs(sc, s, dir)
	if err != nil {
		return nil, &StartError{err}
	}
	var observer sim.Observer = out
	if also != nil {
		observer = both{out, also}
	}
	n, err := sim.Build(s, observer)
	if err == nil {
		err = out.start(n)
	}
	if err != nil {
		out.abort()
		return nil, &StartError{err}
	}
	return &Simulation{Network: n, sc: sc, out: out, watch: stall.New(n), setup: time.Since(began)}, nil
}

// Step runs up to the given number of events, none later than until, and reports whether the run
// continues. The error is one of writing; the run is then over.
func (r *Simulation) Step(until core.Time, events int) (more bool, err error) {
	began := time.Now()
	more = r.watch.Step(until, int64(events))
	r.wall += time.Since(began)
	r.ended = !more
	err = r.out.failure()
	return more && err == nil, err
}

// Add adds a flow to a closed loop, which then goes on.
func (r *Simulation) Add(f sim.Flow) int {
	r.ended = false
	return r.Network.Add(f)
}

// Writes reports whether a run into a folder writes a table, such as fct.parquet: not every run writes all.
func (r *Simulation) Writes(table string) bool {
	for _, t := range optionalTables {
		if t.name == table {
			return t.written(r.sc)
		}
	}
	return true
}

// Finish writes what is known only at the end and gives the files their names. A run that could
// go on counts as interrupted: its outputs hold what it has.
func (r *Simulation) Finish() (*Summary, error) {
	defer r.Abort()
	r.Network.Settle()
	sum := newSummary(r.sc, r.Network, !r.ended && !r.Network.AwaitsFlows())
	if r.watch.Stopped() {
		sum.Flows.Stuck = sum.Flows.Unfinished
	}
	sum.Notes = append(append(sum.Notes, r.watch.Notes()...), explanations(r.Network)...)
	sum.addBottlenecks(r.Network)
	sum.Notes = append(sum.Notes, r.out.packets.notes(&r.sc.Pcap)...)
	if err := r.out.finish(r, sum); err != nil {
		return nil, err
	}
	sum.Machine = newMachine(r.Network, r.setup, r.wall)
	if err := r.out.commit(sum); err != nil {
		return nil, err
	}
	return sum, nil
}

// Abort removes the files of a run that is not finished.
func (r *Simulation) Abort() { r.out.abort() }

// both hands everything to two observers.
type both struct{ a, b sim.Observer }

// FlowEnded implements sim.Observer.
func (o both) FlowEnded(r *sim.FlowRecord) { o.a.FlowEnded(r); o.b.FlowEnded(r) }

// PauseReceived implements sim.Observer.
func (o both) PauseReceived(r *sim.PauseRecord) { o.a.PauseReceived(r); o.b.PauseReceived(r) }

// QueueDump implements sim.Observer.
func (o both) QueueDump(at core.Time, n *sim.Network) { o.a.QueueDump(at, n); o.b.QueueDump(at, n) }

// Records implements sim.Observer.
func (o both) Records(records []core.Record) { o.a.Records(records); o.b.Records(records) }
