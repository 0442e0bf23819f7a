//go:build unix

package traces

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
)

// Only a regular file is replaced: a pipe is written to, whether or not the run succeeds, and a
// link keeps leading to its file.
func TestOutputKeepsWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe, link, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	if err := errors.Join(os.Symlink("file", link), os.WriteFile(file, []byte("older"), 0o600)); err != nil {
		t.Fatal(err)
	}
	heard := make(chan string)
	for _, end := range []func(*Output) error{(*Output).Commit, func(o *Output) error { o.Abort(); return nil }} {
		go func() {
			b, err := os.ReadFile(pipe)
			if err != nil {
				b = []byte(err.Error())
			}
			heard <- string(b)
		}()
		out, err := NewOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		through := create(t, out, "pipe", "news")
		create(t, out, "link", "newer")
		if err := errors.Join(through.buffer.Flush(), end(out)); err != nil {
			t.Error(err)
		}
		if got := <-heard; got != "news" {
			t.Errorf("the pipe brought %q", got)
		}
		if got := names(t, dir); !slices.Equal(got, []string{"file", "link", "pipe"}) {
			t.Errorf("left %v", got)
		}
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe has become %v, %v", info, err)
	}
	if to, err := os.Readlink(link); to != "file" || string(contents(t, file)) != "newer" {
		t.Errorf("the link leads to %q, %v, which holds %q", to, err, contents(t, file))
	}
}

// Finished outputs, committed or not, have closed all their files: a sweep writes thousands.
func TestOutputClosesAll(t *testing.T) {
	const list = "/proc/self/fd"
	count := func() int {
		open, err := os.ReadDir(list)
		if err != nil {
			t.Skip("no list of open files here: ", err)
		}
		return len(open)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would close forgotten files
	before := count()
	for i := range 20 {
		out, err := NewOutput(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Create("a"); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			out.Abort()
		} else if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if after := count(); after >= before+10 { // others may have some open
		t.Errorf("%d files were open, now %d", before, after)
	}
}
