package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// findInput resolves a file name against the working directory, then against the folder of the
// file that names it. A name under which nothing is there stays as it is.
func findInput(from, name string, there func(string) bool) string {
	if filepath.IsAbs(name) || there(name) {
		return name
	}
	if beside := filepath.Join(filepath.Dir(from), name); there(beside) {
		return beside
	}
	return name
}

// whereElse ends a message about a file that is not there, as findInput looked for it: where there is one that may be
// meant. The reference's scripts run in a folder above that of the configuration, and name files from there; and a
// case that was copied from elsewhere has names with the folders of its first place.
func whereElse(from, name string) string {
	if from == "" || isFile(name) {
		return ""
	}
	if path, err := filepath.Abs(from); err == nil && !filepath.IsAbs(name) {
		for above := filepath.Dir(path); above != filepath.Dir(above); above = filepath.Dir(above) {
			if isFile(filepath.Join(above, name)) {
				return fmt.Sprintf("; there is one in %s: run qbb in that folder", above)
			}
		}
	}
	if base := filepath.Join(filepath.Dir(from), filepath.Base(name)); isFile(base) {
		return fmt.Sprintf("; there is %s: write that name", base)
	}
	return ""
}

// isFile reports whether traces.OpenFile knows a file of this name.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir() || name == os.Stdin.Name()
}

// noFile says why a path is not a file, as isFile found.
func noFile(name string) string {
	if _, err := os.Stat(name); err == nil {
		return "a folder, not a file"
	}
	return "there is no such file"
}

// Reads reports whether a path is that of a file from which the scenario was read, or which it names.
func (sc *Scenario) Reads(path string) bool {
	for _, input := range append(sc.schedules(), sc.file, sc.Topology, sc.Flows, sc.sizesFile(), sc.Trace) {
		x, err1 := os.Stat(path)
		y, err2 := os.Stat(input)
		if err1 == nil && err2 == nil && os.SameFile(x, y) {
			return true
		}
	}
	return false
}

// blame adds the key and its line to an error, unless that names a line of the named file.
func (sc *Scenario) blame(key, file string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w%s", path.Path, path.Err, whereElse(sc.file, path.Path))
	} else if strings.HasPrefix(err.Error(), file+":") {
		return err
	}
	return sc.wrong(key, err)
}

// noteSurplus turns an error that only says that a file has more entries than its count announces into a
// note: like the reference, a run takes the first entries.
func noteSurplus(s *sim.Setup, err error) error {
	if surplus, ok := errors.AsType[*traces.SurplusError](err); ok {
		s.Notes = append(s.Notes, surplus.Error())
		return nil
	}
	return err
}
