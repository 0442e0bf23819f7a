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

// loaded is a run of a scheme, which determines the marking, at a load, which determines the buffer.
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
	for _, cc := range []string{"hpcc", "dcqcn"} {
		for _, load := range []string{"0.7", "0.3", "0.5"} {
			for seed := range uint64(2) {
				r := loaded(cc, load, seed)
				r.dir = fmt.Sprintf("%s-%s-%d", cc, load, seed)
				runs = append(runs, r)
			}
		}
	}
	f, err := Trend(join(runs), "load")
	if err != nil {
		t.Fatal(err)
	}
	if f.Title != "Slowdown by load" || f.X.Label != "load" || f.Y.Label != "Slowdown" || f.Y.Unit != figure.Ratio || !f.Marks || f.About == "" {
		t.Errorf("title %q, axes %+v and %+v, marks %v, about %q", f.Title, f.X, f.Y, f.Marks, f.About)
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

// Slowdowns, or their intervals, beyond 20 make the axis logarithmic. No interval ends below 1.
func TestTrendOfLargeSlowdowns(t *testing.T) {
	for name, c := range map[string]struct {
		seeds []float64 // slowdown
		log   bool
	}{"one seed": {[]float64{20}, false}, "one high seed": {[]float64{21}, true}, "two seeds": {[]float64{10, 22}, true}} {
		var runs []*Run
		for _, load := range []string{"0.3", "0.5"} {
			var of []*Run
			for seed, v := range c.seeds {
				r := loaded("hpcc", load, uint64(seed))
				r.Flows = []Flow{{Bytes: 1, Slowdown: v}}
				of = append(of, r)
			}
			of[0].others = of[1:]
			runs = append(runs, of[0])
		}
		trend, err := Trend(runs, "load")
		for _, f := range []figure.Figure{trend, slowdownChart(runs)} {
			if err != nil || (f.Y.Scale == figure.Log) != c.log {
				t.Errorf("%s, %s: scale %v, %v", name, f.ID, f.Y.Scale, err)
			}
			if s := &f.Series[0]; len(c.seeds) > 1 && (s.Low[0] != 1 || s.Y[0] != 16 || s.High[0] < 90) {
				t.Errorf("%s, %s: %+v", name, f.ID, s)
			}
		}
	}
}

// The time of a collective is from its first start to its last end; the axis has the numbers in which patterns differ.
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
	if f.Title != "Time by patterns" || f.Y.Label != "Completion time of all" || f.About == "" {
		t.Errorf("title %q, axis %+v, about %q", f.Title, f.Y, f.About)
	}
	if _, err := TimeTrend(runs, "load"); err == nil {
		t.Error("runs without the key have a trend")
	}
	for _, r := range runs {
		r.Flows = nil
	}
	if none, err := TimeTrend(runs, "patterns"); err != nil || none.Empty != "In no run did all flows finish." || len(none.Series) != 0 {
		t.Errorf("without flows %q, %+v, %v", none.Empty, none.Series, err)
	}
}

// Times of single flows, of several schemes and seeds; thirty times the least makes the axis
// logarithmic.
func TestTimeTrendOfSchemes(t *testing.T) {
	var runs []*Run
	for _, cc := range []string{"hpcc", "dcqcn"} {
		for fan, ns := range map[string]float64{"8x1MB": 10, "16x1MB": 100} {
			r := &Run{Settings: []Setting{{"cc.name", cc}, {"incast", fan}}, Flows: []Flow{{FCT: ns}}}
			r.others = []*Run{{Flows: []Flow{{FCT: 29 * ns}}}}
			runs = append(runs, r)
		}
	}
	f, err := TimeTrend(runs, "incast")
	if err != nil || !slices.Equal(f.Names, []string{"hpcc", "dcqcn"}) || len(f.Series) != 2 || f.X.Label != "incast …x1MB" || f.Y.Scale == figure.Log {
		t.Fatalf("names %q, %d curves, axes %+v and %+v, %v", f.Names, len(f.Series), f.X, f.Y, err)
	}
	for i, s := range f.Series {
		if s.Name != i || !slices.Equal(s.X, []figure.Num{8, 16}) || !slices.Equal(s.Y, []figure.Num{150, 1500}) || s.Low[0] != 0 || s.High[0] < 300 {
			t.Errorf("curve %d: %+v", i, s)
		}
	}
	runs[0].Flows, runs[0].others[0].Flows = []Flow{{FCT: 45_000}}, nil // 30 times 1500
	runs[1].Flows, runs[1].others[0].Flows = []Flow{{FCT: 45_000}}, nil
	for _, r := range runs[2:] {
		r.Flows, r.others[0].Flows = []Flow{{FCT: 1500}}, nil
	}
	if f, err := TimeTrend(runs, "incast"); err != nil || f.Y.Scale != figure.Log {
		t.Errorf("axis %+v, %v", f.Y, err)
	}
}

