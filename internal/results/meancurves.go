package results

import (
	"math"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

// showsMean ends the description of a figure.
const showsMean = " Of several seeds it shows the mean, with its 95 % confidence interval (Student's t)."

// idle is the value of the metric where nothing is sent: Jain's index of no flows is 1.
func (s timeSeries) idle() float64 {
	if s.metric == traces.MetricFairness {
		return 1
	}
	return 0
}

// ofSeeds is the series of a subject as the mean of all seeds, each counted from its first flow's start. It ends where
// a seed was stopped before its flows had ended; a seed whose flows have ended is idle. A part of time is the longest of
// any seed.
func (s timeSeries) ofSeeds(r *Run, of subject) *track {
	width, end := 0.0, 0.0
	for _, seed := range r.Seeds() {
		if t := seed.track(s.metric, of); t != nil {
			for _, p := range t.points {
				width, end = max(width, p.span), max(end, p.at+p.span-seed.start())
			}
		}
	}
	if end <= 0 {
		return nil
	}
	most := math.Inf(1)
	if s.y.To != nil {
		most = float64(*s.y.To)
	}
	mean := &track{subject: of}
	for k := range int(math.Ceil(end/width - 1e-9)) {
		at := float64(width * float64(k))
		var values []float64
		for _, seed := range r.Seeds() {
			v, known := s.during(seed, of, at, at+width)
			if !known {
				return mean
			}
			values = append(values, v)
		}
		e := NewEstimate(values)
		mean.points = append(mean.points, seriesPoint{at, width, e.Mean, e.low(0), min(e.Mean+e.Half, most)})
	}
	return mean
}

// during is the mean of a subject's metric in a run between two times since its first flow's start, and whether the run
// knows it: one that recorded no series does not, nor one that was stopped earlier.
func (s timeSeries) during(r *Run, of subject, from, to float64) (mean float64, known bool) {
	if !r.hasSeries() || s.of == ofNetwork && !r.hasFairness() {
		return 0, false
	}
	from, to = r.start()+from, r.start()+to
	var sum, span float64
	if t := r.track(s.metric, of); t != nil {
		sum, span, _ = t.sum(from, to)
	} else { // it was zero in all samples
		span = max(0, min(to, r.Summary.EndNs)-from)
	}
	if r.Summary.Flows.Unfinished == 0 {
		rest := to - from - span
		sum, span = sum+float64(rest*s.idle()), to-from
	}
	if span == 0 {
		return 0, false
	}
	return sum / span, true
}

// addPauses appends the pause frames per ms of a run, the mean of its seeds, in equal parts of the time of the longest:
// runs of different lengths share one scale.
func addPauses(s *figure.Series, seeds []*Run) {
	length := 0.0
	for _, r := range seeds {
		length = max(length, r.length())
	}
	part := length / pauseBins
	for k := range pauseBins {
		from, to := part*float64(k), part*float64(k+1)
		var perMs []float64
		for _, r := range seeds {
			perMs = append(perMs, r.pausesDuring(from, to)*1e6/part)
		}
		e := NewEstimate(perMs)
		e.add(s, from, 0)
	}
	end := NewEstimate(make([]float64, len(seeds)))
	end.add(s, length, 0)
}

// pausesDuring counts the pause frames between two times since the first flow's start, where those of a part of the run
// are spread evenly over it.
func (r *Run) pausesDuring(from, to float64) (frames float64) {
	part := r.length() / pauseBins
	for k, n := range r.pauses {
		if shared := min(to, part*float64(k+1)) - max(from, part*float64(k)); shared > 0 {
			frames += float64(n * shared / part)
		}
	}
	return frames
}
