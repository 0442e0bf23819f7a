package results

import (
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
)

// A network of which no ports or only some have series, as is the default for a large one, is drawn without time, since
// the other ports would look idle; and a figure of ports says so if no port was chosen.
func TestPortsWithoutSeries(t *testing.T) {
	rows := leafSpine()
	rows[0].TxBytes, rows[1].TxBytes = 1000, 1000
	first := track{subject{rows[0].Node, rows[0].Port, -1}, []seriesPoint{{0, 1, 2, 2, 2}}}
	second := track{subject{rows[1].Node, rows[1].Port, -1}, first.points}
	whole := track{subject{-1, -1, -1}, first.points}
	const none = "No ports were chosen: qbb run --set series.ports=all, or of a large network those of interest, such as 16:0,17:2."
	for _, c := range []struct {
		ports  string
		tracks []track
		steps  int
		want   string
	}{
		{"auto", []track{first, second}, pictureSteps, ""},
		{"0:0", []track{first}, 0, ""},
		{"0:3", nil, 0, "It was zero in all samples."},
		{"auto", nil, 0, none},
		{"none", nil, 0, none},
	} {
		r := &Run{ports: rows, Settings: []Setting{{"series.interval", "10us"}, {"series.ports", c.ports}}}
		r.series = map[string][]track{traces.MetricFairness: {whole}, traces.MetricThroughput: c.tracks}
		if p, _ := NewPicture([]*Run{r}); p.Steps != c.steps {
			t.Errorf("%s: a picture of %d steps", c.ports, p.Steps)
		}
		for _, k := range Kinds() {
			if k.Name != "throughput" {
				continue
			}
			if f := k.Figure([]*Run{r}); f.Empty != c.want {
				t.Errorf("%s: %q, want %q", c.ports, f.Empty, c.want)
			}
		}
	}
}

