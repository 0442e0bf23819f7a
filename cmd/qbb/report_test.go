package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Two runs, each with its own report, and one report that compares them; the report of a run is the
// same in whichever way it is made.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	table := mustQBB(t, with(small, "--cc", "hpcc", "--out", "a", "--report")...)
	if !strings.Contains(table, reportFile) {
		t.Errorf("the run does not name its report:\n%s", table)
	}
	if got := files(t, "a"); !slices.Equal(got, []string{"fct.parquet", "pfc.parquet", "ports.parquet", "queue_cdf.parquet", reportFile, "series.parquet", "summary.json"}) {
		t.Errorf("a holds %v", got)
	}
	mustQBB(t, with(small, "--cc", "dcqcn", "--out", "b", "--quiet")...)
	if got := mustQBB(t, "report", "a", "b"); !strings.HasPrefix(got, "report.html: 2 runs, ") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
	if page := string(read(t, reportFile)); !strings.Contains(page, "<title>a, b ") || !strings.Contains(page, `"id":"slowdown"`) {
		t.Error("the page does not show the runs")
	}
	if got := mustQBB(t, "report", "-o", filepath.Join("new", "one.html"), "a"); !strings.Contains(got, "one.html: 1 run, ") {
		t.Errorf("got %q", got)
	}
	if !slices.Equal(read(t, filepath.Join("new", "one.html")), read(t, filepath.Join("a", reportFile))) {
		t.Error("qbb report and qbb run --report differ")
	}
}

// A case of the reference writes its outputs to the working folder, and its report too.
func TestReportOfConfig(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(baseline("dumbbell4-hpcc"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	mustQBB(t, "run", "config.txt", "--report", "--quiet")
	if page := string(read(t, reportFile)); !strings.Contains(page, "<title>"+filepath.Base(dir)+" ") {
		t.Error("the page does not name the folder")
	}
}

func TestReportMistakes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	mustQBB(t, with(small, "--quiet")...)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"report"}, "which runs? give their folders: qbb report DIR..."},
		{[]string{"report", "none"}, "none: no such folder"},
		{[]string{"report", "."}, "no summary.json"},
		{[]string{"report", "out", "out"}, "out: given twice"},
		{[]string{"report", "out", "--out", "out"}, "out: a folder: name a file, such as out/report.html"},
		{[]string{"report", "out", "-x"}, "unknown flag -x"},
		{with(small, "--report", "--out", ""), "out: the folder of the files has no name: write . for this one"},
	} {
		o := qbb(t, c.args...)
		if o.code != exitMistake || !strings.Contains(o.stderr, c.want) || strings.Count(o.stderr, "\n") != 1 || o.stdout != "" {
			t.Errorf("%q: exit code %d, %q, %q; want %q", c.args, o.code, o.stderr, o.stdout, c.want)
		}
	}
	if got := files(t, dir); !slices.Equal(got, []string{"out"}) {
		t.Errorf("the folder holds %v", got)
	}
}

// A full disk is not a mistake of the user, whatever is written.
func TestDiskFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	mustQBB(t, with(small, "--quiet")...)
	for _, name := range []string{"full.html", "full.svg", "full.csv"} {
		if err := os.Symlink("/dev/full", name); err != nil {
			t.Fatal(err)
		}
	}
	for file, args := range map[string][]string{
		"full.html": {"report", "out"}, "full.svg": {"plot", "fct-cdf", "out"}, "full.csv": {"table", "out"}, "/dev/full": {"gen", "topology"},
	} {
		o := qbb(t, with(args, "-o", file)...)
		if want := file + ": not written: no space left on device\n"; o.code != exitFailed || !strings.HasSuffix(o.stderr, want) {
			t.Errorf("%s: exit code %d, %q, want %q", file, o.code, o.stderr, want)
		}
	}
}

// deaf is a standard output that accepts nothing.
type deaf struct{}

// Write implements io.Writer.
func (deaf) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Nor is a standard output to which nothing can be written.
func TestCannotPrint(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, with(small, "--quiet", "--pcap", "p.pcapng")...)
	for _, args := range [][]string{
		{"help"}, {"help", "run"}, {"help", "outputs"}, {"schemes"}, {"version"}, {"completion", "bash"}, {"gen", "topology", "-o", "-"}, {"gen", "traffic"},
		with(small, "--print-scenario"), with(small, "--json"), small, {"table", "out"}, {"report", "out"}, {"plot", "fct-cdf", "out"}, {"compare", "out", "out"},
		{"inspect", "out/p.pcapng"}, {"inspect", "out/p.pcapng", "--flows"}, {"reproduce"}, {"reproduce", "mpcc-delay", "--print-scenario"},
		with([]string{"sweep", "--vary", "seed=1..2", "--print"}, small[1:]...),
	} {
		want := exitFailed
		if args[0] == "compare" {
			want = exitTrouble
		}
		var stderr strings.Builder
		if code := run(t.Context(), args, deaf{}, &stderr); code != want || !strings.HasSuffix(stderr.String(), ": no space left on device\n") {
			t.Errorf("qbb %s: exit code %d, want %d; %s", strings.Join(args, " "), code, want, stderr.String())
		}
	}
}

// The report of an earlier run does not stay beside the tables of another one; a page about other runs, and one that is
// not ours, do.
func TestRunRemovesReport(t *testing.T) {
	t.Chdir(t.TempDir())
	page := filepath.Join("a", reportFile)
	mustQBB(t, with(small, "--out", "b")...)
	mustQBB(t, with(small, "--out", "a", "--report")...)
	if got, want := mustQBB(t, with(small, "--out", "a")...), "\nRemoved       a/: report.html of an earlier run\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("the report of the earlier run is there")
	}
	for _, make := range []func(){
		func() { mustQBB(t, "report", "b", "-o", page) },
		func() { mustQBB(t, "report", "a", "b", "-o", page) },
		func() { write(t, "a", reportFile, "<title>a</title>") },
		func() { write(t, "a", reportFile, "") },
	} {
		make()
		before := read(t, page)
		mustQBB(t, with(small, "--out", "a")...)
		if !slices.Equal(read(t, page), before) {
			t.Errorf("the page changed: %.100s", before)
		}
	}
	mustQBB(t, with(small, "--out", filepath.Join("s", "seed7"), "--report")...)
	o := qbb(t, append([]string{"sweep", "--vary", "seed=7", "--out", "s"}, small[1:]...)...)
	if want := "; removed s/seed7/: report.html of an earlier run\n"; o.code != exitOK || !strings.Contains(o.stderr, want) {
		t.Errorf("exit code %d: no %q in %s", o.code, want, o.stderr)
	}
}
