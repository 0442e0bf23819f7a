package results

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// someFlows returns n flows of random sizes up to the given one, sorted by size.
func someFlows(n int, sizes int64) []Flow {
	random := rand.New(rand.NewPCG(uint64(n), uint64(sizes)))
	flows := make([]Flow, n)
	for i := range flows {
		flows[i] = Flow{Bytes: 1 + random.Int64N(sizes), FCT: math.Exp(9 * random.Float64()), Slowdown: 1 + random.Float64()}
	}
	slices.SortStableFunc(flows, bySize)
	return flows
}

// Groups hold every flow once, in order, have nearly equal numbers if sizes are spread over the logarithmic axis, and
// never share a size.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		flows  int
		sizes  int64
		groups int
	}{
		{0, 1, 0}, {1, 1, 1}, {9, 1 << 40, 1}, {20, 1 << 40, 2}, {250, 1 << 40, 20}, {10_000, 1 << 40, 20}, {1000, 1, 1}, {1000, 3, 3}, {9, 2, 2}, {3, 2, 1},
	} {
		flows := someFlows(c.flows, c.sizes)
		for i := range flows {
			if c.sizes > int64(c.flows) {
				flows[i].Bytes = int64(math.Exp2(40 * float64(i) / float64(c.flows)))
			}
		}
		all := groups(flows, 1)
		if len(all) != c.groups {
			t.Errorf("%+v: %d groups", c, len(all))
		}
		seen := 0
		for i, g := range all {
			part := flows[seen : seen+len(g.flows)]
			seen += len(part)
			if g.bytes != part[len(part)-1].Bytes || i > 0 && all[i-1].bytes >= part[0].Bytes {
				t.Errorf("%+v: group %d is cut wrong", c, i)
			}
			if want := c.flows / c.groups; c.sizes > int64(c.flows) && (len(part) < want || len(part) > want+1) {
				t.Errorf("%+v: group %d has %d flows, not %d", c, i, len(part), want)
			}
			if !slices.Equal(g.flows, part) {
				t.Errorf("%+v: group %d has other flows", c, i)
			}
		}
		if seen != c.flows {
			t.Errorf("%+v: %d flows are in groups", c, seen)
		}
	}
}

// Groups of nearly equal sizes are joined until they can be told apart on the axis, but never with those of other
// sizes.
func TestNearGroups(t *testing.T) {
	flows := make([]Flow, 2000)
	for i := range flows {
		flows[i].Bytes = 300 + int64(i)/5 // 300 to 659, and some large ones
		if i >= 1800 {
			flows[i].Bytes = 1_000_000 + int64(i)
		}
	}
	var ends []int64
	seen := 0
	for _, g := range groups(flows, 1) {
		ends = append(ends, g.bytes)
		seen += len(g.flows)
	}
	if want := []int64{359, 479, 659, 1_001_999}; !slices.Equal(ends, want) || seen != len(flows) {
		t.Errorf("groups up to %v with %d flows, want %v with %d", ends, seen, want, len(flows))
	}
}

// Sizes become groups if there are at most twenty, with two flows each on average, and a third apart.
func TestGroupsOfSizes(t *testing.T) {
	twenty := make([]int, 20)
	for i := range twenty {
		twenty[i] = 2 + i
	}
	for _, c := range []struct {
		flows []int // of 3, 4, 8, 16, ... bytes
		seeds int
		want  []int64 // ends
	}{
		{[]int{2, 2}, 1, []int64{3, 4}}, {[]int{1, 2}, 1, []int64{4}}, {[]int{2, 3}, 1, []int64{3, 4}},
		{twenty, 1, []int64{3, 4, 8, 16, 32, 64, 128, 256, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}},
		{slices.Repeat([]int{1}, 40), 1, []int64{1 << 10, 1 << 20, 1 << 30, 1 << 40}}, {slices.Repeat([]int{1}, 40), 2, []int64{1 << 20, 1 << 40}},
	} {
		var flows []Flow
		for i, n := range c.flows {
			flows = append(flows, slices.Repeat([]Flow{{Bytes: max(3, int64(1)<<(i+1))}}, n)...)
		}
		var got []int64
		for _, g := range groups(flows, c.seeds) {
			got = append(got, g.bytes)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v flows of %d seeds: groups up to %v, want %v", c.flows, c.seeds, got, c.want)
		}
	}
}

