package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is made of runs does not replace, through a link, what it is made of; other files beside the tables may be linked.
func TestOutputsOfRunsReplaceNoInput(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, with(small, "--out", "a", "--quiet")...)
	if err := os.WriteFile(filepath.Join("a", "own"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		link string
		args []string
	}{
		{"x.html", []string{"report"}}, {"x.svg", []string{"plot", "slowdown"}}, {"x.png", []string{"plot", "queue"}}, {"x.csv", []string{"table"}},
	} {
		args := append(c.args, "a", "-o", c.link)
		for _, name := range []string{"summary.json", "fct.parquet", "ports.parquet", "queue_cdf.parquet", "pfc.parquet", "series.parquet"} {
			path := filepath.Join("a", name)
			content := read(t, path)
			relink(t, path, c.link)
			want := c.link + ": this output would replace an input: give it another name\n"
			if o := qbb(t, args...); o.code != exitMistake || !strings.HasSuffix(o.stderr, want) || strings.Count(o.stderr, "\n") != 1 || o.stdout != "" {
				t.Errorf("%q to %s: code %d, %q", args, path, o.code, o.stderr)
			}
			if !bytes.Equal(read(t, path), content) {
				t.Fatalf("%q has replaced %s", args, path)
			}
		}
		relink(t, filepath.Join("a", "own"), c.link)
		if o := qbb(t, args...); o.code != 0 || len(read(t, filepath.Join("a", "own"))) == 0 {
			t.Errorf("%q to a file of the user's: code %d, %q", args, o.code, o.stderr)
		}
	}
}

// relink makes a link lead elsewhere.
func relink(t *testing.T, to, link string) {
	t.Helper()
	if err := os.RemoveAll(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, link); err != nil {
		t.Skip(err)
	}
}
