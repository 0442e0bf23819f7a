package lint

import (
	"bytes"
	"go/ast"
	"strings"
	"testing"
)

const (
	maxFunction = 70  // lines, with signature and closing brace
	maxFile     = 400 // lines
)

// oversize lists the files and functions ("file:function") that may be longer, with the reason.
var oversize = map[string]string{}

func TestSizes(t *testing.T) {
	check(t, func(tr *tree) (found []finding) {
		used := make(map[string]bool)
		for _, s := range tr.files {
			found = append(found, sizes(s, oversize, used)...)
		}
		for name := range oversize {
			if !used[name] {
				found = append(found, finding{"internal/lint/size_test.go", 1, "the exception for " + name + " is not needed", "delete it"})
			}
		}
		return found
	})
}

// sizes is the rule that functions and files are short enough to be read. It notes the
// exceptions that it uses.
func sizes(s *source, allowed map[string]string, used map[string]bool) (found []finding) {
	if n := bytes.Count(s.text, []byte("\n")); n > maxFile {
		if used[s.path] = true; allowed[s.path] == "" {
			found = append(found, finding{s.path, n, "the file is longer than 400 lines", "split it by idea"})
		}
	}
	for _, d := range s.syntax.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n := s.line(f.End()) - s.line(f.Pos()) + 1
		name := s.path + ":" + f.Name.Name
		if n <= maxFunction {
			continue
		}
		if used[name] = true; allowed[name] == "" {
			found = append(found, s.at(f.Pos(), "split it so that it fits a screen", "%s has %d lines, more than 70", f.Name.Name, n))
		}
	}
	return found
}

func TestSizesNotices(t *testing.T) {
	body := strings.Repeat("\n", maxFunction-1)
	s := example(t, "core/x.go", "package core\nfunc a() {"+body+"}\nfunc b() {\n"+body+"}\nfunc c() {\n"+body+"}\n")
	used := make(map[string]bool)
	expect(t, sizes(s, map[string]string{"core/x.go:c": "a reason"}, used), "72 b has 71 lines")
	if !used["core/x.go:c"] {
		t.Error("the exception for c is not noted")
	}
	long := example(t, "core/x.go", "package core"+strings.Repeat("\n", maxFile+1))
	expect(t, sizes(long, nil, used), "401 longer than 400")
}