// Every point of the curve of completion times is the share found by counting.
func TestFCTCurve(t *testing.T) {
	for _, n := range []int{1, 2, 499, 500, 501, 7777} {
		flows := someFlows(n, 10)
		c := fctChart([]*Run{{Flows: flows}})
		s := c.Series[0]
		first := slices.MinFunc(flows, func(a, b Flow) int { return cmp.Compare(a.FCT, b.FCT) })
		if !c.Steps || *c.Y.From != 0 || *c.Y.To != 1 || s.X[0] != figure.Num(first.FCT) {
			t.Fatalf("%d flows: steps %v, axis from %v to %v, first at %v, want %v", n, c.Steps, *c.Y.From, *c.Y.To, s.X[0], first.FCT)
		}
		if len(s.X) != min(n, maxPoints) || s.Y[len(s.Y)-1] != 1 {
			t.Fatalf("%d flows: %d points, the last at %v", n, len(s.X), s.Y[len(s.Y)-1])
		}
		for i, x := range s.X {
			count := 0
			for _, f := range flows {
				if f.FCT <= float64(x) {
					count++
				}
			}
			if want := figure.Num(float64(count) / float64(n)); s.Y[i] != want {
				t.Fatalf("%d flows, point %d: got %v, want %v", n, i, s.Y[i], want)
			}
		}
	}
}

// A distribution of many bins keeps its points and its end, but no two points that coincide.
func TestQueueCurve(t *testing.T) {
	for _, n := range []int{1, 2, 300, 40_000} {
		r := &Run{}
		for i := range n {
			r.queues = append(r.queues, traces.QueueCDFRow{Node: traces.AllPorts, UpperBytes: int64(i+1) * 1000, Cumulative: float64(i+1) / float64(n)})
		}
		c := queueChart([]*Run{r})
		s := c.Series[0]
		if !c.Steps || *c.Y.From != 0 {
			t.Errorf("steps %v, axis from %v", c.Steps, *c.Y.From)
		}
		if len(s.X) > maxPoints || n <= 2 && len(s.X) != n {
			t.Errorf("%d bins: %d points", n, len(s.X))
		}
		for i := range s.X {
			if want := figure.Num(float64(s.X[i]) / 1000 / float64(n)); s.Y[i] != want {
				t.Errorf("%d bins: point %d is %v, %v", n, i, s.X[i], s.Y[i])
			}
		}
		if s.Y[len(s.Y)-1] != 1 {
			t.Errorf("%d bins: the curve ends at %v", n, s.Y[len(s.Y)-1])
		}
	}
}

// Of values that are spread over a logarithmic axis one is kept for each part of the axis.
func TestThin(t *testing.T) {
	const n = 10_000
	kept := 0
	for _, keep := range thin(n, func(k int) float64 { return 1000 * math.Exp(float64(k)/n) }) {
		if keep {
			kept++
		}
	}
	if kept != maxPoints-1 {
		t.Errorf("%d values kept, want %d", kept, maxPoints-1)
	}
}

