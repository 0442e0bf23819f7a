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
	}, scheduledMean((*Run).ScheduleDone))
}

// ExposedTrend shows in the same way for how long communication kept the hosts of a schedule from computing.
func ExposedTrend(runs []*Run, key string) (figure.Figure, error) {
	return timeTrend(runs, key, figure.Figure{
		Title: "Exposed communication by " + key,
		About: "Time in which a host did not compute until it had done its part of the schedule, a mean over the hosts.",
		Y:     figure.Axis{Label: "Exposed communication"},
		Empty: "No schedule was done on all hosts.",
	}, scheduledMean((*Run).Exposed))
}

func scheduledMean(value func(r *Run) (ns float64, ok bool)) func(r *Run) Estimate {
	return func(r *Run) Estimate {
		e, _ := r.scheduled(value)
		return e
	}
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
	if lowest > 0 && highest >= crowded*lowest {
		f.Y.Scale, f.Y.From = figure.Log, nil
	}
	leaveOutEmpty(&f, texts.Empty)
	return f, nil
}
