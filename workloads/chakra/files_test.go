package chakra

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"one/a.b.0.et", "one/a.b.1.et", "one/a.b.10.et", "one/a.b.2.et", "one/a.b.x.et", "one/a.b.03.et", "one/.0.et", "one/a.b.0.et.bak", "one/a.b.0.txt", "one/a.b.0", "one/a.b.-1.et", "one/a.0.et/x",
		"two/a.0.et", "two/b.0.et", "none/x", "gap/a.0.et", "gap/a.2.et", "late/a.1.et", "two.0.et",
		"gz/a.0.et.gz", "gz/a.1.et.gz", "gz/b.0.et.gzip", "gz/.0.et.gz", "mixed/a.0.et.gz", "mixed/a.1.et", "twice/a.0.et", "twice/a.1.et", "twice/a.1.et.gz", "first/a.0.et", "first/a.0.et.gz", "gone/a.0.et.gz", "gone/a.2.et.gz",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for r := range 10 {
		os.WriteFile("one/a.b."+string(rune('0'+r))+".et", nil, 0o666)
		os.WriteFile("two/"+string(rune('c'+r))+".0.et", nil, 0o666)
	}
	for path, want := range map[string]string{
		"one":    "11: one/a.b.0.et one/a.b.10.et",
		"one/":   "11: one/a.b.0.et one/a.b.10.et",
		"./one":  "11: one/a.b.0.et one/a.b.10.et",
		"two":    "1: two.0.et two.0.et", // names that begin with it, before the folder
		"two/":   "two/ has traces of several jobs, such as a and b: write one of them, as in two/a",
		"two/b":  "1: two/b.0.et two/b.0.et",
		"gap":    "gap/a.1.et is missing: the 2 traces go up to gap/a.2.et",
		"gz":     "2: gz/a.0.et.gz gz/a.1.et.gz",
		"gz/a":   "2: gz/a.0.et.gz gz/a.1.et.gz",
		"mixed":  "2: mixed/a.0.et.gz mixed/a.1.et",
		"twice":  "twice/a.1.et and twice/a.1.et.gz are both the trace of rank 1: remove one of them",
		"first":  "first/a.0.et and first/a.0.et.gz are both the trace of rank 0: remove one of them",
		"gone":   "gone/a.1.et is missing: the 2 traces go up to gone/a.2.et.gz",
		"late/a": "late/a.0.et is missing: the 1 traces go up to late/a.1.et",
	} {
		files, err := Files(path)
		got := ""
		if err != nil {
			got = err.Error()
		} else if len(files) > 0 {
			got = strings.Join([]string{strconv.Itoa(len(files)) + ":", files[0], files[len(files)-1]}, " ")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if files, err := Files("one/a.b"); err != nil || !slices.IsSortedFunc(files, func(a, b string) int { return len(a) - len(b) }) {
		t.Errorf("%v, %v", files, err)
	}
	for _, path := range []string{"none", "nothing", "one/a", "none/x", "no/thing", "two.0.et"} {
		if files, err := Files(path); err != nil || len(files) > 0 {
			t.Errorf("%s: %v, %v", path, files, err)
		}
	}
}
