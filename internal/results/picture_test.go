package results

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
)

// leafSpine is a network of two leaves with two hosts each and a spine.
func leafSpine() (rows []traces.PortRow) {
	for _, l := range [][2]core.NodeID{{0, 10}, {1, 11}, {2, 10}, {3, 11}, {10, 20}, {11, 20}} {
		for i, n := range l {
			row := traces.PortRow{Node: n, Peer: l[1-i], RateBps: 8e9, NodeKind: traces.KindSwitch}
			if n < 10 {
				row.NodeKind = traces.KindHost
			}
			row.Port = int32(len(slices.DeleteFunc(slices.Clone(rows), func(r traces.PortRow) bool { return r.Node != n })))
			rows = append(rows, row)
		}
	}
	return rows
}

// Hosts lie at the bottom beside the others of their switch, every switch a row above.
func TestLayout(t *testing.T) {
	p, _ := NewPicture([]*Run{{ports: leafSpine()}})
	if p.Rows != 3 || len(p.Links) != 12 || p.Steps != 0 {
		t.Fatalf("%d rows, %d links, %d steps", p.Rows, len(p.Links), p.Steps)
	}
	var bottom []PictureNode
	for _, n := range p.Nodes {
		if want := map[bool]int{true: 0, false: 1}[n.Host]; n.ID != 20 && n.Row != want || n.ID == 20 && (n.Row != 2 || n.X != 0.5) {
			t.Errorf("%+v", n)
		}
		if n.Host {
			bottom = append(bottom, n)
		}
	}
	slices.SortFunc(bottom, func(a, b PictureNode) int { return int(8 * (a.X - b.X)) })
	var order []core.NodeID
	for _, n := range bottom {
		order = append(order, n.ID)
	}
	if !slices.Equal(order, []core.NodeID{0, 2, 1, 3}) {
		t.Errorf("hosts from left to right: %d", order)
	}
	for i, row := range leafSpine() {
		if l := p.Links[i]; p.Nodes[l.A].ID != row.Node || p.Nodes[l.B].ID != row.Peer {
			t.Errorf("link %d: %+v", i, l)
		}
	}
}

// Rows above the first lie over the middle of what they are linked to in the row below, whatever they are linked to
// elsewhere; what no host reaches lies at the bottom.
func TestLayoutOfUpperRows(t *testing.T) {
	var rows []traces.PortRow
	for _, l := range [][2]core.NodeID{
		{0, 10}, {1, 11}, {2, 12}, {10, 22}, {11, 21}, {12, 20}, {12, 22}, {20, 22}, {21, 31}, {20, 30}, {22, 30}, {10, 11}, {40, 41},
	} {
		for i, n := range l {
			row := traces.PortRow{Node: n, Peer: l[1-i], RateBps: 8e9, NodeKind: traces.KindSwitch}
			if n < 10 {
				row.NodeKind = traces.KindHost
			}
			rows = append(rows, row)
		}
	}
	p, _ := NewPicture([]*Run{{ports: rows}})
	got := make([][]core.NodeID, p.Rows)
	slices.SortFunc(p.Nodes, func(a, b PictureNode) int { return cmp.Compare(a.X, b.X) })
	for _, n := range p.Nodes {
		got[n.Row] = append(got[n.Row], n.ID)
	}
	// 21 over 11 in the middle and 22 between 10 and 12 come by number.
	want := [][]core.NodeID{{40, 41, 0, 1, 2}, {10, 11, 12}, {21, 22, 20}, {31, 30}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("rows %d, want %d", got, want)
	}
	for _, n := range p.Nodes {
		row := want[n.Row]
		if x := (float64(slices.Index(row, n.ID)) + 0.5) / float64(len(row)); n.X != x {
			t.Errorf("%+v: want %v", n, x)
		}
	}
}

// The middle of what a switch is linked to below is a mean, whatever the number of links there and above.
func TestLayoutByMeans(t *testing.T) {
	var rows []traces.PortRow
	for _, l := range [][2]core.NodeID{
		{0, 10}, {1, 11}, {2, 12}, {3, 13}, // at 1/8, 3/8, 5/8, 7/8
		{22, 10}, {21, 10}, {21, 12}, {20, 11}, {20, 12}, {20, 13}, {20, 30}, {20, 31}, {20, 32}, // at 1/8, 3/8, 5/8
	} {
		for i, n := range l {
			row := traces.PortRow{Node: n, Peer: l[1-i], RateBps: 8e9, NodeKind: traces.KindSwitch}
			if n < 10 {
				row.NodeKind = traces.KindHost
			}
			rows = append(rows, row)
		}
	}
	p, _ := NewPicture([]*Run{{ports: rows}})
	for _, n := range p.Nodes {
		if want := map[core.NodeID]float64{22: 1. / 6, 21: 0.5, 20: 5. / 6}[n.ID]; n.Row == 2 && n.X != want {
			t.Errorf("%+v, want %v", n, want)
		}
	}
}

