package results

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/traces"
)

// Seeds returns the run and those that differ from it in the seed alone, in the order in which
// they were given.
func (r *Run) Seeds() []*Run { return append([]*Run{r}, r.others...) }

// join makes one run of those that differ in the seed alone, and gives each a name of its own.
// A run that is there twice, with its seed, stays twice: copies tell nothing of what chance does.
func join(runs []*Run, dirs []string) []*Run {
	rename(runs, dirs)
	var joined []*Run
	folders, scenarios := make(map[*Run][]string), make(map[*Run]string)
	for i, r := range runs {
		scenarios[r] = r.scenario()
		k := slices.IndexFunc(joined, func(j *Run) bool {
			sameSeed := func(s *Run) bool { return s.Summary.Seed == r.Summary.Seed }
			return scenarios[j] == scenarios[r] && !slices.ContainsFunc(j.Seeds(), sameSeed)
		})
		if k < 0 {
			joined = append(joined, r)
			folders[r] = []string{dirs[i]}
			continue
		}
		first := joined[k]
		first.others = append(first.others, r)
		folders[first] = append(folders[first], dirs[i])
	}
	for _, r := range joined {
		if name := common(folders[r]); len(r.others) > 0 && !slices.ContainsFunc(joined, func(o *Run) bool { return o.Name == name }) {
			r.Name = name
		}
	}
	return joined
}

// scenario identifies what a run did but for its seed.
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

// common names folders by what they have in common: hpcc-1 and hpcc-2, 1/hpcc and 2/hpcc, or
// hpcc/1 and hpcc/2 are hpcc.
func common(dirs []string) string {
	prefix := func(part func(dir string) string) string {
		all := part(dirs[0])
		for _, dir := range dirs[1:] {
			for p := part(dir); !strings.HasPrefix(p, all); {
				all = all[:len(all)-1]
			}
		}
		return all
	}
	base := func(dir string) string { return filepath.Base(absolute(dir)) }
	parent := func(dir string) string { return filepath.Base(filepath.Dir(absolute(dir))) }
	names := prefix(base)
	if slices.ContainsFunc(dirs, func(dir string) bool { return base(dir) != names }) {
		names = strings.TrimRight(names, "0123456789")
		names = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(names, "-_. "), "seed"), "-_. ")
	}
	return cmp.Or(names, prefix(parent), base(dirs[0]))
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
