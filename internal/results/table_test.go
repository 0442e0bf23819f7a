package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// describe writes a table on lines: label, then flows and mean of the median for every run.
func describe(table []Class) (lines []string) {
	for _, c := range table {
		line := c.Label
		for _, r := range c.Rows {
			line += fmt.Sprintf(" %d:%v", r.Flows, r.Values[0].Mean)
		}
		lines = append(lines, line)
	}
	return lines
}

// Each flow is counted once, in the range of its size and with its tag; ranges without flows are left out.
func TestTables(t *testing.T) {
	a, b, second := seeded("h", 1), seeded("d", 1), seeded("h", 2)
	a.Flows = []Flow{{Bytes: 999, Slowdown: 1, Tag: "y"}, {Bytes: 1000, Slowdown: 3, Tag: "x"}, {Bytes: 10_000_000, Slowdown: 5}}
	second.Flows = []Flow{{Bytes: 1001, Slowdown: 7, Tag: "x"}}
	b.Flows = []Flow{{Bytes: 9999, Slowdown: 2, Tag: "x"}}
	a.others = []*Run{second}
	runs := []*Run{a, b}
	if got, want := describe(BySize(runs)), []string{"<1KB 1:1 0:0", "1KB-10KB 2:5 1:2", ">=10MB 1:5 0:0", "all 4:5 1:2"}; !slices.Equal(got, want) {
		t.Errorf("by size: %q, want %q", got, want)
	}
	if got, want := describe(ByTag(runs)), []string{"no tag 1:5 0:0", "x 2:5 1:2", "y 1:1 0:0"}; !slices.Equal(got, want) {
		t.Errorf("by tag: %q, want %q", got, want)
	}
	if got := ByTag([]*Run{b}); got != nil {
		t.Errorf("of one tag: %q", describe(got))
	}
}

// The time of a class is from the first start to the last end of its flows, seed by seed.
func TestTimes(t *testing.T) {
	a, second := seeded("h", 1), seeded("h", 2)
	a.Flows = []Flow{{Start: 50, FCT: 60, Tag: "x"}, {Start: 20, FCT: 80, Tag: "x"}, {Start: 5, FCT: 10, Tag: "y"}}
	second.Flows = []Flow{{Start: 7, FCT: 100, Tag: "x"}}
	a.others = []*Run{second}
	var got []float64
	for _, c := range append(ByTag([]*Run{a}), BySize([]*Run{a})...) {
		got = append(got, c.Rows[0].Time.Mean, float64(c.Rows[0].Time.N))
	}
	if want := []float64{(90 + 100) / 2, 2, 10, 1, (105 + 100) / 2., 2, (105 + 100) / 2., 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Flows that did not finish have no time, nor do those of any class that they belong to, nor all flows; another seed, in
// which they did, has one.
func TestTimesOfUnfinished(t *testing.T) {
	a, second := seeded("h", 1), seeded("h", 2)
	a.Flows = []Flow{{Bytes: 10, FCT: 60, Tag: "x"}, {Bytes: 5000, FCT: 80, Tag: "y"}}
	a.missing = []Flow{{Bytes: 20, Tag: "x"}, {Bytes: 1 << 30, Tag: "z"}}
	second.Flows = []Flow{{Bytes: 10, FCT: 100, Tag: "x"}}
	a.others = []*Run{second}
	runs := []*Run{a}
	var got []string
	for _, c := range append(ByTag(runs), BySize(runs)...) {
		got = append(got, fmt.Sprint(c.Label, c.Rows[0].Time.Mean, c.Rows[0].Time.N, c.Rows[0].Flows))
	}
	if want := []string{"x100 1 2", "y80 1 1", "<1KB100 1 2", "1KB-10KB80 1 1", "all100 1 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if e := a.allFlows().Time; e.N != 1 || e.Mean != 100 {
		t.Errorf("all flows take %+v", e)
	}
	if err := Only(runs, "y"); err != nil || a.allFlows().Time.Mean != 80 {
		t.Errorf("%+v, %v", a.allFlows().Time, err)
	}
}

// The error for a wrong tag lists the existing ones, at most 20.
func TestKnownTags(t *testing.T) {
	for n, want := range map[int]string{20: ", t18, t19", 21: ", t18, t19 and 1 more", 25: ", t18, t19 and 5 more"} {
		r := seeded("h", 1)
		for i := range n {
			r.Flows = append(r.Flows, Flow{Tag: fmt.Sprintf("t%02d", n-1-i)})
		}
		if err := Only([]*Run{r}, "x"); err == nil || !strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), ": the tags are t00, t01, ") {
			t.Errorf("%d tags: %v", n, err)
		}
	}
}

// Invisible characters are escaped; letters of any language, and spaces, stay.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a \"b\" \\ é 种\u3000x": "a \"b\" \\ é 种\u3000x", "\x00\t\x7f\u0085": `\x00\t\x7f\u0085`, "\xe9a\xff": `\xe9a\xff`,
		"\u200b\u202e\ufffe\ufffd": `\u200b\u202e\ufffe` + "\ufffd",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A scenario becomes a list of dotted keys; a list is a single value with its content.
func TestSettings(t *testing.T) {
	got, err := SettingsOf("cc:\n  name: hpcc\n  params: {target: 0.95}\nnone: {}\necn:\n  thresholds:\n  - {rate: 25Gbps, kmin: 100KB}\n  - {rate: 50Gbps}\nlist: [1, 2]\nlinks: [{at: 1ms, down: 16-20, up: \"\"}, {at: 2ms, down: \"\", up: 16-20}]\nempty:\nseed: 7\n\"k\\e\": \"a\\tb\"\n")
	want := []Setting{{"cc.name", "hpcc"}, {"cc.params.target", "0.95"}, {"none", ""}, {"ecn.thresholds", "rate 25Gbps, kmin 100KB; rate 50Gbps"}, {"list", "1; 2"}, {"links", "at 1ms, down 16-20; at 2ms, up 16-20"}, {"empty", ""}, {"seed", "7"}, {`k\x1b`, `a\tb`}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