// Means weigh parts of a series by their time, and the largest value is that of parts that are touched.
func TestTrackMeans(t *testing.T) {
	s := track{points: []seriesPoint{{at: 0, span: 10, mean: 2, high: 5}, {at: 10, span: 30, mean: 6, high: 7}}}
	if got := s.mean(); got != 5 {
		t.Errorf("mean %v, want 5", got)
	}
	for _, c := range []struct{ from, to, mean, high float64 }{{5, 20, 70. / 15, 7}, {0, 10, 2, 5}, {10, 40, 6, 7}, {9, 11, 4, 7}, {40, 60, 0, 0}} {
		if mean, high := s.over(c.from, c.to); mean != c.mean || high != c.high {
			t.Errorf("from %v to %v: %v and %v, want %v and %v", c.from, c.to, mean, high, c.mean, c.high)
		}
	}
	if got := new(track).mean(); got != 0 {
		t.Errorf("of nothing %v", got)
	}
}

// A letter stands for a share of the top, rounded up: the first for nothing alone, the last for all, and for more.
func TestEncode(t *testing.T) {
	if got := encode([]float64{0, 1, 500, 1000, 2000}, 1000); got != "ABg__" {
		t.Errorf("got %s, want ABg__", got)
	}
}

// Levels of the whole run come from the counters, those of the steps from the series.
func TestLevels(t *testing.T) {
	rows := leafSpine()
	rows[0].TxBytes, rows[0].PausedNs = 500_000, 1e6 // half of 8 Gb/s for 1 ms; paused all the time
	rows[0].MaxQueueBytes = 5000                     // a host's queue is no network's
	rows[1].MaxQueueBytes, rows[1].PausedNs = 1000, 5e5
	const start = 2e9 // of the first flow, as in the reference's cases: what was before does not count
	r := &Run{ports: rows, Summary: driver.Summary{Traffic: driver.TrafficTime{FromNs: start, ToNs: start + 1e6}}}
	r.series = map[string][]track{traces.MetricThroughput: {
		{subject: subject{0, 0, -1}, points: []seriesPoint{{0, start, 0, 0, 0}, {start, 5e5, 8e9, 8e9, 8e9}, {start + 5e5, 5e5, 0, 0, 0}}},
		{subject: subject{10, 0, -1}, points: []seriesPoint{{start, 1e6, 4e9, 4e9, 4e9}}},
	}}
	p, _ := NewPicture([]*Run{r})
	if p.Runs[0].Ns != 1e6 {
		t.Errorf("%v ns of traffic", p.Runs[0].Ns)
	}
	use := p.Runs[0].Levels[pictureUse][:p.Steps+1]
	if use[0] != letters[32] || use[1] != '_' || use[p.Steps/2] != '_' || use[p.Steps/2+1] != 'A' || use[p.Steps] != 'A' {
		t.Errorf("use of the first link: %s", use)
	}
	at := func(quantity, link int) byte { return p.Runs[0].Levels[quantity][link*(p.Steps+1)] }
	if part := p.Runs[0].Levels[pictureUse][p.Steps+2]; part != letters[32] || at(picturePaused, 1) != letters[32] || at(pictureQueue, 0) != 'A' {
		t.Errorf("half of the rate is %c, half of the time %c, a host's queue %c", part, at(picturePaused, 1), at(pictureQueue, 0))
	}
	if at(picturePaused, 0) != '_' || at(pictureQueue, 1) != '_' || p.Tops[pictureQueue] != 1000 || at(pictureUse, 1) != 'A' {
		t.Errorf("%c %c %v", at(picturePaused, 0), at(pictureQueue, 1), p.Tops)
	}
}

