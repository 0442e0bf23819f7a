package lint

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	root       = "../.."
	modulePath = "github.com/qbb-sim/qbb"
)

// finding is a violation of a rule.
type finding struct {
	path     string // relative to the module, with slashes
	line     int
	what, do string
}

// String is the line that a test prints.
func (f finding) String() string { return fmt.Sprintf("%s:%d: %s; %s", f.path, f.line, f.what, f.do) }

// source is a Go file.
type source struct {
	path   string
	text   []byte
	syntax *ast.File
	fset   *token.FileSet
}

// parse makes a source of a file's text.
func parse(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return &source{name, text, f, fset}, err
}

func (s *source) dir() string { return path.Dir(s.path) }

func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s *source) line(p token.Pos) int { return s.fset.Position(p).Line }

// at makes a finding at a place in the file.
func (s *source) at(p token.Pos, do, what string, args ...any) finding {
	return finding{s.path, s.line(p), fmt.Sprintf(what, args...), do}
}

// tree is the input of the rules.
type tree struct {
	texts map[string][]byte // files that are text, by path
	files []*source
}

// load reads the tree once for all tests.
var load = sync.OnceValues(func() (*tree, error) {
	t := &tree{texts: make(map[string][]byte)}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(filepath.Clean(file), filepath.Clean(root)+string(filepath.Separator)))
		if d.IsDir() {
			if skipped(name) {
				return fs.SkipDir
			}
			return nil
		}
		if name == ".git" || !d.Type().IsRegular() { // .git: of a worktree
			return nil
		}
		return t.add(file, name)
	})
	return t, err
})

// skipped reports whether a folder holds no sources of ours: version control, build output, and the
// measured files of the reference simulator.
func skipped(dir string) bool {
	return slices.Contains([]string{".git", "bin", "build", "results", "testdata/baselines", "bindings/build"}, dir)
}

func (t *tree) add(file, name string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if slices.Contains(text[:min(len(text), 8000)], 0) {
		return nil
	}
	t.texts[name] = text
	if path.Ext(name) != ".go" {
		return nil
	}
	s, err := parse(name, text)
	if err != nil {
		return err
	}
	t.files = append(t.files, s)
	return nil
}

// packages are the Go files by folder.
func (t *tree) packages() map[string][]*source {
	m := make(map[string][]*source)
	for _, s := range t.files {
		m[s.dir()] = append(m[s.dir()], s)
	}
	return m
}

// check fails the test with the findings of a rule in the tree.
func check(t *testing.T, rule func(*tree) []finding) {
	t.Helper()
	tr, err := load()
	if err != nil {
		t.Fatal(err)
	}
	found := rule(tr)
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.what, b.what))
	})
	for _, f := range found {
		t.Error(f)
	}
}

// eachFile turns a rule for a file into one for the tree.
func eachFile(rule func(*source) []finding) func(*tree) []finding {
	return func(t *tree) (found []finding) {
		for _, s := range t.files {
			found = append(found, rule(s)...)
		}
		return found
	}
}

// under reports whether a folder is one of others or lies in one of them.
func under(dir string, others ...string) bool {
	return slices.ContainsFunc(others, func(o string) bool { return dir == o || strings.HasPrefix(dir, o+"/") })
}

// expect fails the test if a rule's findings in a small example are not those wanted, each given
// by its line and a part of its text.
func expect(t *testing.T, found []finding, want ...string) {
	t.Helper()
	for i := range max(len(found), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("not expected: %v", found[i])
		case i >= len(found):
			t.Errorf("not found: %s", want[i])
		default:
			line, text, _ := strings.Cut(want[i], " ")
			if fmt.Sprint(found[i].line) != line || !strings.Contains(found[i].String(), text) {
				t.Errorf("found %v, want line %s and %q", found[i], line, text)
			}
		}
	}
}

// example parses the text of a small example.
func example(t *testing.T, name, text string) *source {
	t.Helper()
	s, err := parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
