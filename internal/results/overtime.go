package results

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
)

// subjectKind is the kind of thing that a series describes.
type subjectKind uint8

const (
	ofNetwork subjectKind = iota
	ofPort
	ofFlow
)

// timeSeries is a figure of a metric over time.
type timeSeries struct {
	id, title, doc, about string
	y                     figure.Axis
	metric                string
	of                    subjectKind
	band                  bool // extremes are shown
}

// mostSubjects is the number of ports or flows in a figure of one run, mostVariants in one of
// several, where all but the first are hidden at first.
const (
	mostSubjects = 5
	mostVariants = 4
)

// figure makes the figure. In a single run every port or flow has a colour; with several runs, each
// has a colour and ports or flows have dashes.
func (s timeSeries) figure(runs []*Run) figure.Figure {
	f := figure.Figure{ID: s.id, Kind: figure.Lines, Title: s.title, About: s.about, X: timeAxis(), Y: s.y}
	subjects := s.subjects(runs)
	single := len(runs) == 1 && s.of != ofNetwork
	most := mostVariants
	if single {
		most = mostSubjects
	}
	subjects = subjects[:min(len(subjects), most)]
	if s.of != ofNetwork {
		for i, sub := range subjects {
			f.Variants = append(f.Variants, runs[0].subjectName(sub))
			if i > 0 {
				f.Hidden = append(f.Hidden, i)
			}
		}
	}
	for i, r := range runs {
		for k, sub := range subjects {
			if t, start, band := s.track(r, sub); t != nil {
				f.Series = append(f.Series, t.curve(start, i, k, band))
			}
		}
	}
	if single {
		byName(&f)
	}
	if len(f.Series) == 0 {
		f.Empty = s.whyEmpty(runs)
	}
	return f
}

// track returns the series of a subject, or nil, the time of the first flow's start in it, and whether its extremes are
// shown. Flows of several seeds have only their numbers in common.
func (s timeSeries) track(r *Run, of subject) (t *track, start float64, band bool) {
	if s.of == ofFlow || len(r.others) == 0 {
		return r.track(s.metric, of), r.start(), s.band
	}
	return s.ofSeeds(r, of), 0, true
}

// whyEmpty says why the runs have nothing to show.
func (s timeSeries) whyEmpty(runs []*Run) string {
	some := func(has func(*Run) bool) bool { return slices.ContainsFunc(runs, has) }
	sampled, wanted := some((*Run).hasSeries), some((*Run).wantsSeries)
	switch {
	case s.of == ofFlow && !sampled && !wanted:
		return "No time series were recorded: qbb run --series 10us --series-flows largest:8."
	case s.of == ofFlow && !some((*Run).hasFlowSeries) && !some((*Run).wantsFlowSeries):
		return "No flows were chosen: qbb run --series-flows largest:8."
	case s.of == ofPort && sampled && !some((*Run).hasPortSeries):
		return "No ports were chosen: qbb run --set series.ports=all, or of a large network those of interest, such as 16:0,17:2."
	case s.of == ofNetwork && sampled && !some((*Run).hasFairness):
		return "The run was shorter than the time between its samples, series.fairness."
	case sampled:
		return "It was zero in all samples."
	case wanted:
		return "The run was shorter than the time between its samples, series.interval."
	}
	return "No time series were recorded: qbb run --series 10us."
}

// byName turns a figure's variants into names, which have colours.
func byName(f *figure.Figure) {
	f.Names, f.Variants, f.Hidden = f.Variants, nil, nil
	for i := range f.Series {
		f.Series[i].Name, f.Series[i].Variant = f.Series[i].Variant, 0
	}
}

// subjects lists the subjects of the runs' series, ports by the largest mean in any run.
func (s timeSeries) subjects(runs []*Run) []subject {
	largest := make(map[subject]float64)
	var all []subject
	for _, r := range runs {
		for of, mean := range s.means(r) {
			if _, known := largest[of]; !known {
				all = append(all, of)
			}
			largest[of] = max(largest[of], mean)
		}
	}
	slices.SortFunc(all, func(a, b subject) int {
		first := 0
		if s.of == ofPort {
			first = cmp.Compare(largest[b], largest[a])
		}
		return cmp.Or(first, cmp.Compare(a.flow, b.flow), cmp.Compare(a.node, b.node), cmp.Compare(a.port, b.port))
	})
	return all
}

// means returns the mean of each subject's series over the whole time, and over the seeds that the figure shows.
func (s timeSeries) means(r *Run) map[subject]float64 {
	seeds := r.Seeds()
	if s.of == ofFlow {
		seeds = seeds[:1]
	}
	means := make(map[subject]float64)
	for _, seed := range seeds {
		for i := range seed.series[s.metric] {
			t := &seed.series[s.metric][i]
			means[t.subject] += t.mean() / float64(len(seeds))
		}
	}
	return means
}

// subjectName names a port or flow for people.
func (r *Run) subjectName(s subject) string {
	if s.flow >= 0 {
		if tag := r.tags[s.flow]; tag != "" {
			return fmt.Sprintf("flow %d (%s)", s.flow, visible(tag))
		}
		return fmt.Sprintf("flow %d", s.flow)
	}
	for i := range r.ports {
		if p := &r.ports[i]; p.Node == s.node && p.Port == s.port {
			return port{p.Node, p.Port, p.Peer}.String()
		}
	}
	return fmt.Sprintf("port %d of %d", s.port, s.node)
}

// curve makes a curve over the time since the start of traffic, with a band of the extremes if
// wanted.
func (t *track) curve(start float64, name, variant int, band bool) figure.Series {
	s := figure.Series{Name: name, Variant: variant}
	for _, p := range t.points {
		x := max(0, p.at+p.span/2-start)
		if band {
			s.AddBand(x, p.mean, p.low, p.high)
		} else {
			s.Add(x, p.mean)
		}
	}
	return s
}