// Runs of different networks, and networks too large for a screen, have no picture, but a reason.
func TestNoPicture(t *testing.T) {
	for name, change := range map[string]func(row *traces.PortRow){
		"rate": func(row *traces.PortRow) { row.RateBps++ }, "peer": func(row *traces.PortRow) { row.Peer++ },
		"port": func(row *traces.PortRow) { row.Port++ }, "nothing": func(row *traces.PortRow) { row.TxBytes++ },
	} {
		other := leafSpine()
		change(&other[3])
		p, why := NewPicture([]*Run{{ports: leafSpine()}, {ports: other}})
		if name == "nothing" && (p == nil || len(p.Runs) != 2) || name != "nothing" && (p != nil || why != "The runs have different networks.") {
			t.Errorf("networks that differ in %s: picture %v, %q", name, p != nil, why)
		}
	}
	large := slices.Repeat(leafSpine(), 201)
	for want, runs := range map[string][]*Run{
		"It has 2412 ports; a picture tells at most 2400 apart.": {{ports: large}},
		"There are no ports.": {{}},
	} {
		if p, why := NewPicture(runs); p != nil || why != want {
			t.Errorf("picture %v, %q, want %q", p != nil, why, want)
		}
	}
}

// A network of whose ports only some have series, or none, as a large one by default, is drawn without time, in
// which the others would look idle; and a figure of ports that none was chosen for says so.
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

// Figures over time show what the series hold: the deepest queues first, all runs.
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

// The ports of a single run are names, in the order of their means; those of several runs variants, each once. Flows
// stand by number.
func TestNamesOverTime(t *testing.T) {
	points := func(mean float64) []seriesPoint { return []seriesPoint{{0, 1, mean, 0, 9}} }
	series := map[string][]track{
		traces.MetricThroughput: {{subject{10, 0, -1}, points(2)}, {subject{10, 1, -1}, points(3)}},
		traces.MetricGoodput:    {{subject{-1, -1, 7}, points(3)}, {subject{-1, -1, 2}, points(1)}, {subject{-1, -1, 4}, points(2)}},
	}
	r := &Run{Name: "x", ports: leafSpine(), series: series}
	kinds := Kinds()
	make := func(name string, runs ...*Run) figure.Figure {
		return kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })].Figure(runs)
	}
	for _, c := range []struct {
		f               figure.Figure
		names, variants []string
		series          []figure.Series
	}{
		{make("throughput", r), []string{"10 → 2 (port 1)", "10 → 0 (port 0)"}, nil, []figure.Series{{Y: []figure.Num{3}}, {Name: 1, Y: []figure.Num{2}}}},
		{make("throughput", r, r), []string{"x", "x"}, []string{"10 → 2 (port 1)", "10 → 0 (port 0)"}, []figure.Series{
			{Y: []figure.Num{3}}, {Variant: 1, Y: []figure.Num{2}}, {Name: 1, Y: []figure.Num{3}}, {Name: 1, Variant: 1, Y: []figure.Num{2}},
		}},
		{make("goodput", r), []string{"flow 2", "flow 4", "flow 7"}, nil, []figure.Series{{Y: []figure.Num{1}}, {Name: 1, Y: []figure.Num{2}}, {Name: 2, Y: []figure.Num{3}}}},
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

// A point stands in the middle of the part of time that it is of, counted from the first flow's start.
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
	r := &Run{ports: leafSpine()}
	for want, s := range map[string]subject{
		"flow 0": {-1, -1, 0}, "flow 7": {-1, -1, 7}, "10 → 2 (port 1)": {10, 1, -1}, "11 → 20 (port 2)": {11, 2, -1}, "port 1 of 0": {0, 1, -1},
	} {
		if got := r.subjectName(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Those figures have a band that say so.
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

// A figure without curves tells what was not recorded, or that it was zero.
func TestWhyEmpty(t *testing.T) {
	const (
		none    = "No time series were recorded: qbb run --series 10us."
		zero    = "It was zero in all samples."
		noPorts = "No ports were chosen: qbb run --set series.ports=all, or of a large network those of interest, such as 16:0,17:2."
		noFlows = "No flows were chosen: qbb run --series-flows largest:8."
	)
	one := []track{{}}
	for name, c := range map[string]struct {
		ports               string
		series              map[string][]track
		network, port, flow string
	}{
		"nothing recorded": {"auto", nil, none, none, noFlows},
		"no ports":         {"none", map[string][]track{traces.MetricFairness: one}, zero, noPorts, noFlows},
		"ports":            {"all", map[string][]track{traces.MetricFairness: one}, zero, zero, noFlows},
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
