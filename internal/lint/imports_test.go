package lint

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestImports(t *testing.T) { check(t, eachFile(imports)) }

// imports is the rule that a file imports only what the table allows its package, and C only where
// a C interface lives. Tests may import what they test with.
func imports(s *source) (found []finding) {
	row, ok := layerOf(s.dir())
	if !ok {
		return []finding{s.at(s.syntax.Package, "give it one in internal/lint/layers_test.go", "package %s has no row in the import table", s.dir())}
	}
	for _, spec := range s.syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err) // the parser has accepted it
		}
		do := "move the code to a layer that may, or pass what it needs as an argument"
		if (p == "C" || p == "unsafe") && !row.c {
			found = append(found, s.at(spec.Pos(), "only cgo and bindings may", "%s imports %q", s.dir(), p))
		} else if !s.isTest() && !row.allows(s.dir(), p) {
			found = append(found, s.at(spec.Pos(), do, "%s may not import %q", s.dir(), p))
		}
	}
	return found
}

// allows reports whether a package of the row may import another.
func (l *layer) allows(dir, p string) bool {
	if rel, ok := strings.CutPrefix(p, modulePath+"/"); ok {
		if rel == "algorithms/algotest" {
			return false // it belongs to tests
		}
		return rel != dir && slices.ContainsFunc(l.own, func(o string) bool { return matches(o, rel) })
	}
	if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
		return under(p, l.modules...)
	}
	return l.std == nil || slices.Contains(l.std, p) || l.c && (p == "C" || p == "unsafe")
}

// TestLayersPointOneWay requires that no row of the table allows what a later row describes.
func TestLayersPointOneWay(t *testing.T) {
	for i, l := range layers {
		for _, later := range layers[i+1:] {
			if slices.Contains(l.own, later.dir) && later.dir != "algorithms/*" {
				t.Errorf("row %s names %s, which comes after it", l.dir, later.dir)
			}
		}
	}
}

func TestImportsNotices(t *testing.T) {
	for _, c := range []struct{ name, path, want string }{
		{"core/x.go", "math/bits", ""},
		{"core/x.go", "time", "3 core may not import"},
		{"core/x.go", modulePath + "/core/topo", "3 core may not import"},
		{"core/engine/x.go", modulePath + "/core", ""},
		{"core/engine/x.go", modulePath + "/core/topo", "3 may not import"},
		{"algorithms/hpcc/x.go", modulePath + "/algorithms", ""},
		{"algorithms/hpcc/x.go", modulePath + "/algorithms/dcqcn", "3 may not import"},
		{"algorithms/hpcc/x.go", "math/rand", "3 may not import"},
		{"algorithms/hpcc/x_test.go", "os", ""},
		{"algorithms/catalog/x.go", modulePath + "/algorithms/dcqcn", ""},
		{"algorithms/catalog/x.go", modulePath + "/algorithms/algotest", "3 may not import"},
		{"devices/nic/x.go", modulePath + "/devices/switching", "3 may not import"},
		{"devices/nic/x.go", "sync", "3 may not import"},
		{"traces/tables/x.go", parquet + "/compress/zstd", ""},
		{"traces/x.go", parquet, "3 may not import"},
		{"traces/tables/x.go", parquet + "x", "3 may not import"},
		{"cgo/x.go", "C", ""},
		{"cgo/x.go", parquet, "3 may not import"},
		{"cmd/qbb/x.go", "C", "3 only cgo and bindings"},
		{"cmd/qbb/x.go", modulePath + "/core/engine", "3 may not import"},
		{"elsewhere/x.go", "os", "1 has no row"},
	} {
		s := example(t, c.name, "package x\n\nimport "+strconv.Quote(c.path)+"\n")
		var want []string
		if c.want != "" {
			want = append(want, c.want)
		}
		t.Run(c.name+" "+c.path, func(t *testing.T) { expect(t, imports(s), want...) })
	}
}
