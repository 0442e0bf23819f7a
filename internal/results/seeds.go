package results

import (
	"cmp"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/traces"
)

// Seeds returns the run and those that differ from it only in the seed, by seed.
func (r *Run) Seeds() []*Run { return append([]*Run{r}, r.others...) }

// siblings are runs that differ only in the seed, by seed.
type siblings []*Run

// join merges runs that differ only in the seed into the one with the least seed, and gives each result
// its own name. A run that is given twice, with the same seed, stays twice: copies show nothing of what
// chance does.
func join(runs []*Run) []*Run {
	rename(runs)
	var sets []siblings
	var scenarios []string // of the sets
	for _, r := range runs {
		scenario, k := r.scenario(), 0
		sameSeed := func(o *Run) bool { return o.Summary.Seed == r.Summary.Seed }
		for k < len(sets) && (scenarios[k] != scenario || slices.ContainsFunc(sets[k], sameSeed)) {
			k++
		}
		if k == len(sets) {
			sets, scenarios = append(sets, nil), append(scenarios, scenario)
		}
		sets[k] = append(sets[k], r)
	}
	var joined []*Run
	for _, set := range sets {
		slices.SortFunc(set, func(a, b *Run) int { return cmp.Compare(a.Summary.Seed, b.Summary.Seed) })
		set[0].others = set[1:]
		joined = append(joined, set[0])
	}
	shorten(sets)
	for _, r := range runs {
		r.Name = visible(r.Name)
	}
	return joined
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
