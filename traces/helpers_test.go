package traces

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const baselines = "../testdata/baselines"

// cases returns the folders of the baselines that hold a file.
func cases(t *testing.T, file string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(baselines, "*", file))
	if err != nil || len(found) == 0 {
		t.Fatalf("no baselines with %s: %v", file, err)
	}
	for i, f := range found {
		found[i] = filepath.Dir(f)
	}
	return found
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func zstded(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

// checkError requires an error of exactly this text.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", want)
	}
	if err.Error() != want {
		t.Errorf("error\n got %s\nwant %s", err, want)
	}
}

// checkOneLine requires that an error is one line that begins with the file's name.
func checkOneLine(t *testing.T, err error, name string) {
	t.Helper()
	if err != nil && (!strings.HasPrefix(err.Error(), name+":") || strings.Contains(err.Error(), "\n")) {
		t.Errorf("error is not one line about %s: %q", name, err)
	}
}

func seedFiles(f *testing.F, pattern string) {
	found, _ := filepath.Glob(filepath.Join(baselines, "*", pattern))
	for _, path := range found {
		if b, err := os.ReadFile(path); err == nil && len(b) < 4096 {
			f.Add(b)
		}
	}
}
