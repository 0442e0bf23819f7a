package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// section is a part of the specification with worked cases: numbered ones, then some with names.
type section struct {
	number, about string
	cases         int
	names         []string
}

// specified lists the worked cases of schemes, buffers and wire formats, by their numbers in the specification from which
// these were written. That is not part of the tree: the comment and the test of a case state it.
var specified = []section{
	{number: "1.5", about: "QCN", cases: 4},
	{number: "2", about: "QCN-T", cases: 3},
	{number: "3", about: "AF-QCN, FQCN and the adaptive byte counter", cases: 3},
	{number: "4.1", about: "DCQCN as published", cases: 5},
	{number: "4.2", about: "DCQCN in firmware", cases: 3},
	{number: "5", about: "DCQCN+", cases: 4},
	{number: "6", about: "DCTCP", cases: 4},
	{number: "7", about: "TIMELY", cases: 4},
	{number: "8", about: "HPCC and HPCC-PINT", cases: 4},
	{number: "9.5", about: "MPCC", cases: 4},
	{number: "10", about: "RCC", cases: 3},
	{number: "11", about: "InfiniBand", cases: 4},
	{number: "12", about: "DCMS", cases: 4},
	{number: "13", about: "Swift", cases: 4},
	{number: "14", about: "PowerTCP", cases: 3},
	{number: "15", about: "RoCC", cases: 4},
	{number: "16", about: "classics", names: []string{"CUBIC", "RCP", "XCP"}},
	{number: "17", about: "buffers and PFC", cases: 4},
	{number: "18", about: "RoCEv2", cases: 4, names: []string{"sizes"}},
}

func TestCheckCases(t *testing.T) {
	check(t, func(tr *tree) []finding { return checkCases(tr, specified) })
}

// checkCases is the rule that each case is named in the comment of a test that asserts it, as in
// "Check cases 9.5.2 and 18 sizes: ...", and that comments name no others.
func checkCases(tr *tree, specified []section) (found []finding) {
	named := make(map[string]bool)
	for _, s := range specified {
		for _, id := range s.ids() {
			named[id] = false
		}
	}
	for _, s := range tr.files {
		if !s.isTest() || s.dir() == "internal/lint" {
			continue
		}
		for _, at := range casesOf.FindAllSubmatchIndex(s.text, -1) {
			line := 1 + bytes.Count(s.text[:at[0]], []byte("\n"))
			for _, id := range separator.Split(string(s.text[at[2]:at[3]]), -1) {
				if _, ok := named[id]; !ok {
					found = append(found, finding{s.path, line, "there is no check case " + id, "name those that the test asserts"})
				}
				named[id] = true
			}
		}
	}
	for _, s := range specified {
		for _, id := range s.ids() {
			if !named[id] {
				what := fmt.Sprintf("no test names check case %s, of %s", id, s.about)
				found = append(found, finding{"internal/lint/checkcases_test.go", 1, what, `assert it under a comment "Check case ` + id + `: ..."`})
			}
		}
	}
	return found
}

var (
	casesOf   = regexp.MustCompile(`(?m)^// Check cases? ([^:\n]*):`)
	separator = regexp.MustCompile(`, | and `)
)

func (s *section) ids() (list []string) {
	for i := range s.cases {
		list = append(list, fmt.Sprintf("%s.%d", s.number, i+1))
	}
	for _, name := range s.names {
		list = append(list, s.number+" "+name)
	}
	return list
}

func TestCheckCasesNotices(t *testing.T) {
	text := strings.ReplaceAll("package a\n//# cases 1.1, 1.2 and 2 X: both\n//# case 1.4: none\n", "#", " Check")
	tr := &tree{files: []*source{example(t, "a/a_test.go", text)}}
	got := checkCases(tr, []section{{number: "1", about: "A", cases: 3}, {number: "2", names: []string{"X"}}})
	expect(t, got, "3 there is no check case 1.4", "1 no test names check case 1.3, of A")
}
