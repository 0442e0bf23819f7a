package lint

import (
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestLists(t *testing.T) { check(t, lists) }

// lists is the rule that every scheme of the catalog has a row in the table of docs/schemes.md, and that the list at the
// top of README.md names it: itself, an alias, or the scheme of which it is a form, as hpcc-window is of hpcc.
func lists(tr *tree) (found []finding) {
	const steps, page = "docs/schemes.md", "README.md"
	top := schemeList.FindString(string(tr.texts[page]))
	names := func(name string) bool {
		return regexp.MustCompile(`(?i)(^|[^\w-])` + regexp.QuoteMeta(name) + `($|[^\w+-])`).MatchString(top)
	}
	for _, e := range entries(tr) {
		if !regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(e[0]) + `(,[^|]*)? \|`).Match(tr.texts[steps]) {
			found = append(found, finding{steps, 1, "no row for " + e[0], "add one with the cost of its step"})
		}
		form := slices.ContainsFunc(entries(tr), func(other []string) bool {
			return (strings.HasPrefix(e[0], other[0]+"-") || strings.HasSuffix(e[0], "-"+other[0])) && slices.ContainsFunc(other, names)
		})
		if e[0] != "none" && !form && !slices.ContainsFunc(e, names) {
			found = append(found, finding{page, 1, "the list of schemes at the top does not name " + e[0], "add it"})
		}
	}
	return found
}

// schemeList is the list of schemes in README.md.
var schemeList = regexp.MustCompile(`(?m)^The schemes are [^;]*;`)

// entries returns name and aliases of each scheme of the catalog.
func entries(tr *tree) (all [][]string) {
	const aliases = 5 // arguments of row before them
	for _, s := range tr.files {
		if s.path != "algorithms/catalog/table.go" {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.Ident); !ok || f.Name != "row" || len(call.Args) < aliases {
				return true
			}
			var e []string
			for _, arg := range append(call.Args[:1:1], call.Args[aliases:]...) {
				text, err := strconv.Unquote(arg.(*ast.BasicLit).Value)
				if err != nil {
					panic(err) // the parser has accepted it
				}
				e = append(e, text)
			}
			all = append(all, e)
			return false
		})
	}
	return all
}

func TestListsNotices(t *testing.T) {
	table := "package catalog\nfunc table() { _ = []Entry{row(`a`, ``, ``, x, y), row(`a-paper`, ``, ``, x, y), row(`b`, ``, ``, x, y, `b+`), row(`none`, ``, ``, x, y), row(`ab`, ``, ``, x, y)} }\n"
	tr := &tree{
		files: []*source{example(t, "algorithms/catalog/table.go", table)},
		texts: map[string][]byte{
			"README.md":       []byte("# qbb\n\nThe schemes are A\nand B+; others a b ab.\n"),
			"docs/schemes.md": []byte("| scheme | ns |\n|---|---|\n| a | 1 |\n| b, long | 2 |\n| none | 3 |\n| ab | |\n"),
		},
	}
	expect(t, lists(tr), "1 docs/schemes.md:1: no row for a-paper", "1 README.md:1: the list of schemes at the top does not name ab")
	if got := len(entries(&tree{files: tr.files})); got != 5 {
		t.Errorf("%d entries", got)
	}
}
