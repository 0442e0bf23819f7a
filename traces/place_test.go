package traces

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linked makes a folder with a folder x, links to it and to what is in it, of which x/a.txt does not exist, and links that lead
// nowhere.
func linked(t *testing.T) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // the folder of temporary files may be a link itself
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Join(dir, "x", "deep"), 0o777),
			os.Symlink("x", filepath.Join(dir, "y")),
			os.Symlink(filepath.Join("x", "deep"), filepath.Join(dir, "z")),
			os.Symlink(filepath.Join("x", "a.txt"), filepath.Join(dir, "relative")),
			os.Symlink(filepath.Join(dir, "relative"), filepath.Join(dir, "absolute")),
			os.Symlink(filepath.Join("..", "a.txt"), filepath.Join(dir, "x", "deep", "up")),
			os.Symlink("circle", filepath.Join(dir, "circle")),
			os.Symlink(filepath.Join("longer", "longer"), filepath.Join(dir, "longer")))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestResolve(t *testing.T) {
	dir := linked(t)
	t.Chdir(dir)
	for name, want := range map[string]string{
		"x/a.txt": "x/a.txt", "y/a.txt": "x/a.txt", "z/../a.txt": "x/a.txt", "z/../../a.txt": "a.txt", "./x//a.txt": "x/a.txt",
		"relative": "x/a.txt", "absolute": "x/a.txt", "z/up": "x/a.txt", "y/deep/up": "x/a.txt", "y": "x", "y/new/b.txt": "x/new/b.txt",
		"relative/b.txt": "x/a.txt/b.txt", "new/../b.txt": "b.txt", ".": ".",
	} {
		for _, exists := range []bool{false, true} {
			if exists {
				if err := os.WriteFile("x/a.txt", nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{filepath.FromSlash(name), dir + string(filepath.Separator) + filepath.FromSlash(name)} {
				if got, err := Resolve(path); err != nil || got != filepath.Join(dir, filepath.FromSlash(want)) {
					t.Errorf("%s: got %q, %v, want %s", path, got, err, want)
				}
			}
		}
		if err := os.Remove("x/a.txt"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Resolve(os.DevNull); got != os.DevNull {
		t.Errorf("the null device is %q, %v", got, err)
	}
	for _, name := range []string{"circle", "circle/a.txt", "longer"} {
		_, err := Resolve(name)
		checkError(t, err, name+": it leads through too many symbolic links: choose another name")
	}
}

// Two outputs that are one file through a link would lose one of them.
func TestOutputsOfOneFile(t *testing.T) {
	for _, c := range [][2]string{
		{"x/a.txt", "y/a.txt"}, {"relative", "x/a.txt"}, {"x/a.txt", "absolute"}, {"absolute", "relative"}, {"z/up", "y/a.txt"},
	} {
		dir := linked(t)
		first, second := filepath.Join(dir, c[0]), filepath.Join(dir, c[1])
		out, err := NewOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		create(t, out, c[0], "first")
		_, err = out.Create(c[1])
		checkError(t, err, second+": two outputs are one file, this and "+first+": rename one")
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		if got := string(contents(t, filepath.Join(dir, "x", "a.txt"))); got != "first" {
			t.Errorf("%s, %s: the file holds %q", c[0], c[1], got)
		}
	}
}

// So would two whose names differ only in case, on a file system that ignores it: there the temporary file of the first
// is found under the second name, as it is here through a hard link. On others they are two files.
func TestOutputsThatDifferInCase(t *testing.T) {
	for _, ignored := range []bool{true, false} {
		dir := t.TempDir()
		first, second := filepath.Join(dir, "A.tmp.txt"), filepath.Join(dir, "a.tmp.txt")
		out, err := NewOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		create(t, out, "A.tmp.txt", "first")
		if ignored {
			if err := os.Link(filepath.Join(dir, ".A.tmp.txt.tmp0"), filepath.Join(dir, ".a.tmp.txt.tmp0")); err != nil {
				t.Skip(err)
			}
		}
		_, err = out.Create("a.tmp.txt")
		if ignored {
			checkError(t, err, second+": two outputs are one file, this and "+first+", since case does not count here: rename one")
		} else if err != nil {
			t.Error(err)
		}
		out.Abort()
	}
}

// Several outputs may be thrown away, by any name.
func TestOutputsToNullDevice(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "null")); err != nil {
		t.Fatal(err)
	}
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{os.DevNull, "null", os.DevNull, "null"} {
		create(t, out, name, "gone")
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"null"}) {
		t.Errorf("left %q", got)
	}
}

// That a file cannot be made where a link leads is said of both.
func TestOutputOfLinkToNowhere(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "a.txt")
	to := filepath.Join(dir, "missing", "b.txt")
	if err := os.Symlink(to, link); err != nil {
		t.Fatal(err)
	}
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Create("a.txt"); err == nil || !strings.HasPrefix(err.Error(), "create "+link+" -> "+to+": ") {
		t.Errorf("got %v", err)
	}
}
