package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
)

// scheduleChart shows how many hosts computed and sent over time. In a single run every schedule has a colour; with several
// runs, each has a colour and schedules have dashes.
func scheduleChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "schedule", Kind: figure.Lines, Steps: true, Title: "Hosts of the schedule over time",
		About: fmt.Sprintf("Share of the schedule's hosts that computed, on any number of cpus, and share of those that were sending, with a message not yet acknowledged; a host may do both. Messages of a host to itself do not count. Means of %d equal parts of the time from the run's start until all schedules were done, or the run ended.", activityParts) + showsMean,
		X:     figure.Axis{Label: "Simulated time", Unit: figure.Time, From: figure.At(0)},
		Y:     figure.Axis{Label: "Share of hosts", Unit: figure.Share, From: figure.At(0), To: figure.At(1)},
	}
	s := schedulesOf(runs)
	coloured, most := s.several && len(runs) == 1, figure.MaxNames/doings
	if coloured {
		most = figure.MaxNames
	}
	if n := len(s.tags); n > most {
		c.Note, s.tags = fmt.Sprintf("Of %d schedules it shows the first %d.", n, most), s.tags[:most]
	}
	busy := false
	for i, r := range runs {
		for k := range s.tags {
			for what := range doings {
				if curve := s.curve(r, k, what); len(curve.Y) > 0 {
					curve.Name, curve.Variant = i, k*doings+what
					if coloured {
						curve.Name, curve.Variant = k, what
					}
					c.Series = append(c.Series, curve)
					busy = busy || slices.Max(curve.Y) > 0
				}
			}
		}
	}
	switch {
	case !HaveSchedule(runs):
		c.Empty = "No run has a schedule: qbb run --schedule PATH."
	case len(s.tags) == 0:
		c.Empty = "There is no schedule.parquet any more."
	case !busy:
		c.Series, c.Empty = nil, "No host computed or sent."
	default:
		s.name(&c, coloured)
	}
	return c
}

// schedules are those of some runs.
type schedules struct {
	tags    []string
	several bool // some run has more than one; otherwise there is one tag, which stands for all
}

// schedulesOf lists the schedules of the runs, each once.
func schedulesOf(runs []*Run) (s schedules) {
	for _, r := range runs {
		for _, seed := range r.Seeds() {
			s.several = s.several || len(seed.hosts) > 1
			for _, a := range seed.hosts {
				if !slices.Contains(s.tags, a.tag) {
					s.tags = append(s.tags, a.tag)
				}
			}
		}
	}
	if !s.several {
		s.tags = s.tags[:min(len(s.tags), 1)]
	}
	return s
}

// name names the curves; coloured: schedules are names, not variants.
func (s schedules) name(c *figure.Figure, coloured bool) {
	words := [doings]string{computing: "computing", sending: "sending"}
	if coloured || !s.several {
		c.Variants = words[:]
	}
	if !s.several {
		return
	}
	for k, tag := range s.tags {
		if coloured {
			c.Names = append(c.Names, visible(tag))
			continue
		}
		for what, word := range words {
			c.Variants = append(c.Variants, visible(tag)+" "+word)
			if k > 0 {
				c.Hidden = append(c.Hidden, k*doings+what)
			}
		}
	}
}

// curve is the mean, over the seeds of a run, of the share of a schedule's hosts that did something. It ends where a seed was
// stopped before its schedules were done; hosts of a seed that has done them do nothing. It has no points if the run does not
// have the schedule.
func (s schedules) curve(r *Run, tag, what int) (c figure.Series) {
	var tracks []*track
	end, stopped := 0.0, math.Inf(1)
	for _, seed := range r.Seeds() {
		for _, a := range seed.hosts {
			if s.several && a.tag != s.tags[tag] {
				continue
			}
			tracks, end = append(tracks, &a.shares[what]), max(end, seed.scheduleEnd())
			if _, done := seed.ScheduleDone(); !done {
				stopped = min(stopped, seed.scheduleEnd())
			}
		}
	}
	width, shares := min(end, stopped)/activityParts, make([]float64, len(tracks))
	for k := range activityParts {
		for i, t := range tracks {
			sum, _, _ := t.sum(width*float64(k), width*float64(k+1))
			shares[i] = min(sum/width, 1)
		}
		addShare(&c, width*float64(k), shares)
	}
	if stopped > end {
		clear(shares)
	}
	addShare(&c, width*activityParts, shares)
	return c
}

// addShare appends the mean of the shares of seeds, if there are any.
func addShare(c *figure.Series, x float64, shares []float64) {
	switch e := NewEstimate(shares); e.N {
	case 0:
	case 1:
		c.Add(x, e.Mean)
	default:
		c.AddBand(x, e.Mean, e.low(0), min(e.Mean+e.Half, 1))
	}
}
