package traces

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func create(t *testing.T, out *Output, name, text string) *File {
	t.Helper()
	f, err := out.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte(text))
	return f
}

func TestOutputAppearsWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "results")
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, out, "a.txt", "first")
	create(t, out, "b.txt", "second")
	if got := names(t, dir); !slices.Equal(got, []string{".a.txt.tmp0", ".b.txt.tmp0"}) {
		t.Errorf("before Commit: %v", got)
	}
	if _, err := out.Create("a.txt"); err == nil {
		t.Error("the same name was accepted twice")
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	out.Abort()
	if got := names(t, dir); !slices.Equal(got, []string{"a.txt", "b.txt"}) {
		t.Errorf("after Commit: %v", got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "b.txt")); string(b) != "second" {
		t.Errorf("content %q", b)
	}

	again, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, again, "a.txt", "newer")
	again.Abort()
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "first" || len(names(t, dir)) != 2 {
		t.Errorf("after Abort: %q, %v", b, names(t, dir))
	}
}

func TestFailedOutputLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, out, "a.txt", "first")
	create(t, out, "b.txt", "second").finish = func() error { return errors.New("no space") }
	checkError(t, out.Commit(), filepath.Join(dir, "b.txt")+": not written: no space")
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

// Folders that were made for files that do not appear go as well, except for those that hold something else.
func TestAbortRemovesFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "before"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"", "x"} {
		for _, folder := range []string{".", "before", "before/a", "b/c/d", "before/e/f/../g"} {
			out, err := NewOutput(dir + "/" + folder) // not cleaned, as it is typed
			if err != nil {
				t.Fatal(err)
			}
			create(t, out, "t", "text")
			if err := out.MakeFolder(filepath.Join(dir, "b", "deeper", "still")); err != nil {
				t.Fatal(err)
			}
			if other != "" {
				if err := os.WriteFile(filepath.Join(dir, "b", other), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			out.Abort()
			want := []string{"before"}
			if other != "" {
				want = []string{"b", "before"}
			}
			if got := names(t, dir); !slices.Equal(got, want) {
				t.Errorf("%s: left %q, want %q", folder, got, want)
			}
			if got := names(t, filepath.Join(dir, "before")); len(got) > 0 {
				t.Errorf("%s: left %q", folder, got)
			}
			if other != "" && !slices.Equal(names(t, filepath.Join(dir, "b")), []string{other}) {
				t.Errorf("%s: left %q beside another file", folder, names(t, filepath.Join(dir, "b")))
			}
		}
	}
	write := filepath.Join(dir, "before", "file")
	if err := os.WriteFile(write, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := NewOutput(filepath.Join(write, "x")); err == nil || !slices.Equal(names(t, filepath.Join(dir, "before")), []string{"file"}) {
		t.Errorf("below a file: %v", err)
	}
}

// A folder that appears in a file's place meanwhile is found before anything gets its name.
func TestOutputFindsFolderAtCommit(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("earlier"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		create(t, out, name, "new")
	}
	if err := os.Mkdir(filepath.Join(dir, "b.txt"), 0o777); err != nil {
		t.Fatal(err)
	}
	checkError(t, out.Commit(), filepath.Join(dir, "b.txt")+": there is a folder of this name: choose another one")
	if a, c := contents(t, filepath.Join(dir, "a.txt")), contents(t, filepath.Join(dir, "c.txt")); string(a) != "earlier" || string(c) != "earlier" {
		t.Errorf("the files hold %q, %q", a, c)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.txt", "b.txt", "c.txt"}) {
		t.Errorf("there are %q", got)
	}
}

// Of files of which one cannot get its name the last one, which stands for all, is missing; a single one stays as it was.
func TestOutputThatCannotAppear(t *testing.T) {
	for _, c := range []struct {
		files, want []string
	}{
		{[]string{"a.txt", "b.txt", "c.txt"}, []string{"a.txt", "b.txt"}},
		{[]string{"b.txt"}, []string{"b.txt"}},
	} {
		dir := t.TempDir()
		out, err := NewOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("earlier"), 0o666); err != nil {
				t.Fatal(err)
			}
			create(t, out, name, "new")
		}
		if err := os.Remove(filepath.Join(dir, ".b.txt.tmp0")); err != nil {
			t.Skip("an open file cannot be removed here: ", err)
		}
		checkError(t, out.Commit(), filepath.Join(dir, "b.txt")+": not written: no such file or directory")
		if got := names(t, dir); !slices.Equal(got, c.want) {
			t.Errorf("of %q there are %q", c.files, got)
		}
		if got := string(contents(t, filepath.Join(dir, "b.txt"))); got != "earlier" {
			t.Errorf("the file holds %q", got)
		}
	}
}

