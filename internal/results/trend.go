package results

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Trend shows how the slowdown of all flows depends on a key of the scenario that has numbers, such as load: a curve
// for each combination of the other differences between the runs.
func Trend(runs []*Run, key string) (figure.Figure, error) {
	f, points, err := trendOf(runs, key)
	if err != nil {
		return f, err
	}
	f.Title, f.Note = "Slowdown by "+key, FewFlows(runs)
	f.About = "Completion time over that of the same flow alone in the network, of all flows. Of several seeds it shows the mean of their percentiles, with its 95 % confidence interval (Student's t)."
	f.Y = figure.Axis{Label: "Slowdown", Unit: figure.Ratio}
	f.Series = make([]figure.Series, len(f.Names)*len(slowdown.Percentiles))
	highest := 0.0
	for _, p := range points {
		for v, e := range p.run.allFlows().Values {
			s := &f.Series[p.name*len(slowdown.Percentiles)+v]
			s.Name, s.Variant = p.name, v
			if e.N > 0 {
				e.add(s, p.x, 1)
			}
			highest = max(highest, e.Mean+e.Half)
		}
	}
	finishSlowdown(&f, highest)
	return f, nil
}

// crowded is the ratio from which on a linear axis crowds the small values.
const crowded = 30

// point is a run's place in a trend: on the axis, and among the names.
type point struct {
	run  *Run
	x    float64
	name int
}

// trendOf begins the figure of a trend over a key, and lists the runs in the order of the axis.
func trendOf(runs []*Run, key string) (f figure.Figure, points []point, err error) {
	x, kinds, axis, err := abscissas(runs, key)
	if err != nil {
		return f, nil, err
	}
	f = figure.Figure{ID: "trend", Kind: figure.Lines, Marks: true, X: axis}
	names := others(runs, key)
	for i, kind := range kinds {
		names[i] = strings.TrimSuffix(kind+", "+names[i], ", "+allRuns)
	}
	for i, name := range names { // in the order of the runs
		at := slices.Index(f.Names, name)
		if at < 0 {
			at = len(f.Names)
			f.Names = append(f.Names, name)
		}
		points = append(points, point{runs[i], x[i], at})
	}
	if len(f.Names) > figure.MaxNames {
		return f, nil, fmt.Errorf("%d curves: a figure shows at most %d", len(f.Names), figure.MaxNames)
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	if low, high := points[0].x, points[len(points)-1].x; low > 0 && high >= crowded*low {
		f.X.Scale = figure.Log
	}
	return f, points, nil
}

// finishSlowdown sets what all figures of percentiles of slowdown have in common.
func finishSlowdown(f *figure.Figure, highest float64) {
	for _, p := range slowdown.Percentiles {
		f.Variants = append(f.Variants, fmt.Sprintf("p%g", p))
	}
	const wide = 20 // beyond this a linear axis hides the small ones
	if highest > wide {
		f.Y.Scale = figure.Log
	}
	const many = 3 // with more names, the middle percentile is hidden at first
	if len(f.Names) > many {
		f.Hidden = []int{1}
	}
	leaveOutEmpty(f, noFlows)
}

// leaveOutEmpty removes curves without points, and says why there are none.
func leaveOutEmpty(f *figure.Figure, why string) {
	f.Series = slices.DeleteFunc(f.Series, func(s figure.Series) bool { return len(s.X) == 0 })
	if len(f.Series) == 0 {
		f.Empty = why
	}
}

// abscissas reads the values of a key, in the base of their unit, and makes their axis. They are numbers, or texts that
// differ in one number, such as ring-all-reduce:1MB and ring-all-reduce:4MB, or in several that are the same, such as
// kmin 20KB, kmax 20KB and kmin 80KB, kmax 80KB. Where texts are of several kinds, each of which is so, these are
// returned by run.
func abscissas(runs []*Run, key string) (values []float64, kinds []string, axis figure.Axis, err error) {
	axis.Label = key
	if key == "seed" {
		return nil, nil, axis, errors.New("seed: runs that differ only in it are one: choose another key")
	}
	var texts []string
	for _, r := range runs {
		at := slices.IndexFunc(r.Settings, func(s Setting) bool { return s.Key == key })
		if at < 0 {
			if parts := below(r, key); len(parts) > 0 {
				return nil, nil, axis, fmt.Errorf("%s is a section: choose a key of it: %s", key, strings.Join(parts, ", "))
			}
			return nil, nil, axis, fmt.Errorf("%s has no key %q: did you mean %s?", r.Name, key, spelling.Nearest(key, keys(r)))
		}
		texts = append(texts, r.Settings[at].Value)
	}
	if frame, moving := numbersOf(texts); frame != "" {
		axis.Label, texts = key+" "+frame, moving
	} else {
		kinds, texts = byKind(texts)
	}
	distinct := make(map[float64]bool)
	for i, text := range texts {
		v, u, ok := quantity(text)
		if !ok || i > 0 && u != axis.Unit {
			return nil, nil, axis, fmt.Errorf("%s: %s %q is not a number, or not one of the same kind as the others", runs[i].Name, key, runs[i].Setting(key))
		}
		values, axis.Unit, distinct[v] = append(values, v), u, true
	}
	if len(distinct) < 2 {
		return nil, nil, axis, fmt.Errorf("%s is the same in all runs, apart from their seeds", key)
	}
	return values, kinds, axis, nil
}

// below returns the keys of a section of a run's scenario.
func below(r *Run, section string) (parts []string) {
	for _, key := range keys(r) {
		if strings.HasPrefix(key, section+".") {
			parts = append(parts, key)
		}
	}
	return parts
}

func keys(r *Run) (names []string) {
	for _, s := range r.Settings {
		names = append(names, s.Key)
	}
	return names
}

// allRuns is the name of the only curve.
const allRuns = "all runs"

// others returns for each run what distinguishes its curve from others: the values of the keys that differ between
// runs, without those that follow from the key of the axis or from earlier keys, as the marking thresholds do from the
// scheme.
func others(runs []*Run, key string) []string {
	var chosen []string
	follows := func(k string, from ...string) bool {
		seen := make(map[string]string)
		for _, r := range runs {
			var of strings.Builder
			for _, f := range from {
				of.WriteString(r.Setting(f) + "\n")
			}
			if v, ok := seen[of.String()]; ok && v != r.Setting(k) {
				return false
			}
			seen[of.String()] = r.Setting(k)
		}
		return true
	}
	all := make(map[string]int) // by key: its place in a scenario
	for _, r := range runs {
		for i, s := range r.Settings {
			all[s.Key] = max(all[s.Key], i)
		}
	}
	inOrder := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(cmp.Compare(all[a], all[b]), cmp.Compare(a, b)) })
	for _, k := range inOrder {
		if k != key && k != "seed" && !follows(k, key) && !follows(k, chosen...) {
			chosen = append(chosen, k)
		}
	}
	var names []string
	for _, r := range runs {
		var parts []string
		for _, k := range chosen {
			v := r.Setting(k)
			if _, _, number := quantity(v); number || v == "" {
				v = k[strings.LastIndexByte(k, '.')+1:] + " " + cmp.Or(v, "none")
			}
			parts = append(parts, v)
		}
		names = append(names, cmp.Or(strings.Join(parts, ", "), allRuns))
	}
	return names
}
