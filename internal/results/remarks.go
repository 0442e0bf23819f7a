package results

import (
	"fmt"
	"slices"
)

// Remark is a note on a run that must not be overlooked.
type Remark struct{ Run, Text string }

// Remarks lists what makes percentiles of slowdowns, or their confidence intervals, mislead: flows that are missing
// from them because they did not finish, and seeds that change nothing.
func Remarks(runs []*Run) []Remark {
	var all []Remark
	for _, r := range runs {
		unfinished, total := 0, 0
		for _, s := range r.Seeds() {
			unfinished += s.Summary.Flows.Unfinished
			total += s.Summary.Flows.Total
		}
		if unfinished > 0 {
			all = append(all, Remark{r.Name, fmt.Sprintf("%d of %d flows did not finish: percentiles are of the others", unfinished, total)})
		}
	}
	return append(all, EqualSeeds(runs)...)
}

// EqualSeeds lists the runs whose seeds all give the same flows with the same completion times, as when the flows come
// from a file and nothing else is random: their intervals, of width 0, mean nothing.
func EqualSeeds(runs []*Run) []Remark {
	var all []Remark
	for _, r := range runs {
		other := func(s *Run) bool { return !slices.Equal(s.Flows, r.Flows) }
		if seeds := r.Seeds(); len(seeds) > 1 && len(r.Flows) > 0 && !slices.ContainsFunc(seeds, other) {
			all = append(all, Remark{r.Name, fmt.Sprintf("its %d seeds give equal flows, so nothing in it is random: confidence intervals mean nothing", len(seeds))})
		}
	}
	return all
}
