package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// summaryFile is the file that gets its name last.
const summaryFile = "summary.json"

// under returns the path of an output of a run in a folder, to which a relative name is relative.
func under(dir, name string) string {
	if filepath.IsAbs(name) || name == os.DevNull { // NUL of Windows is in every folder
		return name
	}
	return filepath.Join(dir, name)
}

// beside returns the name of a file in the folder of fct.txt, if there is one that is no device or pipe.
func beside(sc *scenario.Scenario, dir, name string) string {
	folder := filepath.Dir(sc.Files.FCT)
	info, err := os.Stat(under(dir, sc.Files.FCT))
	if err == nil && !info.Mode().IsRegular() || folder == filepath.Dir(os.DevNull) { // /dev/stdout may be a file
		return name
	}
	return filepath.Join(folder, name)
}

// optionalTables are the tables that not every run writes.
var optionalTables = [...]struct {
	name    string
	written func(sc *scenario.Scenario) bool
}{
	{"queue_cdf.parquet", func(sc *scenario.Scenario) bool { return sc.Sampling.Interval != 0 }},
	{"series.parquet", func(sc *scenario.Scenario) bool { return sc.Series.Interval != 0 }},
	{"schedule.parquet", func(sc *scenario.Scenario) bool { return len(sc.Schedule) > 0 }},
	{"dcms.parquet", func(sc *scenario.Scenario) bool { return sc.DCMS.Sweep != 0 }},
	{"dcms_counters.parquet", func(sc *scenario.Scenario) bool { return sc.DCMS.Sweep != 0 }},
}

// outputNames returns the names of all outputs of a run in a folder: those of its own, then those that its scenario gives.
func outputNames(sc *scenario.Scenario, dir string) (names []string) {
	for _, name := range [...]string{"fct.parquet", "pfc.parquet", "ports.parquet", summaryFile} {
		names = append(names, beside(sc, dir, name))
	}
	for _, t := range optionalTables {
		if t.written(sc) {
			names = append(names, beside(sc, dir, t.name))
		}
	}
	f := &sc.Files
	for _, name := range [...]string{f.FCT, f.PFC, f.Queues, f.Events, f.EventsText, sc.Pcap.File} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Outputs returns the paths of the outputs of a run in a folder. Devices and pipes, to which any number of
// runs may write, are left out.
func Outputs(sc *scenario.Scenario, dir string) (paths []string) {
	for _, name := range outputNames(sc, dir) {
		path := under(dir, name)
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
			paths = append(paths, path)
		}
	}
	return paths
}

// CheckOutputs reports an output of a run in a folder that would replace an input, or another output. More
// are the names of files that the caller will put beside the tables.
func CheckOutputs(sc *scenario.Scenario, dir string, more ...string) error {
	names := outputNames(sc, dir)
	for _, name := range more {
		names = append(names, beside(sc, dir, name))
	}
	taken := make(traces.Places)
	for _, name := range names {
		if err := traces.CheckFileName(name); err != nil {
			return err
		}
		path := under(dir, name)
		if sc.Reads(path) {
			return fmt.Errorf("%s: this output would replace an input: give it another name", path)
		}
		place, err := taken.Check(path)
		if err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s: there is a folder of this name: choose another one", path)
		}
		taken[place] = path
	}
	return nil
}

// outdatedTables returns the paths of the tables in a folder that an earlier run has written and this one,
// which writes the given paths, does not; only files that are certainly the program's own.
func outdatedTables(sc *scenario.Scenario, dir string, written []string) (paths []string) {
	for _, t := range optionalTables {
		path := under(dir, beside(sc, dir, t.name))
		if !slices.Contains(written, path) && !sc.Reads(path) && tables.OfRun(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// RemoveOutdated removes from a folder the optional tables of runs of other scenarios than that of the record
// ([scenario.Scenario.Record]), for a caller that has written the tables of a run there itself. It removes only
// tables that say they are of a run of qbb.
func RemoveOutdated(dir, record string) error {
	for _, t := range optionalTables {
		path := filepath.Join(dir, t.name)
		if !tables.OfRun(path) {
			continue
		}
		if of, err := tables.Value(path, "scenario"); err != nil || of == record {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
