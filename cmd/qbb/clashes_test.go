package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder in the place of an output is found before the run, not when the output is to get its name.
func TestFolderInTheWay(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"a/summary.json", "b/report.html", "s/seed1/series.parquet"} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]string{
		{"run --out a", "qbb run: a/summary.json"},
		{"run --out b --report", "qbb run: b/report.html"},
		{"sweep --vary seed=1..2 --out s", "qbb sweep: seed1: s/seed1/series.parquet"},
	} {
		o := qbb(t, strings.Fields(c[0])...)
		if want := filepath.FromSlash(c[1]) + ": there is a folder of this name: choose another one\n"; o.code != exitMistake || o.stderr != want || o.stdout != "" {
			t.Errorf("%s: exit code %d, %q, %q; want %q", c[0], o.code, o.stdout, o.stderr, want)
		}
	}
	for _, dir := range []string{"a", "b", filepath.Join("s", "seed1")} {
		if got := files(t, dir); len(got) != 1 {
			t.Errorf("%s holds %q", dir, got)
		}
	}
}

// Two outputs that are one file through a link, of the file or of a folder, are found before the run, and in a sweep before
// the first one.
func TestOneFileTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	for link, to := range map[string]string{"r/b.txt": "a.txt", "r/y": "x", "r/x/seed2": "seed1"} {
		if err := os.MkdirAll(filepath.Join("r", "x", "seed1"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]string{
		{"run --out r --set files.fct=a.txt --set files.pfc=b.txt", "qbb run: r/b.txt: two outputs are one file, this and r/a.txt: rename one"},
		{"run --out r --set files.fct=x/a.txt --set files.pfc=y/a.txt", "qbb run: r/y/a.txt: two outputs are one file, this and r/x/a.txt: rename one"},
		{"sweep --vary seed=1..2 --out r/x", "qbb sweep: seed1 and seed2 would both write r/x/seed2/fct.parquet: names without a folder are in the run's"},
	} {
		o := qbb(t, strings.Fields(c[0])...)
		if want := filepath.FromSlash(c[1]) + "\n"; o.code != exitMistake || o.stderr != want || o.stdout != "" {
			t.Errorf("%s: exit code %d, %q, %q; want %q", c[0], o.code, o.stdout, o.stderr, want)
		}
	}
	if got := files(t, "r"); !slices.Equal(got, []string{"b.txt", "x", "y"}) {
		t.Errorf("r holds %q", got)
	}
}
