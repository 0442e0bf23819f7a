package results

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/traces"
)

// Seeds returns the run and those that differ from it only in the seed, by seed.
func (r *Run) Seeds() []*Run { return append([]*Run{r}, r.others...) }

// member is a run and its folder.
type member struct {
	*Run
	dir string
}

// join merges runs that differ only in the seed into the one with the least seed, and gives each result
// its own name. A run that is given twice, with the same seed, stays twice: copies show nothing of what
// chance does.
func join(runs []*Run, dirs []string) []*Run {
	rename(runs, dirs)
	var groups [][]member
	var scenarios []string // of the groups
	for i, r := range runs {
		m, scenario := member{r, dirs[i]}, r.scenario()
		sameSeed := func(o member) bool { return o.Summary.Seed == r.Summary.Seed }
		k := 0
		for k < len(groups) && (scenarios[k] != scenario || slices.ContainsFunc(groups[k], sameSeed)) {
			k++
		}
		if k == len(groups) {
			groups, scenarios = append(groups, nil), append(scenarios, scenario)
		}
		groups[k] = append(groups[k], m)
	}
	var joined []*Run
	for _, g := range groups {
		slices.SortFunc(g, func(a, b member) int { return cmp.Compare(a.Summary.Seed, b.Summary.Seed) })
		for _, m := range g[1:] {
			g[0].others = append(g[0].others, m.Run)
		}
		joined = append(joined, g[0].Run)
	}
	shorten(joined, groups)
	for _, r := range runs {
		r.Name = visible(r.Name)
	}
	return joined
}

// shorten names runs of several seeds by what their folders have in common; where others would have that name too, as
// after sweeps of the same schemes into two folders, also by the folder that holds them. A name that would still be
// another's leaves a run its own.
func shorten(joined []*Run, groups [][]member) {
	names := make([]string, len(groups))
	for k, g := range groups {
		if names[k] = joined[k].Name; len(g) > 1 {
			names[k], _ = common(g)
		}
	}
	for k, twice := range repeated(names) {
		if g := groups[k]; twice && len(g) > 1 {
			names[k] = located(g)
		}
	}
	for k, twice := range repeated(names) {
		if !twice && !slices.ContainsFunc(joined, func(o *Run) bool { return o.Name == names[k] }) {
			joined[k].Name = names[k]
		}
	}
}

// repeated reports for each name whether there are several of it.
func repeated(names []string) []bool {
	count, several := make(map[string]int), make([]bool, len(names))
	for _, n := range names {
		count[n]++
	}
	for k, n := range names {
		several[k] = count[n] > 1
	}
	return several
}

// located is the common name of some folders with the path, as it was given, of the folder that holds all of them.
func located(group []member) string {
	path := func(dir string) []string {
		return strings.Split(filepath.ToSlash(filepath.Dir(filepath.Clean(dir))), "/")
	}
	holds := path(group[0].dir)
	for _, m := range group[1:] {
		n := 0
		for p := path(m.dir); n < min(len(holds), len(p)) && holds[n] == p[n]; {
			n++
		}
		holds = holds[:n]
	}
	name, ofParent := common(group)
	if ofParent && len(holds) > 0 && holds[len(holds)-1] == name {
		return strings.Join(holds, "/")
	}
	return strings.TrimPrefix(strings.Join(append(holds, name), "/"), "./")
}

// scenario identifies what a run did, apart from its seed.
func (r *Run) scenario() string {
	var b strings.Builder
	b.WriteString(r.Summary.Version)
	for _, s := range r.Settings {
		if s.Key != "seed" {
			b.WriteString("\n" + s.Key + " " + s.Value)
		}
	}
	return b.String()
}

// common names folders by their common part: hpcc-1 and hpcc-2, seed1-hpcc and seed2-hpcc, 1/hpcc and 2/hpcc, or hpcc/1
// and hpcc/2 are hpcc. It reports whether that is the name of the folder that holds them, as in the last case.
func common(group []member) (name string, ofParent bool) {
	prefix := func(part func(dir string) string) string {
		all := part(group[0].dir)
		for _, m := range group[1:] {
			for p := part(m.dir); !strings.HasPrefix(p, all); {
				_, last := utf8.DecodeLastRuneInString(all)
				all = all[:len(all)-last]
			}
		}
		return all
	}
	base := func(dir string) string { return filepath.Base(absolute(dir)) }
	parent := func(dir string) string { return filepath.Base(filepath.Dir(absolute(dir))) }
	names := prefix(base)
	if slices.ContainsFunc(group, func(m member) bool { return base(m.dir) != names }) {
		if slices.ContainsFunc(group, func(m member) bool { return startsWithDigit(base(m.dir)[len(names):]) }) {
			names = strings.TrimRight(names, digits) // of a number that goes on, as in seed1 and seed12
		}
		after := tail(base(group[0].dir), names)
		if slices.ContainsFunc(group, func(m member) bool { return tail(base(m.dir), names) != after }) {
			after = ""
		}
		names = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(names, separators), "seed"), separators)
		if names += after; names == after {
			names = strings.TrimLeft(names, separators)
		}
	}
	if outer := prefix(parent); names == "" && outer != "" {
		return outer, true
	}
	return cmp.Or(names, base(group[0].dir)), false
}

const (
	digits     = "0123456789"
	separators = "-_. "
)

func startsWithDigit(text string) bool { return text != "" && strings.Contains(digits, text[:1]) }

// tail is the part of a name after a prefix and a number; empty if there is no number.
func tail(name, prefix string) string {
	rest := name[len(prefix):]
	if after := strings.TrimLeft(rest, digits); after != rest {
		return after
	}
	return ""
}

// absolute returns a path that has a name and a parent; an error leaves it as it is.
func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// pooled returns the flows of all seeds, by size.
func (r *Run) pooled() []Flow {
	if len(r.others) == 0 {
		return r.Flows
	}
	var all []Flow
	for seed, s := range r.Seeds() {
		for _, f := range s.Flows {
			f.seed = seed
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, bySize)
	return all
}

// pooledQueues returns the distribution of the queue depths of all seeds.
func (r *Run) pooledQueues() []traces.QueueCDFRow {
	if len(r.others) == 0 {
		return r.queues
	}
	samples := make(map[int64]int64)
	total := int64(0)
	for _, s := range r.Seeds() {
		for i := range s.queues {
			samples[s.queues[i].UpperBytes] += s.queues[i].Samples
			total += s.queues[i].Samples
		}
	}
	var all []traces.QueueCDFRow
	for upper, n := range samples {
		all = append(all, traces.QueueCDFRow{Node: traces.AllPorts, Port: traces.AllPorts, UpperBytes: upper, Samples: n})
	}
	slices.SortFunc(all, func(a, b traces.QueueCDFRow) int { return cmp.Compare(a.UpperBytes, b.UpperBytes) })
	below := int64(0)
	for i := range all {
		below += all[i].Samples
		all[i].Cumulative = float64(below) / float64(total)
	}
	return all
}
