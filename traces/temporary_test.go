package traces

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// Files left by a killed program are removed; files that are being written, or that have another name or kind, are not.
func TestStaleFilesGo(t *testing.T) {
	dir := t.TempDir()
	alive, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, alive, "a.txt", "alive")
	if alive.files[0].file.lock == nil {
		t.Skip("no locks here")
	}
	for _, name := range []string{".a.txt.tmp1", ".a.txt.tmp2", ".b.txt.tmp0", ".a.txt.tmp", ".a.txt.swp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("killed"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.txt", filepath.Join(dir, ".a.txt.tmp3")); err != nil {
		t.Fatal(err)
	}
	next, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, next, "a.txt", "next")
	if got, want := names(t, dir), []string{".a.txt.swp", ".a.txt.tmp", ".a.txt.tmp0", ".a.txt.tmp1", ".a.txt.tmp3", ".b.txt.tmp0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := next.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := alive.Commit(); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "alive" {
		t.Errorf("content %q", b)
	}
}

// Any number of writers of one name, which constantly look for stale files, do not touch each other's.
func TestWritersOfOneName(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				out, err := NewOutput(dir)
				if err == nil {
					var f *File
					if f, err = out.Create("a.txt"); err == nil {
						fmt.Fprintf(f, "%d %d", w, i)
						err = out.Commit()
					}
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	b, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	var w, i int
	if _, short := fmt.Sscanf(string(b), "%d %d", &w, &i); err != nil || short != nil {
		t.Errorf("the file holds %q: %v, %v", b, err, short)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("left behind: %v", got)
	}
}
