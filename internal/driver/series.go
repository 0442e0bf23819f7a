package driver

import (
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// writeSeries writes the time series, if any were recorded.
func (o *outputs) writeSeries(n *sim.Network) error {
	if n.Setup.Series.Interval == 0 {
		return nil
	}
	t, err := newTable[traces.SeriesRow](o, "series.parquet")
	if err != nil {
		return err
	}
	return seriesRows(n, t.Write)
}

// seriesRows hands over the rows of series.parquet, some at a time.
func seriesRows(n *sim.Network, write func([]traces.SeriesRow) error) error {
	metrics := traces.Metrics()
	rows := make([]traces.SeriesRow, 0, batch)
	for _, s := range n.Series() {
		row := traces.SeriesRow{Metric: metrics[s.Metric].Name, Node: s.Node, Port: int32(s.Port), Flow: int32(s.Flow)}
		for i := range s.Len() {
			p := s.Point(i)
			row.TimeNs, row.SpanNs = traces.Nanos(p.At), traces.Nanos(p.Span)
			row.Mean, row.Min, row.Max = p.Mean, p.Min, p.Max
			if rows = append(rows, row); len(rows) == batch {
				if err := write(rows); err != nil {
					return err
				}
				rows = rows[:0]
			}
		}
	}
	return write(rows)
}