// Ports are sorted by their largest value in any run; utilisation is bits divided by rate and time, at most 1, without
// those of flow control.
func TestBars(t *testing.T) {
	a := &Run{Summary: driver.Summary{EndNs: 9e6, Traffic: driver.TrafficTime{FromNs: 2e6, ToNs: 3e6}}, ports: []traces.PortRow{
		{Node: 0, Port: 0, Peer: 2, RateBps: 8e9, TxBytes: 260_000, PortXmitData: 62_500, PausedNs: 10},
		{Node: 1, Port: 0, Peer: 2, RateBps: 8e9, TxBytes: 1_001_000, PortXmitData: 250_250}, // the last packet was under way
		{Node: 2, Port: 1, Peer: 1, RateBps: 8e9},
	}}
	b := &Run{Summary: driver.Summary{EndNs: 1e6, Traffic: driver.TrafficTime{ToNs: 1e6}}, ports: []traces.PortRow{
		{Node: 0, Port: 0, Peer: 2, RateBps: 16e9, TxBytes: 500_000, PortXmitData: 125_000, PausedNs: 30},
		{Node: 2, Port: 0, Peer: 0, RateBps: 8e9, TxBytes: 900_000, PortXmitData: 187_500, PausedNs: 20},
	}}
	used := utilisationChart([]*Run{a, b})
	if want := []string{"1 → 2 (port 0)", "2 → 0 (port 0)", "0 → 2 (port 0)"}; !slices.Equal(used.Labels, want) {
		t.Errorf("got %q, want %q", used.Labels, want)
	}
	for i, want := range [][]figure.Num{{1, 0, 0.25}, {0, 0.75, 0.25}} {
		if got := used.Series[i].Y; !slices.Equal(got, want) {
			t.Errorf("utilisation of run %d: got %v, want %v", i, got, want)
		}
	}
	paused := pausedChart([]*Run{a, b})
	for i, want := range [][]figure.Num{{10, 0}, {30, 20}} {
		if got := paused.Series[i].Y; !slices.Equal(got, want) {
			t.Errorf("pauses of run %d: got %v, want %v", i, got, want)
		}
	}
	var many []traces.PortRow
	for i := range int32(100) {
		many = append(many, traces.PortRow{Port: i, PausedNs: float64(i + 1)})
	}
	top := pausedChart([]*Run{{ports: many}})
	if len(top.Labels) != topPorts || top.Labels[0] != "0 → 0 (port 99)" {
		t.Errorf("%d ports, first %s", len(top.Labels), top.Labels[0])
	}
}

