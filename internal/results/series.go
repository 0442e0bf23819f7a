package results

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// subject is the subject of a series: a port, a flow, or with all -1 the network.
type subject struct {
	node core.NodeID
	port int32
	flow int32
}

// track is a series.
type track struct {
	subject
	points []seriesPoint
}

// seriesPoint is a part of a series, beginning at the time at; times in ns.
type seriesPoint struct{ at, span, mean, low, high float64 }

// loadSeries reads the table only if the run recorded series: one in the folder may be older.
func (r *Run) loadSeries(path string) error {
	r.series = make(map[string][]track)
	if !r.wantsSeries() {
		return nil
	}
	err := tables.Scan(path, func(rows []traces.SeriesRow) {
		for i := range rows {
			row := &rows[i]
			list, s := r.series[row.Metric], subject{row.Node, row.Port, row.Flow}
			if len(list) == 0 || list[len(list)-1].subject != s {
				list = append(list, track{subject: s})
			}
			last := &list[len(list)-1]
			last.points = append(last.points, seriesPoint{row.TimeNs, row.SpanNs, row.Mean, row.Min, row.Max})
			r.series[row.Metric] = list
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the file was removed: the report does without it
	}
	return err
}

// wantsSeries reports whether series were to be recorded.
func (r *Run) wantsSeries() bool {
	interval := r.Setting("series.interval")
	return interval != "" && interval != "0s"
}

// wantsFlowSeries reports whether the scenario chooses flows whose series are recorded.
func (r *Run) wantsFlowSeries() bool {
	flows := r.Setting("series.flows")
	return flows != "" && flows != "none"
}

// hasSeries reports whether series were recorded.
func (r *Run) hasSeries() bool { return len(r.series) > 0 }

// hasFairness reports whether the network was sampled. Fairness is never zero.
func (r *Run) hasFairness() bool { return len(r.series[traces.MetricFairness]) > 0 }

// hasFlowSeries reports whether series of flows were recorded. A rate is never zero.
func (r *Run) hasFlowSeries() bool { return len(r.series[traces.MetricRate]) > 0 }

// hasPortSeries reports whether series of ports were recorded. It may be that none of the ports that the scenario
// names has sent anything, or none at all.
func (r *Run) hasPortSeries() bool {
	ports := r.Setting("series.ports")
	sent := func(p traces.PortRow) bool { return p.TxBytes > 0 }
	return len(r.series[traces.MetricThroughput]) > 0 || ports != "none" && (ports != "auto" || !slices.ContainsFunc(r.ports, sent))
}

// hasAllPorts reports whether all ports that have sent something have series: others would look idle.
func (r *Run) hasAllPorts() bool {
	recorded := make(map[subject]bool)
	for i := range r.series[traces.MetricThroughput] {
		recorded[r.series[traces.MetricThroughput][i].subject] = true
	}
	return len(recorded) > 0 && !slices.ContainsFunc(r.ports, func(p traces.PortRow) bool {
		return p.TxBytes > 0 && !recorded[subject{p.Node, p.Port, -1}]
	})
}

// track returns the series of a metric and a subject, or nil.
func (r *Run) track(metric string, s subject) *track {
	for i := range r.series[metric] {
		if t := &r.series[metric][i]; t.subject == s {
			return t
		}
	}
	return nil
}

// mean is the mean over the whole time of the series.
func (t *track) mean() float64 {
	sum, span := 0.0, 0.0
	for _, p := range t.points {
		sum, span = sum+float64(p.mean*p.span), span+p.span
	}
	return sum / max(span, 1)
}

// over returns mean and largest value between two times, in ns; 0 where there is nothing.
func (t *track) over(from, to float64) (mean, high float64) {
	sum, span, high := t.sum(from, to)
	if span == 0 {
		return 0, 0
	}
	return sum / span, high
}

// sum returns the sum of the values between two times, in ns, each multiplied by how long it lasted, and for how long
// there are values, with the largest.
func (t *track) sum(from, to float64) (sum, span, high float64) {
	for _, p := range t.points {
		if shared := min(to, p.at+p.span) - max(from, p.at); shared > 0 {
			sum, span, high = sum+float64(p.mean*shared), span+shared, max(high, p.high)
		}
	}
	return sum, span, high
}
