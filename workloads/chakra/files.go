package chakra

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Extension is that of traces.
const Extension = ".et"

// Files returns the traces that a path means, by rank: PATH.0.et, PATH.1.et and so on, or else those in the folder PATH, which
// have a name in common. It returns none if there are none, and an error if there are others than those of ranks from 0 on.
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
	slices.Sort(list)
	files := make([]string, len(list))
	for i, rank := range list {
		files[i] = fileOf(dir, name, i)
		if rank != i {
			return nil, fmt.Errorf("%s is missing: the %d traces go up to %s", files[i], len(list), fileOf(dir, name, list[len(list)-1]))
		}
	}
	return files, nil
}

func fileOf(dir, name string, rank int) string {
	return filepath.Join(dir, name+"."+strconv.Itoa(rank)+Extension)
}

// RankOf returns the name, before the rank, and the rank of a file that is named as a trace.
func RankOf(file string) (name string, rank int, ok bool) {
	name, ok = strings.CutSuffix(file, Extension)
	dot := strings.LastIndexByte(name, '.')
	if !ok || dot < 1 {
		return "", 0, false
	}
	rank, err := strconv.Atoi(name[dot+1:])
	return name[:dot], rank, err == nil && strconv.Itoa(rank) == name[dot+1:] && rank >= 0
}

// find returns the ranks of the traces in a folder, by name. A folder that is not there has none.
func find(dir string) (map[string][]int, error) {
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
	ranks := make(map[string][]int)
	for _, e := range entries {
		if name, rank, ok := RankOf(e.Name()); ok && !e.IsDir() {
			ranks[name] = append(ranks[name], rank)
		}
	}
	return ranks, nil
}
