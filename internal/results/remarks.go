package results

import (
	"fmt"
	"slices"
	"strings"
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

// FewFlows names the runs of which so few flows of a seed finished that high percentiles of their slowdowns are the
// largest, with the number of the seed that has fewest; it is empty if there is none.
func FewFlows(runs []*Run) string {
	const most = 8 // names
	var names []string
	fewest := flowsForP99
	for _, r := range runs {
		n := flowsForP99
		for _, s := range r.Seeds() {
			if len(s.Flows) > 0 { // others have no percentiles
				n = min(n, len(s.Flows))
			}
		}
		if n < flowsForP99 {
			names, fewest = append(names, fmt.Sprintf("%s (%d)", r.Name, n)), min(fewest, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	also, more := "", ""
	if fewest < flowsForP95 {
		also = fmt.Sprintf(", below %d also p95", flowsForP95)
	}
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("Runs have fewer than %d flows of a seed, so that their p99 is the largest%s: %s%s.", flowsForP99, also, strings.Join(names[:min(len(names), most)], ", "), more)
}
