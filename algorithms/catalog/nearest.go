package catalog

import "sort"

// nearest returns the n names of schemes that take the fewest edits to reach from name.
func nearest(name string, n int) []string {
	type candidate struct {
		name  string
		edits int
	}
	var list []candidate
	for _, e := range table() {
		best := distance(normal(name), e.Name)
		for _, a := range e.Aliases {
			best = min(best, distance(normal(name), a))
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

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
