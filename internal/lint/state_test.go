package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// machines are the folders whose packages are state machines.
var machines = []string{"core", "algorithms", "devices"}

func isMachine(s *source) bool {
	return under(s.dir(), machines...) && !under(s.dir(), "algorithms/algotest") && !s.isTest()
}

func TestState(t *testing.T) {
	check(t, func(tr *tree) (found []finding) {
		for _, files := range tr.packages() {
			found = append(found, state(files)...)
		}
		return found
	})
}

// state is the rule that a machine's package has no mutable state and no init functions. Lacking
// types it goes by names: a variable may be blank, an error, or an unexported table with a value
// that nothing in the package assigns to or takes the address of.
func state(pkg []*source) (found []finding) {
	changed := make(map[string]bool)
	for _, s := range pkg {
		if isMachine(s) {
			collectChanged(s.syntax, changed)
		}
	}
	for _, s := range pkg {
		if !isMachine(s) {
			continue
		}
		for _, d := range s.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					found = append(found, s.at(d.Pos(), "make the value where it is needed, or a constant table", "init function in %s", s.dir()))
				}
			case *ast.GenDecl:
				found = append(found, s.variables(d, changed)...)
			}
		}
	}
	return found
}

func (s *source) variables(d *ast.GenDecl, changed map[string]bool) (found []finding) {
	if d.Tok != token.VAR {
		return nil
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, name := range v.Names {
			var value ast.Expr
			if i < len(v.Values) {
				value = v.Values[i]
			}
			if name.Name == "_" || isError(value) && !changed[name.Name] {
				continue
			}
			if value == nil || name.IsExported() || changed[name.Name] {
				found = append(found, s.at(name.Pos(), "keep it in a struct that the run owns; a table must be unexported and never assigned",
					"package variable %s can change", name.Name))
			}
		}
	}
	return found
}

// isError reports whether an expression creates an error.
func isError(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	pkg, name := selector(c.Fun)
	return pkg == "errors" && name == "New" || pkg == "fmt" && name == "Errorf"
}

// selector returns the two names of an expression a.b.
func selector(e ast.Expr) (pkg, name string) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := sel.X.(*ast.Ident); ok {
			return x.Name, sel.Sel.Name
		}
	}
	return "", ""
}

// collectChanged adds the names whose values a file assigns, increments or takes the address of,
// whole or in part.
func collectChanged(f *ast.File, changed map[string]bool) {
	note := func(e ast.Expr) {
		if name := baseName(e); name != "" {
			changed[name] = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					note(e)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"copy", "clear", "delete"}, f.Name) {
				note(n.Args[0])
			}
		}
		return true
	})
}

// baseName is the variable of which an expression is a part.
func baseName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return ""
		}
	}
}

func TestStateNotices(t *testing.T) {
	s := example(t, "core/x.go", strings.TrimSpace(`
package core
var _ I = (*T)(nil)
var ErrFull = errors.New("full")
var names = [...]string{"a", "b"}
var sizes = [4]int{}
var Public = [4]int{}
var count int
var cache = map[string]int{}
var errLate = errors.New("late")
func init() {}
func f() { sizes[2]++; x := names[0]; cache[x], errLate = 1, nil }
`))
	expect(t, state([]*source{s}), "5 sizes", "6 Public", "7 count", "8 cache", "9 errLate", "10 init function")
}