// Values thirty times apart make the axis logarithmic, unless one of them is 0.
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

// Numbers without a unit are no ratios: their axis begins with the least of them, not where slowdown begins.
func TestTrendOfNumbers(t *testing.T) {
	for _, c := range []struct {
		before string
		texts  []string
		low    float64
		ticks  []string
	}{
		{"star:n=", []string{"60", "40", "50"}, 40, []string{"40", "45", "50", "55", "60"}},
		{"", []string{"0.3", "0.7"}, 0.3, []string{"0.3", "0.4", "0.5", "0.6", "0.7"}},
		{"", []string{"12", "-2"}, -2, []string{"0", "5", "10"}},
	} {
		var runs []*Run
		var values []float64
		for _, text := range c.texts {
			r := &Run{Settings: []Setting{{"cc.name", "hpcc"}, {"topology", c.before + text}}, Flows: []Flow{{Bytes: 1, Slowdown: 2, FCT: 3}}}
			v, _, _ := quantity(text)
			runs, values = append(runs, r), append(values, v)
		}
		for _, trend := range []func([]*Run, string) (figure.Figure, error){Trend, TimeTrend} {
			f, err := trend(runs, "topology")
			if err != nil {
				t.Fatal(err)
			}
			if s := figure.NewSpan(&f.X, values, 5); s.Low != c.low || !slices.Equal(s.Labels(f.X.Unit), c.ticks) {
				t.Errorf("%q: %s from %v with %q, want from %v with %q", c.texts, f.Title, s.Low, s.Labels(f.X.Unit), c.low, c.ticks)
			}
		}
	}
}

// The values of a key keep the unit in which they are written.
func TestQuantity(t *testing.T) {
	for text, want := range map[string]struct {
		value float64
		unit  figure.Unit
	}{
		"0.5": {0.5, figure.Count}, "-3": {-3, figure.Count}, "1.5us": {1500, figure.Time}, "2ps": {0.002, figure.Time},
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

// Curves are named by what distinguishes them, and nothing more.
func TestTrendNames(t *testing.T) {
	runs := []*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "0.5", 1), loaded("dcqcn", "0.3", 1), loaded("dcqcn", "0.5", 1)}
	if got := others(runs, "load"); !slices.Equal(got, []string{"hpcc", "hpcc", "dcqcn", "dcqcn"}) {
		t.Errorf("%q", got)
	}
	seeds := []*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "0.5", 3), loaded("dcqcn", "0.3", 2), loaded("dcqcn", "0.5", 4)}
	if got := others(seeds, "load"); !slices.Equal(got, []string{"hpcc", "hpcc", "dcqcn", "dcqcn"}) {
		t.Errorf("of other seeds: %q", got)
	}
	runs[1].Settings[len(runs[1].Settings)-1].Value = "0.9"
	if got := others(runs[:2], "seed"); !slices.Equal(got, []string{"load 0.3", "load 0.5"}) {
		t.Errorf("what follows from the load tells no more: %q", got)
	}
	runs[1].Settings[2].Value, runs[1].Settings[3].Value = runs[0].Settings[2].Value, runs[0].Settings[3].Value
	if got := others(runs[:2], "seed"); !slices.Equal(got, []string{"target 0.95", "target 0.9"}) {
		t.Errorf("a parameter has the last part of its name: %q", got)
	}
	runs[1] = loaded("hpcc", "0.5", 1)
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
		{"cc", "cc is a section: choose a key of it: cc.name, cc.params.target", []*Run{loaded("hpcc", "0.3", 1)}},
		{"load", "load is the same in all runs, apart from their seeds", []*Run{loaded("hpcc", "0.3", 1), loaded("dcqcn", "0.3", 1)}},
		{"seed", "seed: runs that differ only in it are one: choose another key", []*Run{loaded("hpcc", "0.3", 1), loaded("hpcc", "0.3", 2)}},
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
	if _, err := Trend(many, "load"); err == nil || err.Error() != "9 curves: a figure shows at most 8" {
		t.Error(err)
	}
}