// Every pause frame of the table is counted once, in the part of the traffic in which it arrived.
func TestPauseCurve(t *testing.T) {
	dirs := sample.Two(t)
	runs, err := Load(dirs)
	if err != nil {
		t.Fatal(err)
	}
	series := pauseChart(runs).Series
	if len(series) != len(dirs) {
		t.Fatalf("%d curves of %d runs", len(series), len(dirs))
	}
	for i, s := range series {
		var frames [pauseBins]float64
		total := 0
		traffic := runs[i].Summary.Traffic
		part := (traffic.ToNs - traffic.FromNs) / pauseBins
		err := tables.Scan(dirs[i]+"/pfc.parquet", func(rows []traces.PFCRow) {
			for _, r := range rows {
				if r.Event == traces.EventPause {
					total++
					frames[min(int((r.TimeNs-traffic.FromNs)/part), pauseBins-1)]++
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for k, n := range frames {
			if x := part * float64(k); math.Abs(float64(s.X[k])-x) > 1e-6*part || math.Abs(float64(s.Y[k])*part/1e6-n) > 1e-6 {
				t.Errorf("run %d: %v frames per ms from %v ns on, want %v from %v", i, s.Y[k], s.X[k], n/part*1e6, x)
			}
		}
		if total == 0 || len(runs[i].PausedBy) == 0 || len(s.X) != pauseBins+1 || float64(s.X[pauseBins]) != runs[i].length() || s.Y[pauseBins] != 0 {
			t.Errorf("run %d: %d frames, %d trees, %d points", i, total, len(runs[i].PausedBy), len(s.X))
		}
	}
}

// Pauses before and after the traffic count for its first and its last part.
func TestPausesBesideTraffic(t *testing.T) {
	dir := sample.Two(t)[0]
	runs, err := Load([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	r := runs[0]
	total, traffic := 0.0, r.Summary.Traffic
	for _, n := range r.pauses {
		total += n
	}
	for _, c := range []struct {
		from, to float64
		part     int
	}{{traffic.ToNs, traffic.ToNs + 1e6, 0}, {-2e6, -1e6, pauseBins - 1}} {
		r.Summary.Traffic.FromNs, r.Summary.Traffic.ToNs = c.from, c.to
		if err := r.loadPauses(filepath.Join(dir, "pfc.parquet")); err != nil {
			t.Fatal(err)
		}
		if got := r.pauses[c.part]; got != total || total == 0 {
			t.Errorf("traffic from %v to %v ns: %v of %v pauses are in part %d", c.from, c.to, got, total, c.part)
		}
	}
}

// Flows of one size have their percentiles at that size; where flows are few for a percentile, the chart says so.
func TestSlowdownChart(t *testing.T) {
	run := func(bytes int64, n int, most float64) *Run {
		r := &Run{}
		for i := range n {
			r.Flows = append(r.Flows, Flow{Bytes: bytes, Slowdown: most * float64(n-i) / float64(n)})
		}
		return r
	}
	c := slowdownChart([]*Run{run(1000, 200, 200), run(0, 100, 10)})
	var got []string
	for _, s := range c.Series {
		got = append(got, fmt.Sprint(c.Variants[s.Variant], s.Name, s.X, s.Y, len(s.Low)))
	}
	if want := []string{"p500 [1000] [100] 0", "p950 [1000] [190] 0", "p990 [1000] [198] 0", "p501 [1] [5] 0", "p951 [1] [9.5] 0", "p991 [1] [9.9] 0"}; !slices.Equal(got, want) {
		t.Errorf("curves %q, want %q", got, want)
	}
	if c.Note != "" || c.Empty != "" || c.Y.Scale != figure.Log || c.Hidden != nil {
		t.Errorf("note %q, empty %q, scale %v, hidden %v", c.Note, c.Empty, c.Y.Scale, c.Hidden)
	}
	if c := slowdownChart([]*Run{run(1000, 99, 20), run(1000, 200, 1)}); c.Note == "" || c.Y.Scale == figure.Log {
		t.Errorf("99 flows: note %q, scale %v", c.Note, c.Y.Scale)
	}
	two := run(1000, 75, 1) // 150 in two seeds: too few in each
	two.others = []*Run{run(1000, 75, 1)}
	if c := slowdownChart([]*Run{two}); c.Note == "" || !c.Marks {
		t.Errorf("75 flows of each seed: note %q, marks %v", c.Note, c.Marks)
	}
	three := []*Run{run(1, 1, 1), run(1, 1, 20.5), run(1, 1, 1)}
	if c := slowdownChart(three); c.Hidden != nil || c.Y.Scale != figure.Log {
		t.Errorf("of three runs, with one of 20.5, hidden: %v, scale %v", c.Hidden, c.Y.Scale)
	}
	if c := slowdownChart(append(three, run(1, 1, 1))); !slices.Equal(c.Hidden, []int{1}) {
		t.Errorf("of four runs hidden: %v", c.Hidden)
	}
}

// An empty figure says why, and one with content does not.
func TestEmptyFigures(t *testing.T) {
	full := loadedRun(t, 1)
	for name, want := range map[string]string{
		"slowdown": "No flow finished.", "fct-cdf": "No flow finished.", "queue-cdf": "Queues were not sampled.",
		"pauses": "No port was paused.", "paused": "No port was paused.", "utilisation": "Nothing was sent.",
	} {
		kinds := Kinds()
		k := kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
		if f := k.Figure([]*Run{{}, {}}); f.Empty != want || len(f.Series) != 0 || len(f.Names) != 2 {
			t.Errorf("%s: %q, %d curves of %d runs, want %q", name, f.Empty, len(f.Series), len(f.Names), want)
		}
		if f := k.Figure([]*Run{full}); f.Empty != "" || len(f.Series) == 0 || !slices.Equal(f.Names, []string{full.Name}) {
			t.Errorf("%s of a run: %q, %d curves, names %q", name, f.Empty, len(f.Series), f.Names)
		}
	}
}
