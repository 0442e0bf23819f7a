package catalog

import (
	"sort"

	"github.com/qbb-sim/qbb/internal/spelling"
)

// nearest returns the n names of schemes that take the fewest edits to reach from name.
func nearest(name string, n int) []string {
	type candidate struct {
		name  string
		edits int
	}
	var list []candidate
	for _, e := range table() {
		best := spelling.Distance(normal(name), e.Name)
		for _, a := range e.Aliases {
			best = min(best, spelling.Distance(normal(name), a))
		}
		list = append(list, candidate{e.Name, best})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].edits < list[j].edits })
	var names []string
	for _, c := range list[:min(n, len(list))] {
		names = append(names, c.name)
	}
	return names
}
