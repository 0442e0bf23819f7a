package traces

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// The error for a file that cannot be read is one line that names it, whichever reader reports it.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	damaged, missing := filepath.Join(dir, "damaged"), filepath.Join(dir, "missing")
	if err := os.WriteFile(damaged, []byte("\x1f\x8bxxxxxxxxxx"), 0o666); err != nil {
		t.Fatal(err)
	}
	open := func(path string) error { _, err := Open(path); return err }
	flows := func(path string) error { _, err := LoadFlows(path); return err }
	config := func(path string) error { _, err := LoadConfig(path); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{open(dir), dir + ": cannot be read: is a directory"},
		{flows(dir), dir + ": cannot be read: is a directory"},
		{open(damaged), damaged + ": cannot expand: gzip: invalid header"},
		{flows(damaged), damaged + ": cannot expand: gzip: invalid header"},
		{config(damaged), damaged + ":1: cannot read: gzip: invalid header"},
		{open(missing), "open " + missing + ": no such file or directory"},
		{flows(missing), "open " + missing + ": no such file or directory"},
		{config(missing), "open " + missing + ": no such file or directory"},
	} {
		checkError(t, c.err, c.want)
	}
}

// A failure in the middle of a file is reported with its place.
func TestReadErrors(t *testing.T) {
	broken := func(text string) io.Reader {
		return io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("disk on fire")))
	}
	read := map[string]func() error{
		"x:2: cannot read: disk on fire": func() error { _, err := ReadConfig("x", broken("HAS_WIN 1\nCC_MODE ")); return err },
		"x:3: cannot read: disk on fire": func() error { _, err := ReadFlows("x", broken("src,dst,bytes,start_ns\n0,1,5,0\n0,1")); return err },
		"x:4: cannot read: disk on fire": func() error {
			r := NewEventTextReader("x", broken(strings.Repeat("5 n:2 2:3 1048576 Drop ecn:3 0b000001 0b000101 10000 100 U 1073741824 4 3 60(12)\n", 3)))
			_, err := r.Next()
			for err == nil {
				_, err = r.Next()
			}
			return err
		},
		"x: cannot read its header: disk on fire": func() error { _, err := NewEventReader("x", broken("\x01\x00\x00\x00")); return err },
	}
	for want, f := range read {
		checkError(t, f(), want)
	}
}
