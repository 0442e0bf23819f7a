package lint

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	walkPage   = "docs/add-a-scheme.md"
	walkScheme = "algorithms/decbit" // the scheme that it adds
)

// TestWalk follows the walk of docs/add-a-scheme.md: the files that it shows, laid over the tree,
// obey the tree's rules, compile, and pass their tests, and its commands print what it says.
func TestWalk(t *testing.T) {
	tr, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, walkScheme)); err == nil {
		t.Skip(walkScheme + " is in the tree: the walk has been taken here")
	}
	w := newWalk(t, tr)
	w.checkRules(t, tr)
	if t.Failed() {
		return
	}
	if fused := fusedIn(t, root, []string{noProfile}, profiled, w.flag, "./"+walkScheme); len(fused) > 0 {
		t.Errorf("%s: arm64 fuses products with sums at %q", walkPage, fused)
	}
	w.run(t, root, "go", "test", w.flag, "-vet=off", "-c", "-o", w.path("scheme.test"), "./"+walkScheme)
	w.run(t, w.path(walkScheme), w.path("scheme.test"))
	w.run(t, root, "go", "test", w.flag, "-vet=off", "-count=1", "./algorithms/catalog")
	w.run(t, root, "go", "build", "-pgo=off", w.flag, "-o", w.path("qbb"), "./cmd/qbb")
	for _, c := range w.commands {
		line, want, _ := strings.Cut(c, "\n")
		args := strings.Fields(strings.TrimPrefix(line, "$ "))
		if got := w.run(t, w.folder, w.path(args[0]), args[1:]...); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s prints\n%s\n%s says\n%s", line, got, walkPage, want)
		}
	}
}

// walk is what the page shows, in a folder of its own.
type walk struct {
	folder   string
	files    map[string]string // by path in the tree
	commands []string          // each with its output
	flag     string            // lays the files over the tree
}

func newWalk(t *testing.T, tr *tree) *walk {
	w := &walk{folder: t.TempDir(), files: make(map[string]string)}
	for b := range codeBlocks(string(tr.texts[walkPage])) {
		switch {
		case b.lang == "console":
			w.commands = append(w.commands, b.text)
		case b.path == "":
		case b.lang == "diff":
			text, ok := w.files[b.path]
			if !ok {
				text = string(tr.texts[b.path])
			}
			if w.files[b.path], ok = insertLines(text, b.text); !ok {
				t.Fatalf("%s: the line before those to be added to %s is not there once", walkPage, b.path)
			}
		default:
			w.files[b.path] = b.text
		}
	}
	w.write(t)
	return w
}

// write makes the files, and the list that lays them over the tree.
func (w *walk) write(t *testing.T) {
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	replace := make(map[string]string)
	for name, text := range w.files {
		replace[filepath.Join(top, name)] = w.path(name)
		if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(w.path("overlay.json"), list, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.flag = "-overlay=" + w.path("overlay.json")
}

func (w *walk) path(name string) string { return filepath.Join(w.folder, name) }

// checkRules checks the tree with the walk's files against the rules for schemes and files.
func (w *walk) checkRules(t *testing.T, tr *tree) {
	with := &tree{texts: maps.Clone(tr.texts)}
	for _, s := range tr.files {
		if _, replaced := w.files[s.path]; !replaced {
			with.files = append(with.files, s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		with.texts[name] = []byte(w.files[name])
		if filepath.Ext(name) == ".go" {
			with.files = append(with.files, example(t, name, w.files[name]))
		}
	}
	for _, rule := range []func(*tree) []finding{schemes, plots, eachFile(gofmt), eachFile(imports), eachFile(text)} {
		for _, f := range rule(with) {
			t.Errorf("%s: %v", walkPage, f)
		}
	}
}

// run runs a command and returns what it printed.
func (w *walk) run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// codeBlock is a fenced block: ```lang path.
type codeBlock struct{ lang, path, text string }

// codeBlocks yields the fenced blocks of a page.
func codeBlocks(page string) func(yield func(codeBlock) bool) {
	return func(yield func(codeBlock) bool) {
		var b codeBlock
		inside := false
		for line := range strings.Lines(page) {
			info, fence := strings.CutPrefix(line, "```")
			switch {
			case fence && inside:
				if !yield(b) {
					return
				}
				inside = false
			case fence:
				lang, path, _ := strings.Cut(strings.TrimSpace(info), " ")
				b, inside = codeBlock{lang: lang, path: path}, true
			case inside:
				b.text += line
			}
		}
	}
}

// insertLines adds the lines of a difference that begin with + after the difference's first line,
// which must occur in the text exactly once.
func insertLines(text, diff string) (string, bool) {
	before, added, _ := strings.Cut(diff, "\n")
	before = strings.TrimPrefix(before, " ")
	lines := strings.Split(text, "\n")
	at := slices.Index(lines, before)
	if at < 0 || slices.Contains(lines[at+1:], before) {
		return "", false
	}
	var more []string
	for line := range strings.Lines(added) {
		more = append(more, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "+"))
	}
	return strings.Join(slices.Insert(lines, at+1, more...), "\n"), true
}

func TestWalkNotices(t *testing.T) {
	page := "```go a/b.go\nx\n```\ntext\n```\ny\n```\n"
	blocks := slices.Collect(codeBlocks(page))
	if want := []codeBlock{{"go", "a/b.go", "x\n"}, {"", "", "y\n"}}; !slices.Equal(blocks, want) {
		t.Errorf("%q has blocks %q, want %q", page, blocks, want)
	}
	if got, ok := insertLines("a\nb\nc\n", " b\n+d\n+e\n"); !ok || got != "a\nb\nd\ne\nc\n" {
		t.Errorf("got %q, %v", got, ok)
	}
	if _, ok := insertLines("a\nb\nb\n", " b\n+d\n"); ok {
		t.Error("insertLines takes a line that occurs twice for a place")
	}
}
