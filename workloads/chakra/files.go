package chakra

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Extension is that of traces. Chakra's tools also write them compressed, with another one behind it.
const (
	Extension  = ".et"
	compressed = ".gz"
)

// Files returns the traces that a path means, by rank: PATH.0.et, PATH.1.et and so on, each with .gz behind it or not, or else
// those in the folder PATH, which have a name in common. It returns none if there are none, and an error if there are others than
// those of ranks from 0 on, one of each.
func Files(path string) ([]string, error) {
	dir, name := filepath.Split(path)
	ranks, err := find(dir)
	if err != nil {
		return nil, err
	}
	list := ranks[name]
	if len(list) == 0 {
		dir = path
		if ranks, err = find(dir); err != nil || len(ranks) == 0 {
			return nil, err
		}
		var names []string
		for name := range ranks {
			names = append(names, name)
		}
		slices.Sort(names)
		if len(names) > 1 {
			return nil, fmt.Errorf("%s has traces of several jobs, such as %s and %s: write one of them, as in %s", path, names[0], names[1], filepath.Join(path, names[0]))
		}
		name, list = names[0], ranks[names[0]]
	}
	slices.SortFunc(list, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.file, b.file)) })
	files := make([]string, len(list))
	for i, t := range list {
		files[i] = filepath.Join(dir, t.file)
		switch {
		case i > 0 && t.rank == list[i-1].rank:
			return nil, fmt.Errorf("%s and %s are both the trace of rank %d: remove one of them", files[i-1], files[i], t.rank)
		case t.rank != i:
			return nil, fmt.Errorf("%s is missing: the %d traces go up to %s", filepath.Join(dir, name+"."+strconv.Itoa(i)+Extension), len(list), filepath.Join(dir, list[len(list)-1].file))
		}
	}
	return files, nil
}

// HasExtension reports whether a file is named as a trace, but perhaps for the rank.
func HasExtension(file string) bool {
	return strings.HasSuffix(strings.TrimSuffix(file, compressed), Extension)
}

// RankOf returns the name, before the rank, and the rank of a file that is named as a trace.
func RankOf(file string) (name string, rank int, ok bool) {
	name, ok = strings.CutSuffix(strings.TrimSuffix(file, compressed), Extension)
	dot := strings.LastIndexByte(name, '.')
	if !ok || dot < 1 {
		return "", 0, false
	}
	rank, err := strconv.Atoi(name[dot+1:])
	return name[:dot], rank, err == nil && strconv.Itoa(rank) == name[dot+1:] && rank >= 0
}

// ranked is a trace in a folder.
type ranked struct {
	rank int
	file string
}

// find returns the traces in a folder, by name. A folder that is not there has none.
func find(dir string) (map[string][]ranked, error) {
	if dir == "" {
		dir = "."
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	ranks := make(map[string][]ranked)
	for _, e := range entries {
		if name, rank, ok := RankOf(e.Name()); ok && !e.IsDir() {
			ranks[name] = append(ranks[name], ranked{rank, e.Name()})
		}
	}
	return ranks, nil
}
