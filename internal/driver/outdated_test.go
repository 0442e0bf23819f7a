package driver

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// earlier makes a folder with the results of a run that has time series, and with the user's files.
func earlier(t *testing.T) (dir string, files map[string]string) {
	t.Helper()
	dir = t.TempDir()
	runInto(t, of(t, "topology", "star:n=4", "duration", "20us"), Options{Dir: dir})
	series := contents(t, dir)["series.parquet"]
	if series == "" {
		t.Fatal("no time series")
	}
	write(t, filepath.Join(dir, "mine.parquet"), series)
	write(t, filepath.Join(dir, "dcms.parquet"), "what qbb has not written")
	if err := os.Symlink("mine.parquet", filepath.Join(dir, "dcms_counters.parquet")); err != nil {
		t.Fatal(err)
	}
	return dir, contents(t, dir)
}

// plain is a run that writes no more tables than it must.
var plain = []string{"topology", "star:n=4", "duration", "30us", "series.interval", "0s", "queue_sampling.interval", "0s"}

// A run removes the tables of an earlier one that it does not replace, and nothing that is not from qbb.
func TestOutdatedTables(t *testing.T) {
	dir, before := earlier(t)
	rewritten := filepath.Join(dir, "queue_cdf.parquet")
	err := parquet.WriteFile(rewritten, []traces.QueueCDFRow{{}}, parquet.KeyValueMetadata("scenario", "as it was"), parquet.CreatedBy("pandas", "2", "x"))
	if err != nil {
		t.Fatal(err)
	}
	sum := runInto(t, of(t, plain...), Options{Dir: dir})
	after := contents(t, dir)
	if want := []string{filepath.Join(dir, "series.parquet")}; !slices.Equal(sum.Removed, want) {
		t.Errorf("removed %q, want %q", sum.Removed, want)
	}
	delete(before, "series.parquet")
	if got, want := slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)); !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	if after["fct.parquet"] == before["fct.parquet"] || after["mine.parquet"] != before["mine.parquet"] || after["dcms.parquet"] != before["dcms.parquet"] {
		t.Error("the flows are the earlier run's, or files of the user changed")
	}
	fresh := t.TempDir()
	runInto(t, of(t, plain...), Options{Dir: fresh})
	if contents(t, fresh)["summary.json"] != after["summary.json"] {
		t.Error("the summary depends on what was in the folder")
	}
	if sum := runInto(t, of(t, plain...), Options{Dir: dir}); len(sum.Removed) != 0 {
		t.Errorf("a second run removed %q", sum.Removed)
	}
}

// A run that is aborted, or cannot write, leaves the tables of an earlier one.
func TestOutdatedTablesOfNoRun(t *testing.T) {
	dir, before := earlier(t)
	sc := of(t, plain...)
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(sc, s, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		if more, err = r.Step(core.Never, 1000); err != nil {
			t.Fatal(err)
		}
	}
	r.Abort()
	sameFiles(t, contents(t, dir), before)

	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	sc = of(t, append(slices.Clone(plain), "pcap.file", "/dev/full")...)
	if s, err = Setup(sc); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), sc, s, Options{Dir: dir}); err == nil {
		t.Error("no error of a full disk")
	}
	sameFiles(t, contents(t, dir), before)
}

// A run of which a file cannot get its name does not leave the summary of an earlier one beside its own tables.
func TestUnfinishedOutputs(t *testing.T) {
	dir := t.TempDir()
	sc := of(t, plain...)
	runInto(t, sc, Options{Dir: dir})
	before := contents(t, dir)
	other := of(t, append(slices.Clone(plain), "seed", "2")...)
	s, err := Setup(other)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(other, s, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, ".pfc.parquet.tmp0")); err != nil {
		t.Skip("an open file cannot be removed here: ", err)
	}
	for more := true; more; {
		if more, err = r.Step(core.Never, 1000); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Finish()
	if want := filepath.Join(dir, "pfc.parquet") + ": not written: no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	after := contents(t, dir)
	if after["fct.parquet"] == before["fct.parquet"] {
		t.Error("the first table is the earlier run's")
	}
	if got, want := slices.Sorted(maps.Keys(after)), []string{"fct.parquet", "pfc.parquet", "ports.parquet"}; !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	if Complete(sc, dir) || Complete(other, dir) {
		t.Error("it passes for a complete run")
	}
}

// A table that this run reads, or writes as another output, is not removed.
func TestOutdatedTablesInUse(t *testing.T) {
	dir, _ := earlier(t)
	path := filepath.Join(dir, "series.parquet")
	sc := of(t, plain...)
	if got := outdatedTables(sc, dir, nil); !slices.Contains(got, path) {
		t.Errorf("%q lacks %s", got, path)
	}
	if got := outdatedTables(sc, dir, []string{path}); slices.Contains(got, path) {
		t.Errorf("%q has what is written", got)
	}
	sc.Flows = path
	if got := outdatedTables(sc, dir, nil); slices.Contains(got, path) {
		t.Errorf("%q has what is read", got)
	}
}

// A caller that writes the tables of a run itself removes those of other scenarios.
func TestRemoveOutdated(t *testing.T) {
	dir, before := earlier(t)
	same := of(t, "topology", "star:n=4", "duration", "20us")
	if _, err := Setup(same); err != nil {
		t.Fatal(err)
	}
	if err := RemoveOutdated(dir, same.Record()); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, contents(t, dir), before)
	if err := RemoveOutdated(dir, of(t, plain...).Record()); err != nil {
		t.Fatal(err)
	}
	delete(before, "series.parquet")
	delete(before, "queue_cdf.parquet")
	sameFiles(t, contents(t, dir), before)
}
