package catalog

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/internal/spelling"
)

// nearest returns the n names of schemes that take the fewest edits to reach from name.
func nearest(name string, n int) []string {
	edits := func(e Entry) int {
		best := spelling.Distance(normal(name), e.Name)
		for _, a := range e.Aliases {
			best = min(best, spelling.Distance(normal(name), a))
		}
		return best
	}
	list := table()
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Compare(edits(a), edits(b)) })
	var names []string
	for _, e := range list[:min(n, len(list))] {
		names = append(names, e.Name)
	}
	return names
}
