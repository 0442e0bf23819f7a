package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/internal/results"
)

// A page gives back the names of its runs, whatever their letters; other files give none.
func TestSubject(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"hpcc", "a<b & 'c' + \"d\"", "种子"} {
		var page bytes.Buffer
		if err := Write(&page, []*results.Run{{Name: name}}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "page.html")
		if err := os.WriteFile(path, page.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, ok := Subject(path); !ok || got != name {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
	other := filepath.Join(dir, "other.html")
	if err := os.WriteFile(other, []byte("<title>hpcc</title>"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{other, dir, filepath.Join(dir, "none.html"), os.DevNull} {
		if got, ok := Subject(path); ok {
			t.Errorf("%s is a page about %q", path, got)
		}
	}
}
