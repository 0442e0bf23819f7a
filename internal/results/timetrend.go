package results

import (
	"math"

	"github.com/qbb-sim/qbb/internal/figure"
)

// TimeTrend shows how the time from the first start to the last end of all flows depends on a key, as Trend does: for a
// collective, how long it takes.
func TimeTrend(runs []*Run, key string) (figure.Figure, error) {
	return timeTrend(runs, key, figure.Figure{
		Title: "Time by " + key,
		About: "Time from the first start to the last end of the flows: of a collective, what it takes.",
		Y:     figure.Axis{Label: "Completion time of all"},
		Empty: "In no run did all flows finish.",
	}, func(r *Run) Estimate { return r.allFlows().Time })
}

// ScheduleTrend shows in the same way when the last host had done its part of a schedule.
func ScheduleTrend(runs []*Run, key string) (figure.Figure, error) {
	return timeTrend(runs, key, figure.Figure{
		Title: "Schedule by " + key,
		About: "Time at which the last host had done its part of the schedule.",
		Y:     figure.Axis{Label: "Schedule done after"},
		Empty: "No schedule was done on all hosts.",
	}, func(r *Run) Estimate {
		e, _ := r.scheduled()
		return e
	})
}

// timeTrend shows how a time depends on a key; the texts are given.
func timeTrend(runs []*Run, key string, texts figure.Figure, of func(*Run) Estimate) (figure.Figure, error) {
	f, points, err := trendOf(runs, key)
	if err != nil {
		return f, err
	}
	f.Title, f.Y.Label = texts.Title, texts.Y.Label
	f.About = texts.About + showsMean
	f.Y.Unit, f.Y.From = figure.Time, figure.At(0)
	f.Series = make([]figure.Series, len(f.Names))
	lowest, highest := math.Inf(1), 0.0
	for _, p := range points {
		s := &f.Series[p.name]
		s.Name = p.name
		if e := of(p.run); e.N > 0 {
			e.add(s, p.x, 0)
			lowest, highest = min(lowest, e.Mean), max(highest, e.Mean)
		}
	}
	if highest >= crowded*lowest {
		f.Y.Scale, f.Y.From = figure.Log, nil
	}
	leaveOutEmpty(&f, texts.Empty)
	return f, nil
}