func TestOutputsOfTwoRunsDoNotMeet(t *testing.T) {
	dir := t.TempDir()
	one, _ := NewOutput(dir)
	two, _ := NewOutput(dir)
	create(t, one, "a.txt", "one")
	create(t, two, "a.txt", "two")
	if err := errors.Join(one.Commit(), two.Commit()); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "two" {
		t.Errorf("content %q", b)
	}
}

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	err := WriteJSON(&b, struct {
		Seed int    `json:"seed"`
		Name string `json:"name"`
	}{7, "a<b"})
	if want := "{\n  \"seed\": 7,\n  \"name\": \"a<b\"\n}\n"; err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestSchemasAreComplete(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range Schemas() {
		if seen[s.File] || s.File == "" || s.Doc == "" || len(s.Columns) == 0 {
			t.Errorf("schema %q is given twice or incomplete", s.File)
		}
		seen[s.File] = true
		columns := make(map[string]bool)
		for _, c := range s.Columns {
			if columns[c.Name] || c.Name == "" || c.Type == "" || c.Doc == "" {
				t.Errorf("%s: column %+v is given twice or incomplete", s.File, c)
			}
			columns[c.Name] = true
			dimensional := strings.HasSuffix(c.Name, "_ns") || strings.HasSuffix(c.Name, "_bytes") || strings.HasSuffix(c.Name, "_packets")
			if dimensional && c.Unit == "" {
				t.Errorf("%s: column %s has no unit", s.File, c.Name)
			}
		}
	}
}

// Lines of the reference's files have as many words as their schema has columns.
func TestTextSchemasCountColumns(t *testing.T) {
	for _, test := range []struct {
		schema Schema
		line   []byte
	}{
		{fctTextSchema, AppendFCT(nil, &FCTRow{})},
		{pfcTextSchema, AppendPFC(nil, &PFCRow{})},
		{queueTextSchema, bytes.SplitAfter(AppendQueues(nil, 0, []QueueHist{{Counts: []uint64{1}}}), []byte("\n"))[1]},
		{flowSchema, bytes.Split(contents(t, filepath.Join(baselines, "dumbbell4-hpcc", "flow.txt")), []byte("\n"))[1]},
		{topologySchema, bytes.Split(contents(t, filepath.Join(baselines, "dumbbell4-hpcc", "topology.txt")), []byte("\n"))[2]},
	} {
		if words := len(bytes.Fields(test.line)); words != len(test.schema.Columns) {
			t.Errorf("%s: %d words, %d columns", test.schema.File, words, len(test.schema.Columns))
		}
	}
}

// Keys of config.txt are described by the type of value that is written.
func TestConfigSchema(t *testing.T) {
	types := make(map[string]string)
	for _, c := range configColumns() {
		types[c.Name] = c.Type
	}
	for key, want := range map[string]string{
		"HAS_WIN": "0 or 1", "PACKET_PAYLOAD_SIZE": "number", "EWMA_GAIN": "decimal", "FLOW_FILE": "file", "KMAX_MAP": "words",
	} {
		if types[key] != want {
			t.Errorf("%s is %q, want %q", key, types[key], want)
		}
	}
}

// A link to a file that does not exist yet, as in a folder on another disk, also stays a link.
func TestOutputFollowsLinksToComingFiles(t *testing.T) {
	dir, disk := t.TempDir(), t.TempDir()
	file := filepath.Join(disk, "file")
	links := map[string]string{"absolute": file, "relative": "next", "next": "absolute"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"absolute", "relative"} {
		out, err := NewOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		create(t, out, name, name)
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		if got := string(contents(t, file)); got != name {
			t.Errorf("%s: the file holds %q", name, got)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		if got, err := os.Readlink(filepath.Join(dir, name)); got != to {
			t.Errorf("%s leads to %q, %v", name, got, err)
		}
	}
}

func TestOutputRefusesFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = out.Create("a")
	checkError(t, err, filepath.Join(dir, "a")+": there is a folder of this name: choose another one")
}

// An absolute name stands for itself, and is reported as it was given.
func TestOutputAbsoluteName(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	out, err := NewOutput("results")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	create(t, out, "a.txt", "first")
	create(t, out, filepath.Join(dir, "b.txt"), "second")
	if _, err := out.Create(filepath.Join(dir, "results", "a.txt")); err == nil || !strings.Contains(err.Error(), "two outputs are one file, this and results") {
		t.Errorf("the same file by another name: %v", err)
	}
	missing := filepath.Join(dir, "missing", "c.txt")
	if _, err := out.Create(missing); err == nil || !strings.Contains(err.Error(), "create "+missing+": ") {
		t.Errorf("got %v", err)
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := append(names(t, dir), names(t, "results")...); !slices.Equal(got, []string{"b.txt", "results", "a.txt"}) {
		t.Errorf("there are %q", got)
	}
}

// Files to be removed are removed by a Commit, and only by one.
func TestOutputRemoves(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.txt")
	for _, c := range []struct {
		name    string
		fails   bool
		end     func(*Output) error
		removed bool
	}{
		{"Abort", false, func(o *Output) error { o.Abort(); return nil }, false},
		{"a failure", true, (*Output).Commit, false},
		{"Commit", false, (*Output).Commit, true},
		{"Commit again", false, (*Output).Commit, true}, // the file is gone
	} {
		if c.name != "Commit again" {
			if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out, err := NewOutput(dir)
		if err != nil {
			t.Fatal(err)
		}
		f := create(t, out, "a.txt", "text")
		if c.fails {
			f.Finish(func() error { return errors.New("a reason") })
		}
		out.Remove(old)
		if err := c.end(out); (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := os.Stat(old); (err != nil) != c.removed {
			t.Errorf("after %s: %v", c.name, err)
		}
	}
}

// A file that cannot be removed is reported, and the new files are there all the same.
func TestOutputCannotRemove(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, out, "a.txt", "text")
	out.Remove(full)
	if err := out.Commit(); err == nil || !strings.Contains(err.Error(), full) {
		t.Errorf("got %v", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.txt", "full"}) {
		t.Errorf("after Commit: %v", got)
	}
}
