package driver

import (
	"io"
	"path/filepath"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// batch is the number of rows that are written to a table at once.
const batch = 1024

// outputs writes the files of a run as it goes; an Observer. Without a folder it only keeps what
// the summary needs.
type outputs struct {
	sc    *scenario.Scenario
	dir   string
	files *traces.Output // nil: nothing is written
	fct   *tables.Table[traces.FCTRow]
	pfc   *tables.Table[traces.PFCRow]
	flows []traces.FCTRow // not yet written
	frame []traces.PFCRow // not yet written
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
func newTable[T any](o *outputs, name string) (*tables.Table[T], error) {
	name = beside(o.sc, o.dir, name)
	if err := o.prepare(name); err != nil {
		return nil, err
	}
	return tables.Create[T](o.files, name, o.meta)
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
	o.flows = append(o.flows, scenario.FCTRow(r, o.names[r.Flow.Scheme]))
	if len(o.flows) == batch {
		o.flushFlows()
	}
}

func (o *outputs) flushFlows() {
	o.keep(o.fct.Write(o.flows))
	o.flows = o.flows[:0]
}

// PauseReceived implements Observer.
func (o *outputs) PauseReceived(r *sim.PauseRecord) {
	if o.files == nil {
		return
	}
	o.text.PauseReceived(r)
	o.frame = append(o.frame, scenario.PFCRow(r))
	if len(o.frame) == batch {
		o.flushFrames()
	}
}

func (o *outputs) flushFrames() {
	o.keep(o.pfc.Write(o.frame))
	o.frame = o.frame[:0]
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
func (o *outputs) finish(n *sim.Network, sum *Summary) error {
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
	o.flushFlows()
	o.flushFrames()
	o.flushManager()
	o.keep(o.writeQueues(n))
	o.keep(o.writePorts(n))
	o.keep(o.writeSeries(n))
	return o.err
}

func (o *outputs) writeQueues(n *sim.Network) error {
	if n.Setup.Sampling.Interval == 0 {
		return nil
	}
	t, err := newTable[traces.QueueCDFRow](o, "queue_cdf.parquet")
	if err != nil {
		return err
	}
	return queueRows(n, t.Write)
}

// queueRows hands over the rows of queue_cdf.parquet, some at a time.
func queueRows(n *sim.Network, write func([]traces.QueueCDFRow) error) error {
	if n.Setup.Sampling.Interval == 0 {
		return nil
	}
	hists := scenario.Histograms(n)
	all := traces.SumQueues(hists)
	var rows []traces.QueueCDFRow
	for i := range hists {
		rows = traces.AppendQueueCDF(rows, &hists[i], n.Setup.Sampling.Bin)
		if len(rows) >= batch {
			if err := write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return write(traces.AppendQueueCDF(rows, &all, n.Setup.Sampling.Bin))
}

func (o *outputs) writePorts(n *sim.Network) error {
	t, err := newTable[traces.PortRow](o, "ports.parquet")
	if err != nil {
		return err
	}
	return portRows(o.sc, n, t.Write)
}

// portRows hands over the rows of ports.parquet, some at a time.
func portRows(sc *scenario.Scenario, n *sim.Network, write func([]traces.PortRow) error) error {
	var rows []traces.PortRow
	for id, ports := range n.Ports() {
		for i, p := range ports {
			c := n.Counters(core.NodeID(id), i)
			rows = append(rows, portRow(core.NodeID(id), n.Setup.Topology.Kinds[id], i, p.Peer, n.Setup.Topology.Links[p.Link].Rate, &c, sc.Credits.Tick))
		}
		if len(rows) >= batch {
			if err := write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return write(rows)
}

func portRow(node core.NodeID, kind topo.Kind, port int, peer core.NodeID, rate core.Rate, c *core.Counters, tick core.Duration) traces.PortRow {
	return traces.PortRow{
		Node: node, NodeKind: traces.KindName(kind), Port: int32(port), Peer: peer, RateBps: int64(rate),
		TxBytes: c.TxBytes, TxPackets: c.TxPackets, RxBytes: c.RxBytes, RxPackets: c.RxPackets,
		ECNMarked: c.Marked, DroppedPackets: c.DroppedPackets, DroppedBytes: c.DroppedBytes,
		NoRoutePackets: c.NoRoute, FlushedPackets: c.Flushed, TrimmedPackets: c.Trimmed,
		PausesSent: c.PausesSent, PausesReceived: c.PausesReceived,
		ResumesSent: c.ResumesSent, ResumesReceived: c.ResumesReceived,
		PausedNs: traces.Nanos(c.PausedFor), TxWaitNs: traces.Nanos(c.Waited), MaxQueueBytes: int64(c.MaxQueue),
		PortXmitWait: c.XmitWait(tick), PortXmitData: c.XmitData(), PortXmitCongTime: c.XmitCongTime(tick),
	}
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
