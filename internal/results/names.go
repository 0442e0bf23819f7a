package results

import (
	"path/filepath"
	"slices"
	"strings"
)

// rename distinguishes runs with the same name by the folders as they were given.
func rename(runs []*Run) {
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	for i, count := range counts(names) {
		if count > 1 {
			runs[i].Name = filepath.ToSlash(filepath.Clean(runs[i].dir))
		}
	}
}

// counts returns for each name how many of the names are the same.
func counts(names []string) []int {
	of, all := make(map[string]int), make([]int, len(names))
	for _, name := range names {
		of[name]++
	}
	for i, name := range names {
		all[i] = of[name]
	}
	return all
}

// shorten names the first of several siblings by what their folders have in common; where others would have that name too,
// as after sweeps of the same schemes into two folders, also by the folder that holds them. A name that would still be
// another's leaves it its own.
func shorten(sets []siblings) {
	names := make([]string, len(sets))
	for k, set := range sets {
		if names[k] = set[0].Name; len(set) > 1 {
			names[k], _ = set.common()
		}
	}
	for k, count := range counts(names) {
		if count > 1 && len(sets[k]) > 1 {
			names[k] = sets[k].located()
		}
	}
	for k, count := range counts(names) {
		if count == 1 && !slices.ContainsFunc(sets, func(set siblings) bool { return set[0].Name == names[k] }) {
			sets[k][0].Name = names[k]
		}
	}
}

// common is what the names of the folders have in common apart from seeds, hpcc for hpcc-1 and hpcc-2; if that is nothing, what
// those of the folders that hold them have, as for hpcc/1 and hpcc/2: then outer is true; otherwise the first name.
func (set siblings) common() (name string, outer bool) {
	var names, outside []string
	for _, r := range set {
		dir, err := filepath.Abs(r.dir) // has a name and a parent
		if err != nil {
			dir = r.dir
		}
		names, outside = append(names, filepath.Base(dir)), append(outside, filepath.Base(filepath.Dir(dir)))
	}
	if name := withoutSeeds(names); name != "" {
		return name, false
	}
	if name := strings.Join(commonStart(outside, ""), ""); name != "" {
		return name, true
	}
	return names[0], false
}

// located is the common name with the path, as it was given, of the folder that holds all of them.
func (set siblings) located() string {
	var parents []string
	for _, r := range set {
		parents = append(parents, filepath.ToSlash(filepath.Dir(filepath.Clean(r.dir))))
	}
	path := commonStart(parents, "/")
	if name, outer := set.common(); !outer || len(path) == 0 || path[len(path)-1] != name {
		path = append(path, name)
	}
	return strings.TrimPrefix(strings.Join(path, "/"), "./")
}

// commonStart lists the parts of texts, between separators, that all have in common at their beginning; the separator of letters
// is empty.
func commonStart(texts []string, separator string) []string {
	common := strings.Split(texts[0], separator)
	for _, text := range texts[1:] {
		parts, n := strings.Split(text, separator), 0
		for n < min(len(common), len(parts)) && parts[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	return common
}

// withoutSeeds is what names have in common before and after the first number in which they differ, without the word seed before
// it: h and k8 of h-seed1-k8 and h-seed12-k8 are h-k8. It may be nothing.
func withoutSeeds(names []string) string {
	const digits, separators = "0123456789", "-_. "
	before := strings.Join(commonStart(names, ""), "")
	rest := func(name string) string { return name[len(before):] }
	some := func(is func(name string) bool) bool { return slices.ContainsFunc(names, is) }
	if !some(func(name string) bool { return rest(name) != "" }) {
		return before
	}
	if some(func(name string) bool { return strings.IndexAny(rest(name), digits) == 0 }) {
		before = strings.TrimRight(before, digits) // of a number that goes on, as in seed1 and seed12
	}
	after := strings.TrimLeft(rest(names[0]), digits)
	if some(func(name string) bool { return rest(name) == after || strings.TrimLeft(rest(name), digits) != after }) {
		after = "" // not all have a number, with the same behind it
	}
	before = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(before, separators), "seed"), separators)
	if before == "" {
		return strings.TrimLeft(after, separators)
	}
	return before + after
}
