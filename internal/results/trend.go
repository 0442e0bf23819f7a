package results

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Trend shows how the slowdown of all flows follows a key of the scenario that has numbers, such as load:
// a curve for each combination of what else differs between the runs.
func Trend(runs []*Run, key string) (figure.Figure, error) {
	x, unit, err := abscissas(runs, key)
	if err != nil {
		return figure.Figure{}, err
	}
	f := figure.Figure{
		ID: "trend", Kind: figure.Lines, Marks: true, Title: "Slowdown by " + key,
		About: "Completion time over that of the same flow alone in the network, of all flows. Of several seeds it shows the mean of their percentiles, with its 95 % confidence interval (Student's t).",
		X:     figure.Axis{Label: key, Unit: unit},
		Y:     figure.Axis{Label: "Slowdown", Unit: figure.Ratio},
	}
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	const wide = 30 // from this ratio on a linear axis crowds the small ones
	if low, high := x[order[0]], x[order[len(order)-1]]; low > 0 && high >= wide*low {
		f.X.Scale = figure.Log
	}
	names := others(runs, key)
	for _, name := range names { // in the order of the runs
		if !slices.Contains(f.Names, name) {
			f.Names = append(f.Names, name)
		}
	}
	if len(f.Names) > figure.MaxNames {
		return f, fmt.Errorf("%d curves: figures tell at most %d apart", len(f.Names), figure.MaxNames)
	}
	f.Series = make([]figure.Series, len(f.Names)*len(slowdown.Percentiles))
	intervals := slices.ContainsFunc(runs, func(r *Run) bool { return len(r.others) > 0 })
	highest := 0.0
	for _, i := range order {
		name, seeds := slices.Index(f.Names, names[i]), len(runs[i].Seeds())
		g := group{flows: runs[i].pooled()}
		for v, e := range g.estimates(seeds) {
			s := &f.Series[name*len(slowdown.Percentiles)+v]
			s.Name, s.Variant = name, v
			if e.N > 0 {
				e.add(s, x[i], intervals)
			}
			highest = max(highest, e.Mean+e.Half)
		}
	}
	finishSlowdown(&f, highest)
	return f, nil
}

// finishSlowdown chooses what all figures of percentiles of slowdown have in common.
func finishSlowdown(f *figure.Figure, highest float64) {
	for _, p := range slowdown.Percentiles {
		f.Variants = append(f.Variants, fmt.Sprintf("p%g", p))
	}
	const wide = 20 // from here on a linear axis hides the small ones
	if highest > wide {
		f.Y.Scale = figure.Log
	}
	const many = 3 // with more names, the middle percentile is for those who ask
	if len(f.Names) > many {
		f.Hidden = []int{1}
	}
	f.Series = slices.DeleteFunc(f.Series, func(s figure.Series) bool { return len(s.X) == 0 })
	if len(f.Series) == 0 {
		f.Empty = noFlows
	}
}

// abscissas reads the values of a key, in the base of their unit.
func abscissas(runs []*Run, key string) (values []float64, unit figure.Unit, err error) {
	if key == "seed" {
		return nil, "", errors.New("seed: runs that differ in it alone are one: choose another key")
	}
	distinct := make(map[float64]bool)
	for i, r := range runs {
		at := slices.IndexFunc(r.Settings, func(s Setting) bool { return s.Key == key })
		if at < 0 {
			return nil, "", fmt.Errorf("%s has no key %q: did you mean %s?", r.Name, key, spelling.Nearest(key, keys(r)))
		}
		v, u, ok := quantity(r.Settings[at].Value)
		if !ok || i > 0 && u != unit {
			return nil, "", fmt.Errorf("%s: %s %q is not a number, or not one of the same kind as the others", r.Name, key, r.Settings[at].Value)
		}
		values, unit, distinct[v] = append(values, v), u, true
	}
	if len(distinct) < 2 {
		return nil, "", fmt.Errorf("%s is the same in all runs, but for their seeds", key)
	}
	return values, unit, nil
}

func keys(r *Run) (names []string) {
	for _, s := range r.Settings {
		names = append(names, s.Key)
	}
	return names
}

// quantity reads a number with the unit of a time, a rate or a size, or without one.
func quantity(text string) (float64, figure.Unit, bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, figure.Ratio, true
	}
	if v, err := core.ParseDuration(text); err == nil {
		return v.Nanos(), figure.Time, true
	}
	if v, err := core.ParseRate(text); err == nil {
		return float64(v), figure.Rate, true
	}
	v, err := core.ParseBytes(text)
	return float64(v), figure.Bytes, err == nil
}

// others returns for each run what tells its curve from those of others: the values of the keys that differ
// between runs, without those that follow from the key of the axis or from earlier keys, as the marking
// thresholds from the scheme.
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
		names = append(names, cmp.Or(strings.Join(parts, ", "), "all runs"))
	}
	return names
}
