// Package lint holds the rules of the tree that a compiler does not check. They are tests:
// `go test ./internal/lint` reads every file of the module and prints a line per violation,
//
//	file:line: what is wrong; what to do
//
// # Rules
//
//	imports    who may import whom (layers_test.go); import "C" in cgo and bindings alone
//	folders    README.md's table of folders says what each builds on
//	state      core, algorithms and devices keep no package-level mutable state and have no
//	           init functions
//	calls      they start no goroutines, and format text for errors, panics and String methods
//	           only
//	portable   files have the same bytes on every processor: no product is fused with a sum,
//	           elementary functions are those of core/portable, columns of Parquet are plain
//	licences   every module is in a table with its licence, which its LICENSE file confirms;
//	           a library linked into a GPL-2.0-only program holds MIT and BSD code alone
//	format     gofmt; every package has one package comment, every exported identifier a comment
//	size       functions of at most 70 lines, files of at most 400
//	words      no notes to self, no paths of one machine
//	schemes    every scheme has a manual, is in the catalog, passes the conformance suite and has
//	           the cost of its step measured
//	lists      README.md names every scheme, and docs/schemes.md has a row for it
//	plots      a script draws each scheme's rates in four scenes
//	cases      every worked case of the specification is named by the test that asserts it
//	walk       the files that docs/add-a-scheme.md shows compile, pass and keep these rules
//
// Exceptions are rows in the rules' own tables, each with its reason; a row that is no longer
// needed is a violation too.
package lint
