package lint

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

func TestText(t *testing.T) { check(t, eachFile(text)) }

// text is the rule that machines format text off the hot path only: in errors, in panics, and in
// functions that return a string or an error.
func text(s *source) (found []finding) {
	if !isMachine(s) {
		return nil
	}
	for _, d := range s.syntax.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || returnsText(f.Type) {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "panic" {
				return false
			}
			if pkg, name := selector(c.Fun); pkg == "fmt" && name != "Errorf" {
				found = append(found, s.at(c.Pos(), "return an error or a record, or format in a String method", "%s calls fmt.%s", f.Name.Name, name))
			}
			return true
		})
	}
	return found
}

func returnsText(f *ast.FuncType) bool {
	if f.Results == nil {
		return false
	}
	return slices.ContainsFunc(f.Results.List, func(r *ast.Field) bool {
		id, ok := r.Type.(*ast.Ident)
		return ok && (id.Name == "string" || id.Name == "error")
	})
}

func TestThreads(t *testing.T) { check(t, eachFile(threads)) }

// threads is the rule that machines start no goroutines and use no channels.
func threads(s *source) (found []finding) {
	if !isMachine(s) {
		return nil
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType, *ast.SendStmt:
			found = append(found, s.at(n.Pos(), "answer the caller instead", "a goroutine or channel in a state machine"))
			return false
		}
		return true
	})
	return found
}

func TestTextNotices(t *testing.T) {
	s := example(t, "core/x.go", strings.TrimSpace(`
package core
func a() string { return fmt.Sprint(1) }
func b() { panic(fmt.Sprint(1)) }
func c() (int, error) { return 0, fmt.Errorf("%d", 1) }
func d() { err = fmt.Errorf("%d", 1) }
func e() { s := fmt.Sprint(1) }
`))
	expect(t, text(s), "6 e calls fmt.Sprint")
}

func TestThreadsNotices(t *testing.T) {
	s := example(t, "devices/x.go", strings.TrimSpace(`
package devices
func a() { go a() }
func b(c chan int) {}
func d() { select {} }
`))
	expect(t, threads(s), "2 goroutine", "3 channel", "4 channel")
}
