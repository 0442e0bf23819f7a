package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/slowdown"
)

// loaded is a run of a scheme, whose marking follows from it, at a load, whose buffer follows from that.
func loaded(cc, load string, seed uint64) *Run {
	r := seeded(cc, seed)
	r.Settings = append(r.Settings, Setting{"load", load}, Setting{"buffer", load + "0MB"}, Setting{"ecn.thresholds", "of " + cc})
	if cc == "hpcc" {
		r.Settings = append(r.Settings, Setting{"cc.params.target", "0.95"})
	}
	r.Flows = someFlows(int(100+10*seed), 1<<20)
	return r
}

// A curve has the values of the key in order, and the percentiles of all flows there.
func TestTrend(t *testing.T) {
	var runs []*Run
	var dirs []string
	for _, cc := range []string{"hpcc", "dcqcn"} {
		for _, load := range []string{"0.7", "0.3", "0.5"} {
			for seed := range uint64(2) {
				runs = append(runs, loaded(cc, load, seed))
				dirs = append(dirs, fmt.Sprintf("%s-%s-%d", cc, load, seed))
			}
		}
	}
	f, err := Trend(join(runs, dirs), "load")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Names, []string{"hpcc", "dcqcn"}) || len(f.Series) != 2*len(slowdown.Percentiles) || f.Empty != "" {
		t.Fatalf("%q, %d curves", f.Names, len(f.Series))
	}
	for _, s := range f.Series {
		var values []float64
		for seed := range uint64(2) {
			var of []float64
			for _, flow := range loaded("", "", seed).Flows {
				of = append(of, flow.Slowdown)
			}
			slices.Sort(of)
			values = append(values, slowdown.Percentile(of, slowdown.Percentiles[s.Variant]))
		}
		e := NewEstimate(values)
		for i, x := range []figure.Num{0.3, 0.5, 0.7} {
			if s.X[i] != x || s.Y[i] != figure.Num(e.Mean) || math.Abs(float64(s.High[i])-e.Mean-e.Half) > 1e-12 {
				t.Errorf("%+v, want %+v", s, e)
			}
		}
	}
	alone, err := Trend([]*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "0.5", 1)}, "buffer")
	if err != nil || alone.X.Unit != figure.Bytes || alone.Series[0].Low != nil || alone.Names[0] != "all runs" {
		t.Errorf("%+v, %v", alone, err)
	}
}

// The time of a collective is that from its first start to its last end; the axis has the numbers in which patterns differ.
func TestTimeTrend(t *testing.T) {
	var runs []*Run
	for _, c := range []struct {
		pattern string
		ends    float64
	}{{"ring:2MB", 50e6}, {"ring:512KB", 1e6}, {"ring:1MB", 3e6}} {
		r := &Run{Settings: []Setting{{"cc.name", "hpcc"}, {"patterns", c.pattern}}}
		r.Flows = []Flow{{Start: 1500, FCT: 100}, {Start: 2500, FCT: c.ends - 1000}, {Start: 3000, FCT: 10}}
		runs = append(runs, r)
	}
	f, err := TimeTrend(runs, "patterns")
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Series; len(s) != 1 || !slices.Equal(s[0].X, []figure.Num{512e3, 1e6, 2e6}) || !slices.Equal(s[0].Y, []figure.Num{1e6, 3e6, 50e6}) {
		t.Errorf("%+v", s)
	}
	if f.X.Label != "patterns ring:…" || f.X.Unit != figure.Bytes || f.Y.Unit != figure.Time || f.Y.Scale != figure.Log || f.Y.From != nil {
		t.Errorf("axes %+v and %+v", f.X, f.Y)
	}
	if near, err := TimeTrend(runs[1:], "patterns"); err != nil || near.Y.Scale == figure.Log || *near.Y.From != 0 {
		t.Errorf("axis %+v of near values, %v", near.Y, err)
	}
	for _, r := range runs {
		r.Flows = nil
	}
	if none, err := TimeTrend(runs, "patterns"); err != nil || none.Empty != noFlows || len(none.Series) != 0 {
		t.Errorf("without flows %q, %+v, %v", none.Empty, none.Series, err)
	}
}

