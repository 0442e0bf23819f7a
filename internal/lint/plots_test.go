package lint

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestPlots(t *testing.T) { check(t, plots) }

// scenes are the runs that a scheme's script draws.
var scenes = []struct {
	about string
	run   *regexp.Regexp
}{
	{"one flow", regexp.MustCompile(`(?m)^run flows=1 `)},
	{"a flow that joins", regexp.MustCompile(`(?m)^run flows=2 .*\bfrom=\S*[1-9]`)},
	{"a flow that leaves", regexp.MustCompile(`(?m)^run flows=2 .*\bto=\S*[1-9]`)},
	{"an 8-to-1 incast", regexp.MustCompile(`(?m)^run flows=8 `)},
}

// drawing marks a script that draws.
var drawing = regexp.MustCompile(`(?m)^run `)

// plots is the rule that for each scheme of the catalog a script draws the rates of one flow, of one that joins
// another, of one that leaves another, and of an incast.
func plots(tr *tree) (found []finding) {
	table := tr.texts["algorithms/catalog/table.go"]
	for _, dir := range catalogued(tr) {
		schemes := len(regexp.MustCompile(`\W`+path.Base(dir)+`\.New`).FindAll(table, -1))
		scripts := 0
		for name, text := range tr.texts {
			if !strings.HasPrefix(name, dir+"/testdata/") || !drawing.Match(text) {
				continue
			}
			scripts++
			for _, s := range scenes {
				if !s.run.Match(text) {
					found = append(found, finding{name, 1, "does not draw " + s.about, "add a run"})
				}
			}
		}
		if scripts < schemes {
			what := fmt.Sprintf("%d scripts draw the rates of %d schemes", scripts, schemes)
			found = append(found, finding{dir + "/testdata", 1, what, "add a script with runs for each"})
		}
	}
	return found
}

func TestPlotsNotices(t *testing.T) {
	table := "package catalog\nimport _ \"" + modulePath + "/algorithms/a\"\nvar _ = row(a.New, a.NewB)\n"
	tr := &tree{
		files: []*source{example(t, "algorithms/catalog/table.go", table)},
		texts: map[string][]byte{
			"algorithms/catalog/table.go":     []byte(table),
			"algorithms/a/testdata/steps.txt": []byte("start\nack t=1us\n"),
			"algorithms/a/testdata/plots.txt": []byte("run flows=1 for=1ms\n\nrun flows=2 from=0,3us to=0,never\n\nrun flows=8 for=1ms\n"),
		},
	}
	expect(t, plots(tr), "1 algorithms/a/testdata/plots.txt:1: does not draw a flow that leaves", "1 1 scripts draw the rates of 2 schemes")
}
