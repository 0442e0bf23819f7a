package driver

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// batch is the number of rows that are handed over at once, or somewhat more.
const batch = 1024

// batches hands over the rows of a table, some at a time.
type batches[Row any] struct {
	write func([]Row) error // which does not keep them; nil: there is no table
	rows  []Row             // not handed over yet
}

// pass hands the rows over if there are enough of them.
func (b *batches[Row]) pass() error {
	if len(b.rows) < batch {
		return nil
	}
	return b.flush()
}

// flush hands over all rows that there are.
func (b *batches[Row]) flush() error {
	if b.write == nil {
		return nil
	}
	err := b.write(b.rows)
	b.rows = b.rows[:0]
	return err
}

// QueueRows hands over the rows of queue_cdf.parquet as they now are, some at a time; the slice
// is reused. There are none without queue sampling.
func (r *Simulation) QueueRows(write func([]traces.QueueCDFRow) error) error {
	sampling := &r.Network.Setup.Sampling
	if sampling.Interval == 0 {
		return nil
	}
	hists := scenario.Histograms(r.Network)
	all := traces.SumQueues(hists)
	b := batches[traces.QueueCDFRow]{write: write}
	for i := range hists {
		b.rows = traces.AppendQueueCDF(b.rows, &hists[i], sampling.Bin)
		if err := b.pass(); err != nil {
			return err
		}
	}
	b.rows = traces.AppendQueueCDF(b.rows, &all, sampling.Bin)
	return b.flush()
}

// SeriesRows does so for series.parquet. There are none without time series.
func (r *Simulation) SeriesRows(write func([]traces.SeriesRow) error) error {
	metrics := traces.Metrics()
	b := batches[traces.SeriesRow]{write: write}
	for _, s := range r.Network.Series() {
		row := traces.SeriesRow{Metric: metrics[s.Metric].Name, Node: s.Node, Port: int32(s.Port), Flow: int32(s.Flow)}
		for i := range s.Len() {
			p := s.Point(i)
			row.TimeNs, row.SpanNs = traces.Nanos(p.At), traces.Nanos(p.Span)
			row.Mean, row.Min, row.Max = p.Mean, p.Min, p.Max
			b.rows = append(b.rows, row)
			if err := b.pass(); err != nil {
				return err
			}
		}
	}
	return b.flush()
}

// ScheduleRows does so for schedule.parquet. There are none without a schedule.
func (r *Simulation) ScheduleRows(write func([]traces.ScheduleRow) error) error {
	b := batches[traces.ScheduleRow]{write: write}
	for host := range r.Network.Setup.Programs {
		b.rows = scenario.AppendSchedule(b.rows, r.Network, core.NodeID(host))
		if err := b.pass(); err != nil {
			return err
		}
	}
	return b.flush()
}

// PortRows does so for ports.parquet.
func (r *Simulation) PortRows(write func([]traces.PortRow) error) error {
	b := batches[traces.PortRow]{write: write}
	for id, ports := range r.Network.Ports() {
		for port := range ports {
			b.rows = append(b.rows, r.portRow(core.NodeID(id), port))
		}
		if err := b.pass(); err != nil {
			return err
		}
	}
	return b.flush()
}

func (r *Simulation) portRow(node core.NodeID, port int) traces.PortRow {
	p, t, tick := r.Network.Ports()[node][port], r.Network.Setup.Topology, r.sc.Credits.Tick
	c := r.Network.Counters(node, port)
	return traces.PortRow{
		Node: node, NodeKind: traces.KindName(t.Kinds[node]), Port: int32(port), Peer: p.Peer, RateBps: int64(t.Links[p.Link].Rate),
		TxBytes: c.TxBytes, TxPackets: c.TxPackets, RxBytes: c.RxBytes, RxPackets: c.RxPackets,
		ECNMarked: c.Marked, DroppedPackets: c.DroppedPackets, DroppedBytes: c.DroppedBytes,
		NoRoutePackets: c.NoRoute, FlushedPackets: c.Flushed, TrimmedPackets: c.Trimmed,
		PausesSent: c.PausesSent, PausesReceived: c.PausesReceived,
		ResumesSent: c.ResumesSent, ResumesReceived: c.ResumesReceived,
		PausedNs: traces.Nanos(c.PausedFor), TxWaitNs: traces.Nanos(c.Waited), MaxQueueBytes: int64(c.MaxQueue),
		PortXmitWait: c.XmitWait(tick), PortXmitData: c.XmitData(), PortXmitCongTime: c.XmitCongTime(tick),
	}
}
