package lint

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestSchemes(t *testing.T) { check(t, schemes) }

// schemes is the rule that every scheme has a manual that names what differs from its source, is
// in the catalog, and has tests that run the conformance suite and measure a step.
func schemes(tr *tree) (found []finding) {
	listed := catalogued(tr)
	for dir := range tr.packages() {
		if path.Dir(dir) != "algorithms" || dir == "algorithms/catalog" || dir == "algorithms/algotest" {
			continue
		}
		doc := dir + "/doc.go"
		if _, ok := tr.texts[doc]; !ok {
			found = append(found, finding{doc, 1, "missing", "write the scheme's manual: rule, equations, differences from the paper"})
		} else if dir != "algorithms/none" && !bytes.Contains(bytes.ToLower(tr.texts[doc]), []byte("# differs from ")) {
			found = append(found, finding{doc, 1, "does not say in what the scheme differs from its source", `add a list "# Differs from the paper in"`})
		}
		if !slices.Contains(listed, dir) {
			found = append(found, finding{"algorithms/catalog/table.go", 1, dir + " is not in the catalog", "add a row"})
		}
		if !tests(tr, dir, "algotest.Scheme(") {
			found = append(found, finding{dir + "/conform_test.go", 1, "the conformance suite is not run", "call algotest.Scheme"})
		}
		if !tests(tr, dir, "algotest.BenchmarkStep(") {
			found = append(found, finding{dir + "/bench_test.go", 1, "the cost of a step is not measured", "call algotest.BenchmarkStep"})
		}
	}
	for _, dir := range listed {
		if _, ok := tr.packages()[dir]; !ok {
			found = append(found, finding{"algorithms/catalog/table.go", 1, dir + " does not exist", "delete its row"})
		}
	}
	return found
}

// catalogued returns the folders of the schemes that the catalog imports.
func catalogued(tr *tree) (dirs []string) {
	for _, s := range tr.files {
		if s.dir() != "algorithms/catalog" || s.isTest() {
			continue
		}
		for _, spec := range s.syntax.Imports {
			dir, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), modulePath+"/")
			if ok && path.Dir(dir) == "algorithms" {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// tests reports whether the tests of a folder contain a call.
func tests(tr *tree, dir, call string) bool {
	return slices.ContainsFunc(tr.files, func(s *source) bool {
		return s.dir() == dir && s.isTest() && bytes.Contains(s.text, []byte(call))
	})
}

func TestSchemesNotices(t *testing.T) {
	tr := &tree{texts: map[string][]byte{"algorithms/a/doc.go": []byte("// # Differs from the paper in\npackage a")}}
	for _, f := range [][2]string{
		{"algorithms/a/doc.go", "package a"},
		{"algorithms/a/a_test.go", "package a_test\nfunc f() { algotest.Scheme(nil, nil); algotest.BenchmarkStep(nil, nil, nil) }"},
		{"algorithms/b/b.go", "package b"},
		{"algorithms/catalog/table.go", "package catalog\nimport _ \"" + modulePath + "/algorithms/a\""},
	} {
		tr.files = append(tr.files, example(t, f[0], f[1]))
	}
	expect(t, schemes(tr), "1 algorithms/b/doc.go", "1 algorithms/b is not in the catalog", "1 algorithms/b/conform_test.go", "1 algorithms/b/bench_test.go")
}
