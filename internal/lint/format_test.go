package lint

import (
	"bytes"
	"go/ast"
	"go/format"
	"strings"
	"testing"
)

func TestGofmt(t *testing.T) { check(t, eachFile(gofmt)) }

// gofmt is the rule that files are formatted by gofmt.
func gofmt(s *source) []finding {
	want, err := format.Source(s.text)
	if err != nil {
		return []finding{{s.path, 1, err.Error(), "make it compile"}}
	}
	if bytes.Equal(s.text, want) {
		return nil
	}
	w, line := bytes.Split(want, []byte("\n")), 1
	for i, l := range bytes.Split(s.text, []byte("\n")) {
		if i >= len(w) || !bytes.Equal(l, w[i]) {
			line = i + 1
			break
		}
	}
	return []finding{{s.path, line, "not formatted", "run gofmt -w " + s.path}}
}

func TestDocs(t *testing.T) {
	check(t, func(tr *tree) (found []finding) {
		for _, files := range tr.packages() {
			found = append(found, docs(files)...)
		}
		return found
	})
}

// docs is the rule that a package has one doc comment, its manual, and that exported identifiers have doc comments. A
// constant or variable may have it at the end of its line, or share its group's.
func docs(pkg []*source) (found []finding) {
	documented, first := false, (*source)(nil)
	for _, s := range pkg {
		if s.isTest() {
			continue
		}
		if first == nil {
			first = s
		}
		if documented && s.syntax.Doc != nil {
			found = append(found, s.at(s.syntax.Package, "move it to the other", "package %s has a second package comment", s.dir()))
		}
		documented = documented || s.syntax.Doc != nil
		for _, d := range s.syntax.Decls {
			for _, id := range undocumented(d) {
				found = append(found, s.at(id.Pos(), "say what it is, with its unit and its source", "%s has no doc comment", id.Name))
			}
		}
	}
	if first != nil && !documented {
		found = append(found, first.at(first.syntax.Package, "write its manual in doc.go", "package %s has no package comment", first.dir()))
	}
	return found
}

func undocumented(d ast.Decl) (ids []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && spec.Doc == nil && d.Doc == nil {
					ids = append(ids, spec.Name)
				}
			case *ast.ValueSpec:
				if spec.Doc != nil || spec.Comment != nil || d.Doc != nil {
					continue
				}
				for _, name := range spec.Names {
					if name.IsExported() {
						ids = append(ids, name)
					}
				}
			}
		}
	}
	return ids
}

// receiver returns the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			panic("lint: a receiver of unknown form")
		}
	}
}

func TestFormatNotices(t *testing.T) {
	s := example(t, "core/x.go", strings.TrimSpace(`
package core

// A is documented.
type A[T any] struct{}

func (a *A[T]) Loud()  {}
func (b b) Quiet()   {}

const (
	C = 1 // fine
	D = 2
)

// G and H are documented.
var G, H = 1, 2

func F() {}
`)+"\n")
	expect(t, docs([]*source{s}), "6 Loud", "11 D", "17 F", "1 package core")
	expect(t, gofmt(s), "6 not formatted")
	one, two := example(t, "core/y.go", "// Package y is.\npackage y\n"), example(t, "core/z.go", "// Package y is.\npackage y\n")
	expect(t, docs([]*source{one, two}), "2 core/z.go:2: package core has a second package comment")
}
