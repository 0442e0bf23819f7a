package scenario

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the tables of docs/theory.md")

// law is a closed form of a scheme's behaviour, and a network in which to check it.
type law struct {
	scheme string
	says   string // what is predicted, with its unit
	source string
	where  string
	by     string    // what varies
	at     []float64 // from run to run
	// try returns the predicted value and the simulated one.
	try func(t *testing.T, x float64) (predicted, simulated float64)
	// The two may differ by a fraction of the prediction, and by a constant that may grow with x, in its unit.
	share, fixed, each float64
	why                string // what theory neglects
}

// table is a part of docs/theory.md.
type table struct {
	heading string
	laws    []law
}

// The schemes behave as analysis predicts, and docs/theory.md shows it.
func TestTheory(t *testing.T) {
	rows := make([][]string, len(theory)) // empty: not tried, when -run chooses some
	for g, group := range theory {
		rows[g] = make([]string, len(group.laws))
		for i := range group.laws {
			l, row := &group.laws[i], &rows[g][i]
			t.Run(l.scheme+" "+l.says, func(t *testing.T) {
				t.Parallel()
				*row = l.check(t)
			})
		}
	}
	t.Cleanup(func() { // after the subtests
		var text strings.Builder
		for g, group := range theory {
			if slices.Contains(rows[g], "") {
				return
			}
			text.WriteString("## " + group.heading + "\n\n| scheme | prediction (source) | where | predicted | simulated | may differ by: reason |\n|---|---|---|---:|---:|---|\n")
			text.WriteString(strings.Join(rows[g], "\n") + "\n\n")
		}
		if !t.Failed() {
			document(t, text.String())
		}
	})
}

// check tries a law, and returns its row of the page.
func (l *law) check(t *testing.T) string {
	var at, predicted, simulated []string
	for _, x := range l.at {
		p, s := l.try(t, x)
		if room := l.share*p + l.fixed + l.each*x; max(p-s, s-p) > room {
			t.Errorf("%s %v: %.4g, predicted %.4g +- %.2g (%s)", l.by, x, s, p, room, l.source)
		}
		at = append(at, fmt.Sprintf("%.4g", x))
		predicted, simulated = append(predicted, fmt.Sprintf("%.4g", p)), append(simulated, fmt.Sprintf("%.4g", s))
	}
	list := func(x []string) string { return strings.Join(x, ", ") }
	return fmt.Sprintf("| %s | %s (%s) | %s; %s %s | %s | %s | %s: %s |",
		l.scheme, l.says, l.source, l.where, l.by, list(at), list(predicted), list(simulated), l.margin(), l.why)
}

// margin is how far prediction and simulation may be apart, in words.
func (l *law) margin() string {
	var parts []string
	if l.share > 0 {
		parts = append(parts, fmt.Sprintf("%.3g %%", 100*l.share))
	}
	if l.fixed > 0 {
		parts = append(parts, fmt.Sprintf("%.3g", l.fixed))
	}
	if l.each > 0 {
		parts = append(parts, fmt.Sprintf("%.3g a flow", l.each))
	}
	return strings.Join(parts, " and ")
}

// document requires that the page has exactly these tables between its introduction and its last heading.
func document(t *testing.T, tables string) {
	t.Helper()
	const page, last = "../../docs/theory.md", "## Beyond the tables\n"
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), "## ")
	now, after, ended := strings.Cut("## "+rest, last)
	if !ok || !ended {
		t.Fatalf("%s has no tables before %q", page, last)
	}
	if now != tables {
		if !*rewrite {
			t.Errorf("the tables of %s should be (-rewrite writes them)\n%s", page, tables)
			return
		}
		write(t, page, before+tables+last+after)
	}
}

// perFlows tries a law with x flows.
func perFlows(c incast, look func(v *steady, n float64) (predicted, simulated float64)) func(*testing.T, float64) (float64, float64) {
	return func(t *testing.T, x float64) (float64, float64) {
		c.n = int(x)
		v := c.run(t)
		return look(&v, x)
	}
}

// root is the zero of a function that falls from above 0 at low to below 0 at high.
func root(f func(float64) float64, low, high float64) float64 {
	for range 100 {
		if middle := (low + high) / 2; f(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