// Figures over time show what the series hold: the deepest queues first, and all runs.
func TestOverTime(t *testing.T) {
	runs, err := Load(sample.Two(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		if k.Name != "queue" {
			continue
		}
		f := k.Figure(runs)
		if len(f.Variants) != mostVariants || len(f.Hidden) != mostVariants-1 {
			t.Errorf("%q, hidden %v", f.Variants, f.Hidden)
		}
		deepest := 0.0
		for _, r := range runs {
			for i := range r.series[traces.MetricQueue] {
				deepest = max(deepest, r.series[traces.MetricQueue][i].mean())
			}
		}
		first := 0.0
		for _, s := range f.Series {
			if s.Variant == 0 {
				first = max(first, runs[s.Name].track(traces.MetricQueue, overTime()[0].subjects(runs)[0]).mean())
			}
			for i := range s.X {
				if !(s.Low[i] <= s.Y[i] && s.Y[i] <= s.High[i]) {
					t.Fatalf("point %d: %v %v %v", i, s.Low[i], s.Y[i], s.High[i])
				}
			}
		}
		if first != deepest || deepest == 0 {
			t.Errorf("the first port has a mean of %v, the fullest %v", first, deepest)
		}
		one := k.Figure(runs[:1])
		p := overTime()[0].subjects(runs[:1])[0]
		at := slices.IndexFunc(runs[0].ports, func(row traces.PortRow) bool { return row.Node == p.node && row.Port == p.port })
		if want := (port{p.node, p.port, runs[0].ports[at].Peer}).String(); one.Names[0] != want {
			t.Errorf("the first port is called %q, want %q", one.Names[0], want)
		}
		if len(one.Names) != mostSubjects || len(one.Variants) != 0 || len(one.Hidden) != 0 {
			t.Errorf("one run: names %q, variants %q", one.Names, one.Variants)
		}
	}
}

// The ports of a single run are names, in the order of their means; the ports of several runs are variants, each once.
// Flows are sorted by number.
func TestNamesOverTime(t *testing.T) {
	points := func(mean float64) []seriesPoint { return []seriesPoint{{0, 1, mean, 0, 9}} }
	series := map[string][]track{
		traces.MetricThroughput: {{subject{10, 0, -1}, points(2)}, {subject{10, 1, -1}, points(3)}},
		traces.MetricGoodput:    {{subject{-1, -1, 7}, points(3)}, {subject{-1, -1, 2}, points(1)}, {subject{-1, -1, 4}, points(2)}},
	}
	r := &Run{Name: "x", ports: leafSpine(), series: series}
	for _, c := range []struct {
		f               figure.Figure
		names, variants []string
		series          []figure.Series
	}{
		{draw("throughput", r), []string{"10 → 2 (port 1)", "10 → 0 (port 0)"}, nil, []figure.Series{{Y: []figure.Num{3}}, {Name: 1, Y: []figure.Num{2}}}},
		{draw("throughput", r, r), []string{"x", "x"}, []string{"10 → 2 (port 1)", "10 → 0 (port 0)"}, []figure.Series{
			{Y: []figure.Num{3}}, {Variant: 1, Y: []figure.Num{2}}, {Name: 1, Y: []figure.Num{3}}, {Name: 1, Variant: 1, Y: []figure.Num{2}},
		}},
		{draw("goodput", r), []string{"flow 2", "flow 4", "flow 7"}, nil, []figure.Series{{Y: []figure.Num{1}}, {Name: 1, Y: []figure.Num{2}}, {Name: 2, Y: []figure.Num{3}}}},
	} {
		if !slices.Equal(c.f.Names, c.names) || !slices.Equal(c.f.Variants, c.variants) || len(c.f.Series) != len(c.series) {
			t.Errorf("%s: names %q, variants %q, %d curves", c.f.ID, c.f.Names, c.f.Variants, len(c.f.Series))
			continue
		}
		for i, s := range c.f.Series {
			if want := c.series[i]; s.Name != want.Name || s.Variant != want.Variant || !slices.Equal(s.Y, want.Y) {
				t.Errorf("%s, curve %d: %+v, want %+v", c.f.ID, i, s, want)
			}
		}
	}
}

// A point is in the middle of its part of time, counted from the first flow's start.
func TestPointsOverTime(t *testing.T) {
	tr := &track{points: []seriesPoint{{1900, 150, 1, 0, 2}, {2050, 100, 3, 2, 4}}}
	for _, band := range []bool{false, true} {
		s := tr.curve(2000, 4, 5, band)
		if s.Name != 4 || s.Variant != 5 || !slices.Equal(s.X, []figure.Num{0, 100}) || !slices.Equal(s.Y, []figure.Num{1, 3}) || (s.Low != nil) != band {
			t.Errorf("%+v", s)
		}
		if band && (!slices.Equal(s.Low, []figure.Num{0, 2}) || !slices.Equal(s.High, []figure.Num{2, 4})) {
			t.Errorf("band %v to %v", s.Low, s.High)
		}
	}
}

func TestSubjectNames(t *testing.T) {
	r := &Run{ports: leafSpine(), tags: map[int32]string{7: "", 8: "victim"}}
	for want, s := range map[string]subject{
		"flow 0": {-1, -1, 0}, "flow 7": {-1, -1, 7}, "flow 8 (victim)": {-1, -1, 8}, "10 → 2 (port 1)": {10, 1, -1}, "11 → 20 (port 2)": {11, 2, -1}, "port 1 of 0": {0, 1, -1},
	} {
		if got := r.subjectName(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The descriptions of exactly those figures that have a band mention it.
func TestBandsAreTold(t *testing.T) {
	r := loadedRun(t, 1)
	drawn := 0
	for _, k := range Kinds() {
		f := k.Figure([]*Run{r})
		for _, s := range f.Series {
			drawn++
			if told := strings.Contains(f.About, "the band spans") || strings.Contains(f.About, "The band spans"); told != (s.Low != nil) {
				t.Errorf("%s: %d points with a band; it says %q", k.Name, len(s.Low), f.About)
			}
		}
	}
	if drawn < 15 {
		t.Errorf("%d curves are too few to tell", drawn)
	}
}

// A figure without curves says what was not recorded, or that it was zero.
func TestWhyEmpty(t *testing.T) {
	const (
		none    = "No time series were recorded: qbb run --series 10us."
		zero    = "It was zero in all samples."
		noPorts = "No ports were chosen: qbb run --set series.ports=all, or of a large network those of interest, such as 16:0,17:2."
		noFlows = "No flows were chosen: qbb run --series-flows largest:8."
		neither = "No time series were recorded: qbb run --series 10us --series-flows largest:8."
	)
	one := []track{{}}
	for name, c := range map[string]struct {
		ports               string
		series              map[string][]track
		network, port, flow string
	}{
		"nothing recorded": {"auto", nil, none, none, neither},
		"no ports":         {"none", map[string][]track{traces.MetricFairness: one}, zero, noPorts, noFlows},
		"ports":            {"all", map[string][]track{traces.MetricFairness: one}, zero, zero, noFlows},
		"no traffic":       {"auto", map[string][]track{traces.MetricFairness: one}, zero, zero, noFlows},
		"flows":            {"none", map[string][]track{traces.MetricFairness: one, traces.MetricRate: one}, zero, noPorts, zero},
	} {
		r := &Run{Settings: []Setting{{"series.interval", "0s"}, {"series.ports", c.ports}}, series: c.series}
		for of, want := range []string{ofNetwork: c.network, ofPort: c.port, ofFlow: c.flow} {
			if got := (timeSeries{of: subjectKind(of)}).whyEmpty([]*Run{r}); got != want {
				t.Errorf("%s, of kind %d: %q, want %q", name, of, got, want)
			}
		}
	}
}

// A figure that has no samples says why.
func TestShortRun(t *testing.T) {
	shorter := &Run{Settings: []Setting{{"series.interval", "10us"}}}
	for name, want := range map[string]string{
		"queue": "The run was shorter than the time between its samples, series.interval.",
		"rate":  "No flows were chosen: qbb run --series-flows largest:8.",
	} {
		for _, k := range Kinds() {
			if f := k.Figure([]*Run{shorter}); k.Name == name && f.Empty != want {
				t.Errorf("%s: %q", k.Name, f.Empty)
			}
		}
	}
	shorter.Settings = append(shorter.Settings, Setting{"series.flows", "first:2"})
	if got := (timeSeries{of: ofFlow}).whyEmpty([]*Run{shorter}); got != "The run was shorter than the time between its samples, series.interval." {
		t.Errorf("flows that were chosen: %q", got)
	}
	r := &Run{Name: "x", series: map[string][]track{traces.MetricQueue: {{subject{1, 0, -1}, []seriesPoint{{0, 1, 2, 2, 2}}}}}}
	for _, k := range Kinds() {
		if k.Name != "flows" && k.Name != "fairness" {
			continue
		}
		if f := k.Figure([]*Run{r}); f.Empty != "The run was shorter than the time between its samples, series.fairness." {
			t.Errorf("%s: %q", k.Name, f.Empty)
		}
	}
}
