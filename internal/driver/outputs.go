package driver

import (
	"io"
	"path/filepath"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// outputs writes the files of a run as it goes; an Observer. Without a folder it only keeps what
// the summary needs.
type outputs struct {
	sc    *scenario.Scenario
	dir   string
	files *traces.Output // nil: nothing is written
	fct   batches[traces.FCTRow]
	pfc   batches[traces.PFCRow]
	text  scenario.TextWriter

	packets packets

	names []string // of the flows' schemes
	done  []slowdown.Flow

	manager managerOutputs

	meta  []tables.Meta
	paths []string
	err   error
}

// newOutputs opens the files that are written while the run goes on.
func newOutputs(sc *scenario.Scenario, s *sim.Setup, dir string) (*outputs, error) {
	o := &outputs{sc: sc, dir: dir}
	for _, scheme := range s.Schemes {
		o.names = append(o.names, scheme.Traits().Name)
	}
	if dir == "" {
		return o, nil
	}
	o.meta = []tables.Meta{
		{Key: "scenario", Value: sc.Record()},
		{Key: "seed", Value: strconv.FormatUint(sc.Seed, 10)},
		{Key: "version", Value: scenario.Version()},
	}
	err := CheckOutputs(sc, dir)
	if err != nil {
		return nil, err
	}
	if o.files, err = traces.NewOutput(dir); err != nil {
		return nil, err
	}
	if o.fct, err = newTable[traces.FCTRow](o, "fct.parquet"); err == nil {
		o.pfc, err = newTable[traces.PFCRow](o, "pfc.parquet")
	}
	if err == nil {
		err = o.openManager()
	}
	for _, f := range [...]struct {
		name string
		to   *io.Writer
	}{
		{sc.Files.FCT, &o.text.FCT}, {sc.Files.PFC, &o.text.PFC}, {sc.Files.Queues, &o.text.Queues},
		{sc.Files.Events, &o.text.Events}, {sc.Files.EventsText, &o.text.EventsText},
	} {
		if f.name == "" || err != nil {
			continue
		}
		var file *traces.File
		if file, err = o.create(f.name); err == nil {
			*f.to = file
		}
	}
	if err != nil {
		o.abort()
		return nil, err
	}
	return o, nil
}

// create opens an output.
func (o *outputs) create(name string) (*traces.File, error) {
	if err := o.prepare(name); err != nil {
		return nil, err
	}
	return o.files.Create(name)
}

// newTable opens a Parquet table beside fct.txt.
func newTable[Row any](o *outputs, name string) (batches[Row], error) {
	name = beside(o.sc, o.dir, name)
	if err := o.prepare(name); err != nil {
		return batches[Row]{}, err
	}
	t, err := tables.Create[Row](o.files, name, o.meta)
	return batches[Row]{write: t.Write}, err
}

// prepare makes the folder of an output and lists it.
func (o *outputs) prepare(name string) error {
	path := under(o.dir, name)
	o.paths = append(o.paths, path)
	return o.files.MakeFolder(filepath.Dir(path))
}

// start writes the heads of mix.tr and of the capture, which need the network.
func (o *outputs) start(n *sim.Network) error {
	o.packets.n, o.packets.met = n, make([]bool, len(n.Ports()))
	if o.files == nil {
		return nil
	}
	if err := o.openCapture(n); err != nil {
		return err
	}
	return o.text.Begin(o.sc, n)
}

// FlowEnded implements Observer. Flows that do not finish follow when the run ends.
func (o *outputs) FlowEnded(r *sim.FlowRecord) {
	if !r.Finished {
		return
	}
	o.done = append(o.done, slowdown.Flow{Bytes: r.Flow.Bytes, Slowdown: r.Slowdown()})
	o.text.FlowEnded(r)
	o.addFlow(r)
}

func (o *outputs) addFlow(r *sim.FlowRecord) {
	if o.files == nil {
		return
	}
	o.fct.rows = append(o.fct.rows, scenario.FCTRow(r, o.names[r.Flow.Scheme]))
	o.keep(o.fct.pass())
}

// PauseReceived implements Observer.
func (o *outputs) PauseReceived(r *sim.PauseRecord) {
	if o.files == nil {
		return
	}
	o.text.PauseReceived(r)
	o.pfc.rows = append(o.pfc.rows, scenario.PFCRow(r))
	o.keep(o.pfc.pass())
}

// QueueDump implements Observer.
func (o *outputs) QueueDump(at core.Time, n *sim.Network) { o.text.QueueDump(at, n) }

// keep remembers the first error of writing.
func (o *outputs) keep(err error) {
	if o.err == nil {
		o.err = err
	}
}

// failure returns the first error of writing.
func (o *outputs) failure() error {
	if o.files != nil {
		o.keep(o.files.Err())
	}
	return o.err
}

// finish writes what is known only at the end.
func (o *outputs) finish(run *Simulation, sum *Summary) error {
	n := run.Network
	sum.Slowdown = newSlowdowns(o.done)
	if sum.Credits != nil {
		sum.Credits.Settings = o.manager.count
	}
	if o.files == nil {
		return nil
	}
	for i := range n.Setup.Flows {
		if r := n.Record(i); !r.Finished {
			o.addFlow(&r)
		}
	}
	o.keep(o.fct.flush())
	o.keep(o.pfc.flush())
	o.flushManager()
	if n.Setup.Sampling.Interval > 0 {
		o.keep(writeTable(o, "queue_cdf.parquet", run.QueueRows))
	}
	o.keep(writeTable(o, "ports.parquet", run.PortRows))
	if n.Setup.Programs != nil {
		o.keep(writeTable(o, "schedule.parquet", run.ScheduleRows))
	}
	if n.Setup.Series.Interval > 0 {
		o.keep(writeTable(o, "series.parquet", run.SeriesRows))
	}
	return o.err
}

// writeTable writes a table whose rows are known only at the end.
func writeTable[Row any](o *outputs, name string, rows func(write func([]Row) error) error) error {
	t, err := newTable[Row](o, name)
	if err != nil {
		return err
	}
	return rows(t.write)
}

// commit writes the summary and gives all files their names, in place of those of an earlier run.
func (o *outputs) commit(sum *Summary) error {
	if o.files == nil {
		return nil
	}
	f, err := o.create(beside(o.sc, o.dir, summaryFile))
	if err != nil {
		return err
	}
	sum.Files = o.paths
	if err := traces.WriteJSON(f, sum); err != nil {
		return err
	}
	sum.Removed = outdatedTables(o.sc, o.dir, o.paths)
	for _, path := range sum.Removed {
		o.files.Remove(path)
	}
	return o.files.Commit()
}

// abort removes what is not committed.
func (o *outputs) abort() {
	if o.files != nil {
		o.files.Abort()
	}
}
