package timeline

import (
	"fmt"

	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// series writes the counters: of every time series the values that differ from the one before, beginning with 0.
func (l *line) series(path string) error {
	var last traces.SeriesRow // of which Mean is the value
	err := tables.Scan(path, func(rows []traces.SeriesRow) {
		for i := range rows {
			r := &rows[i]
			if r.Metric == traces.MetricQueue {
				r.Mean = r.Max
			}
			if r.Metric != last.Metric || r.Node != last.Node || r.Port != last.Port || r.Flow != last.Flow {
				l.stop(&last)
				last.Mean = 0
			}
			if r.Mean != last.Mean {
				l.count(r)
			}
			last = *r
		}
	})
	l.stop(&last)
	return err
}

// stop writes that a time series has ended.
func (l *line) stop(r *traces.SeriesRow) {
	if r.Mean != 0 {
		end := *r
		end.TimeNs, end.Mean = r.TimeNs+r.SpanNs, 0
		l.count(&end)
	}
}

// count writes the value of a counter, unless it is of a flow that has been taken out of its table.
func (l *line) count(r *traces.SeriesRow) {
	node, name := l.network(), r.Metric
	switch {
	case r.Flow >= 0:
		sender, known := l.senders[r.Flow]
		if !known {
			return
		}
		node, name = sender, fmt.Sprintf("flow %d %s", r.Flow, r.Metric)
	case r.Port >= 0:
		node, name = r.Node, fmt.Sprintf("port %d %s", r.Port, r.Metric)
	}
	l.name(track{node, 0}, "")
	value := r.Mean
	l.add(event{Phase: counter, Name: name, Node: node, At: micros(r.TimeNs), Arguments: &arguments{Value: &value}})
}
