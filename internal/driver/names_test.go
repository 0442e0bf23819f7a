package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The outputs that are named before a run are those that it writes.
func TestOutputs(t *testing.T) {
	for name, more := range map[string][]string{
		"plain":     plain,
		"usual":     {"topology", "star:n=4", "duration", "10us"},
		"no queues": {"topology", "star:n=4", "duration", "10us", "queue_sampling.interval", "0s"},
		"no series": {"topology", "star:n=4", "duration", "10us", "series.interval", "0s"},
		"manager":   {"topology", "star:n=4", "duration", "10us", "flow_control", "credits", "cc", "ib-cc", "dcms.sweep", "5us"},
		"all": {"topology", "star:n=4", "duration", "10us", "files.fct", "sub/fct.txt", "files.pfc", "pfc.txt", "files.queues", "qlen.txt", "queue_sampling.events", "true", "queue_sampling.dump", "5us", "queue_sampling.end", "20us",
			"trace", "all", "files.events_text", "mix.txt", "pcap.file", "p.pcapng"},
	} {
		dir := t.TempDir()
		sc := of(t, more...)
		sum := runInto(t, sc, Options{Dir: dir})
		want := slices.Sorted(slices.Values(sum.Files))
		if got := slices.Sorted(slices.Values(Outputs(sc, dir))); !slices.Equal(got, want) {
			t.Errorf("%s: got files %q, the run wrote %q", name, got, want)
		}
		for _, path := range want {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, table := range []string{"fct.parquet", "queue_cdf.parquet", "series.parquet", "dcms.parquet", "dcms_counters.parquet"} {
			wrote := slices.ContainsFunc(want, func(path string) bool { return filepath.Base(path) == table })
			if r := (&Simulation{sc: sc}); r.Writes(table) != wrote {
				t.Errorf("%s: writes %s: got %v, the run says %v", name, table, !wrote, wrote)
			}
		}
	}
}

// Any number of runs may write to a device, so it does not count as an output of theirs.
func TestOutputsToDevices(t *testing.T) {
	dir := t.TempDir()
	sc := of(t, append(slices.Clone(plain), "pcap.file", os.DevNull, "files.fct", "fct.txt")...)
	write(t, filepath.Join(dir, "fct.txt"), "of an earlier run")
	got := Outputs(sc, dir)
	if slices.Contains(got, os.DevNull) || !slices.Contains(got, filepath.Join(dir, "fct.txt")) || !slices.Contains(got, filepath.Join(dir, "fct.parquet")) {
		t.Errorf("the outputs are %q", got)
	}
}

// Discarded outputs do not count as outputs, however many there are, and tables are never put
// beside a device.
func TestOutputsThrownAway(t *testing.T) {
	dir := t.TempDir()
	sc := of(t, append(slices.Clone(plain), "files.fct", os.DevNull, "files.pfc", os.DevNull)...)
	if err := CheckOutputs(sc, dir); err != nil {
		t.Fatal(err)
	}
	for _, fct := range []string{os.DevNull, "/dev/stdout"} {
		if err := sc.Set("files.fct", fct); err != nil {
			t.Fatal(err)
		}
		if got, want := beside(sc, dir, "fct.parquet"), "fct.parquet"; got != want {
			t.Errorf("the table beside %s is %s, not %s", fct, got, want)
		}
	}
	if err := sc.Set("files.fct", os.DevNull); err != nil {
		t.Fatal(err)
	}
	sum := runInto(t, sc, Options{Dir: dir})
	if want := filepath.Join(dir, summaryFile); sum.Files[len(sum.Files)-1] != want {
		t.Errorf("the summary is %s, not %s", sum.Files[len(sum.Files)-1], want)
	}
}

// Two outputs may not be one file, whether or not it exists, under whatever names.
func TestCheckOutputsOfOneFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "there.txt"), "of an earlier run")
	for link, to := range map[string]string{"link.txt": "new.txt", "old.txt": "there.txt", "tables": "."} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ fct, pfc, other string }{
		{"new.txt", "link.txt", "new.txt"}, {"old.txt", "there.txt", "old.txt"}, {"new.txt", "tables/new.txt", "new.txt"},
		{"fct.txt", "tables/ports.parquet", "ports.parquet"}, {"fct.txt", "tables/summary.json", summaryFile},
	} {
		err := CheckOutputs(of(t, append(slices.Clone(plain), "files.fct", c.fct, "files.pfc", c.pfc)...), dir)
		if want := filepath.Join(dir, c.pfc) + ": two outputs are one file, this and " + filepath.Join(dir, c.other) + ": rename one"; err == nil || err.Error() != want {
			t.Errorf("%s, %s: got %v, want %s", c.fct, c.pfc, err, want)
		}
	}
	if err := CheckOutputs(of(t, append(slices.Clone(plain), "files.fct", "new.txt", "files.pfc", "old.txt")...), dir); err != nil {
		t.Error(err)
	}
}

// A folder has the outputs of a run only if its summary is that run's, from this program, and complete.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	sc := of(t, plain...)
	if Complete(sc, dir) {
		t.Error("Complete finds the outputs of a run in an empty folder")
	}
	sum := runInto(t, sc, Options{Dir: dir})
	if !Complete(sc, dir) {
		t.Error("Complete does not find the outputs that the run has written")
	}
	other := of(t, append(slices.Clone(plain), "seed", "2")...)
	if _, err := Setup(other); err != nil {
		t.Fatal(err)
	}
	if Complete(other, dir) {
		t.Error("those of another seed are")
	}
	for what, change := range map[string]func(s *Summary){
		"an interrupted run": func(s *Summary) { s.StoppedEarly = true },
		"another version":    func(s *Summary) { s.Version += "+" },
	} {
		changed := *sum
		change(&changed)
		text, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, summaryFile), string(text))
		if Complete(sc, dir) {
			t.Errorf("those of %s are", what)
		}
	}
	write(t, filepath.Join(dir, summaryFile), "{")
	if Complete(sc, dir) {
		t.Error("a damaged summary is")
	}
}

// A run of which an output is gone, or a table empty, is not complete, wherever that was; devices hold nothing that could be.
func TestCompleteHasAllOutputs(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "pfc.txt")
	sc := of(t, append(slices.Clone(plain), "files.fct", "sub/fct.txt", "files.pfc", outside, "pcap.file", os.DevNull, "series.interval", "10us")...)
	sum := runInto(t, sc, Options{Dir: dir})
	if !Complete(sc, dir) {
		t.Fatal("Complete does not find the outputs that the run has written")
	}
	gone := 0
	for _, path := range sum.Files {
		if path == os.DevNull {
			continue
		}
		gone++
		aside := path + ".aside"
		if err := os.Rename(path, aside); err != nil {
			t.Fatal(err)
		}
		if Complete(sc, dir) {
			t.Errorf("without %s it is complete", path)
		}
		if write(t, path, ""); filepath.Ext(path) == ".parquet" && Complete(sc, dir) {
			t.Errorf("with an empty %s it is complete", path)
		}
		if err := os.Rename(aside, path); err != nil {
			t.Fatal(err)
		}
	}
	if gone != 7 || !Complete(sc, dir) {
		t.Errorf("%d outputs were gone; with all: complete %v", gone, Complete(sc, dir))
	}
}