// Of texts that differ in one number, the number counts.
func TestNumberInTexts(t *testing.T) {
	for _, c := range []struct {
		texts         []string
		before, after string
	}{
		{[]string{"8x300KB", "16x300KB"}, "", "x300KB"},
		{[]string{"8x300KB", "8x1MB", "8x30MB"}, "8x", ""},
		{[]string{"fat-tree:k=4", "fat-tree:k=16"}, "fat-tree:k=", ""},
		{[]string{"star:n=9,rate=25Gbps", "star:n=9,rate=1.6Tbps"}, "star:n=9,rate=", ""},
		{[]string{"all-to-all:4KB,3", "all-to-all:64KB,3"}, "all-to-all:", ",3"},
		{[]string{"1MB", "4MB"}, "", ""},
		{[]string{"8x300KB", "16x1MB"}, "", ""},
		{[]string{"hpcc", "dcqcn"}, "", ""},
		{[]string{"a1", "a"}, "", ""},
	} {
		if before, after := around(c.texts); before != c.before || after != c.after {
			t.Errorf("%q: %q, %q", c.texts, before, after)
		}
	}
}

// Values that lie thirty times apart stand on a logarithmic axis, unless one of them is 0.
func TestTrendScale(t *testing.T) {
	for high, log := range map[string]bool{"3": true, "2.99": false} {
		for low, positive := range map[string]bool{"0.1": true, "0": false} {
			f, err := Trend([]*Run{loaded("hpcc", high, 1), loaded("hpcc", low, 1), loaded("hpcc", "0.5", 1)}, "load")
			if err != nil || (f.X.Scale == figure.Log) != (log && positive) {
				t.Errorf("%s to %s: scale %v, %v", low, high, f.X.Scale, err)
			}
		}
	}
}

// The values of a key have the unit that they are written with.
func TestQuantity(t *testing.T) {
	for text, want := range map[string]struct {
		value float64
		unit  figure.Unit
	}{
		"0.5": {0.5, figure.Ratio}, "-3": {-3, figure.Ratio}, "1.5us": {1500, figure.Time}, "2ps": {0.002, figure.Time},
		"100Gbps": {1e11, figure.Rate}, "32MB": {32e6, figure.Bytes}, "4KiB": {4096, figure.Bytes},
	} {
		if v, unit, ok := quantity(text); !ok || v != want.value || unit != want.unit {
			t.Errorf("%s: %v %q %v, want %v %q", text, v, unit, ok, want.value, want.unit)
		}
	}
	if v, unit, ok := quantity("hpcc"); ok {
		t.Errorf("hpcc: %v %q", v, unit)
	}
}

// Curves are named by what tells them apart, and by no more.
func TestTrendNames(t *testing.T) {
	runs := []*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "0.5", 1), loaded("dcqcn", "0.3", 1), loaded("dcqcn", "0.5", 1)}
	if got := others(runs, "load"); !slices.Equal(got, []string{"hpcc", "hpcc", "dcqcn", "dcqcn"}) {
		t.Errorf("%q", got)
	}
	if got := others(runs, "cc.params.target"); !slices.Equal(got, []string{"load 0.3", "load 0.5", "load 0.3", "load 0.5"}) {
		t.Errorf("%q", got)
	}
}

func TestTrendMistakes(t *testing.T) {
	for _, c := range []struct {
		key, want string
		runs      []*Run
	}{
		{"lod", `x has no key "lod": did you mean load?`, []*Run{loaded("hpcc", "0.3", 1)}},
		{"load", "load is the same in all runs, but for their seeds", []*Run{loaded("hpcc", "0.3", 1), loaded("dcqcn", "0.3", 1)}},
		{"seed", "seed: runs that differ in it alone are one: choose another key", []*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "0.3", 2)}},
		{"cc.name", `x: cc.name "hpcc" is not a number`, []*Run{loaded("hpcc", "0.3", 1), loaded("dcqcn", "0.3", 1)}},
		{"patterns", `b: patterns "ring:2MB,linear:3MB" is not a number`, []*Run{
			{Name: "a", Settings: []Setting{{"patterns", "ring:1MB"}}}, {Name: "b", Settings: []Setting{{"patterns", "ring:2MB,linear:3MB"}}},
		}},
		{"load", `x: load "5us" is not a number, or not one of the same kind`, []*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "5us", 1)}},
	} {
		if _, err := Trend(c.runs, c.key); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.key, err)
		}
	}
	var many []*Run
	for k := range 2 * (figure.MaxNames + 1) {
		many = append(many, &Run{Summary: driver.Summary{}, Settings: []Setting{{"cc.name", fmt.Sprint("s", k/2)}, {"load", fmt.Sprint(k % 2)}}})
	}
	if f, err := Trend(many[:2*figure.MaxNames], "load"); err != nil || len(f.Names) != figure.MaxNames || f.Empty != noFlows {
		t.Errorf("%d curves of runs without flows: %v, %q", len(f.Names), err, f.Empty)
	}
	if _, err := Trend(many, "load"); err == nil || err.Error() != "9 curves: figures tell at most 8 apart" {
		t.Error(err)
	}
}
