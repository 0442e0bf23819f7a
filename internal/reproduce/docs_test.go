package reproduce

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// docRow is a line of a table of results in docs/reproduce.md.
type docRow struct {
	paper                  int // number of the section
	what, published        string
	ours, deviation, found string
}

// document reads docs/reproduce.md: its rows of results, and for each paper the counts of its first
// table.
func document(t *testing.T) (text string, rows []docRow, counts [][2]int) {
	t.Helper()
	b, err := os.ReadFile("../../docs/reproduce.md")
	if err != nil {
		t.Fatal(err)
	}
	paper := -2 // before the result, and its section
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "## ") {
			paper++
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case paper == -1 && len(cells) == 3:
			agree, err1 := strconv.Atoi(cells[1])
			differ, err2 := strconv.Atoi(cells[2])
			if err1 == nil && err2 == nil {
				counts = append(counts, [2]int{agree, differ})
			}
		case len(cells) == 5 && (cells[4] == string(Agrees) || cells[4] == string(Differs)):
			rows = append(rows, docRow{paper, cells[0], cells[1], cells[2], cells[3], cells[4]})
		}
	}
	return string(b), rows, counts
}

// The page of results has every published value once, in the words of published.yaml, with the verdict that follows
// from our value; and its counts are right.
func TestDocument(t *testing.T) {
	text, rows, counts := document(t)
	all, err := published()
	if err != nil {
		t.Fatal(err)
	}
	claims := make(map[string][]claim) // by the description in a row
	for _, e := range Experiments() {
		for _, c := range all[e.Name] {
			cells := (&Result{Experiment: &e}).judge(&c, c.Published)
			key := strings.Join(cells.cells()[:2], "|")
			claims[key] = append(claims[key], c)
		}
	}
	verdicts := make([][2]int, len(counts))
	for _, row := range rows {
		key := row.what + "|" + row.published
		if len(claims[key]) == 0 {
			t.Errorf("%q, published %s: no such claim, or more rows than claims", row.what, row.published)
			continue
		}
		c := claims[key][0]
		claims[key] = claims[key][1:]
		verdicts[row.paper][map[string]int{string(Agrees): 0, string(Differs): 1}[row.found]]++
		row.check(t, &c)
	}
	for key, left := range claims {
		if len(left) > 0 {
			t.Errorf("%q: %d claims without a row", key, len(left))
		}
	}
	var sum [2]int
	for i := range verdicts {
		sum[0], sum[1] = sum[0]+verdicts[i][0], sum[1]+verdicts[i][1]
	}
	verdicts[len(verdicts)-1] = sum
	if !slices.Equal(counts, verdicts) {
		t.Errorf("the first table counts %d, the rows are %d", counts, verdicts)
	}
	said := fmt.Sprintf("Of %d judged values %d agree (%.0f %%)", sum[0]+sum[1], sum[0], 100*float64(sum[0])/float64(sum[0]+sum[1]))
	if !strings.Contains(text, said) {
		t.Errorf("the page does not say %q", said)
	}
}

// check requires that verdict and deviation follow from a row's numbers, to the precision of their digits.
func (row *docRow) check(t *testing.T, c *claim) {
	t.Helper()
	ours, err := strconv.ParseFloat(row.ours, 64)
	if row.ours == number(math.Inf(1)) {
		ours, err = math.Inf(1), nil
	}
	if err != nil {
		t.Errorf("%s: ours is %q", row.what, row.ours)
		return
	}
	r := &Result{Experiment: &Experiment{}}
	want := r.judge(c, ours)
	if string(want.Verdict) != row.found {
		t.Errorf("%s: ours %s, published %s: %s, not %s", row.what, row.ours, row.published, want.Verdict, row.found)
	}
	const near = 0.2 // percent: numbers have four digits
	said, err1 := percentOf(row.deviation)
	computed, err2 := percentOf(want.cells()[3])
	if (err1 == nil) != (err2 == nil) || err1 == nil && max(said-computed, computed-said) > max(near, 2e-3*computed) {
		t.Errorf("%s: deviation %s, by its numbers %s", row.what, row.deviation, want.cells()[3])
	}
}

var percentage = regexp.MustCompile(`^[+-][0-9.]+ %$`)

func percentOf(text string) (float64, error) {
	if !percentage.MatchString(text) {
		return 0, fmt.Errorf("%q: not a deviation", text)
	}
	return strconv.ParseFloat(strings.TrimSuffix(text, " %"), 64)
}
