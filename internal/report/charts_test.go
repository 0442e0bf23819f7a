package report

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// someFlows returns flows by size, of so many sizes.
func someFlows(n, sizes int) []flow {
	random := rand.New(rand.NewPCG(uint64(n), uint64(sizes)))
	flows := make([]flow, n)
	for i := range flows {
		flows[i] = flow{bytes: 1 + random.Int64N(int64(sizes)), fct: math.Exp(9 * random.Float64()), slowdown: 1 + random.Float64()}
	}
	slices.SortStableFunc(flows, bySize)
	return flows
}

// Groups hold every flow once, in order, are of nearly equal number if all sizes differ, and
// never share a size.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ flows, sizes, groups int }{
		{0, 1, 0}, {1, 1, 1}, {9, 1 << 40, 1}, {20, 1 << 40, 2}, {250, 1 << 40, 20}, {10_000, 1 << 40, 20}, {1000, 1, 1}, {1000, 3, 3},
	} {
		flows := someFlows(c.flows, c.sizes)
		all := groups(flows)
		if len(all) != c.groups {
			t.Errorf("%+v: %d groups", c, len(all))
		}
		seen := 0
		for i, g := range all {
			part := flows[seen : seen+len(g.slowdowns)]
			seen += len(part)
			if g.bytes != part[len(part)-1].bytes || i > 0 && all[i-1].bytes >= part[0].bytes {
				t.Errorf("%+v: group %d is cut wrong", c, i)
			}
			if want := c.flows / c.groups; c.sizes > c.flows && (len(part) < want || len(part) > want+1) {
				t.Errorf("%+v: group %d has %d flows, not %d", c, i, len(part), want)
			}
			var want []float64
			for _, f := range part {
				want = append(want, f.slowdown)
			}
			slices.Sort(want)
			if !slices.Equal(g.slowdowns, want) {
				t.Errorf("%+v: group %d has other slowdowns", c, i)
			}
		}
		if seen != c.flows {
			t.Errorf("%+v: %d flows are in groups", c, seen)
		}
	}
}

// Every point of the curve of completion times is the share that a count gives.
func TestFCTCurve(t *testing.T) {
	for _, n := range []int{1, 2, 499, 500, 501, 7777} {
		flows := someFlows(n, 10)
		c := fctChart([]*Run{{flows: flows}})
		s := c.Series[0]
		if len(s.X) != min(n, maxPoints) || s.Y[len(s.Y)-1] != 1 {
			t.Fatalf("%d flows: %d points, the last at %v", n, len(s.X), s.Y[len(s.Y)-1])
		}
		for i, x := range s.X {
			count := 0
			for _, f := range flows {
				if f.fct <= float64(x) {
					count++
				}
			}
			if want := num(float64(count) / float64(n)); s.Y[i] != want {
				t.Fatalf("%d flows, point %d: got %v, want %v", n, i, s.Y[i], want)
			}
		}
	}
}

// A distribution of many bins keeps its points, and its end, and no two that fall together.
func TestQueueCurve(t *testing.T) {
	for _, n := range []int{1, 2, 300, 40_000} {
		r := &Run{}
		for i := range n {
			r.queues = append(r.queues, traces.QueueCDFRow{Node: traces.AllPorts, UpperBytes: int64(i+1) * 1000, Cumulative: float64(i+1) / float64(n)})
		}
		c := queueChart([]*Run{r})
		s := c.Series[0]
		if len(s.X) > maxPoints || n <= 2 && len(s.X) != n {
			t.Errorf("%d bins: %d points", n, len(s.X))
		}
		for i := range s.X {
			if want := num(float64(s.X[i]) / 1000 / float64(n)); s.Y[i] != want {
				t.Errorf("%d bins: point %d is %v, %v", n, i, s.X[i], s.Y[i])
			}
		}
		if s.Y[len(s.Y)-1] != 1 {
			t.Errorf("%d bins: the curve ends at %v", n, s.Y[len(s.Y)-1])
		}
	}
}

// Ports stand by their largest value in any run; utilisation is bits over rate and time.
func TestBars(t *testing.T) {
	a := &Run{Summary: driver.Summary{EndNs: 3e6}, start: 2e6, ports: []traces.PortRow{
		{Node: 0, Port: 0, Peer: 2, RateBps: 8e9, TxBytes: 250_000, PausedNs: 10},
		{Node: 1, Port: 0, Peer: 2, RateBps: 8e9, TxBytes: 1_000_000},
		{Node: 2, Port: 1, Peer: 1, RateBps: 8e9},
	}}
	b := &Run{Summary: driver.Summary{EndNs: 1e6}, ports: []traces.PortRow{
		{Node: 0, Port: 0, Peer: 2, RateBps: 16e9, TxBytes: 500_000, PausedNs: 30},
		{Node: 2, Port: 0, Peer: 0, RateBps: 8e9, TxBytes: 750_000, PausedNs: 20},
	}}
	used := utilisationChart([]*Run{a, b})
	if want := []string{"1 → 2 (port 0)", "2 → 0 (port 0)", "0 → 2 (port 0)"}; !slices.Equal(used.Labels, want) {
		t.Errorf("got %q, want %q", used.Labels, want)
	}
	for i, want := range [][]num{{1, 0, 0.25}, {0, 0.75, 0.25}} {
		if got := used.Series[i].Y; !slices.Equal(got, want) {
			t.Errorf("utilisation of run %d: got %v, want %v", i, got, want)
		}
	}
	paused := pausedChart([]*Run{a, b})
	for i, want := range [][]num{{10, 0}, {30, 20}} {
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

// Every pause frame of the table is counted once.
func TestPauseCurve(t *testing.T) {
	dirs := twoRuns(t)
	runs := loadAll(t, dirs...)
	for i, s := range pauseChart(runs).Series {
		frames := 0
		err := tables.Scan(dirs[i]+"/pfc.parquet", func(rows []traces.PFCRow) {
			for _, r := range rows {
				if r.Event == traces.EventPause {
					frames++
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		sum := num(0)
		for _, y := range s.Y {
			sum += y
		}
		if frames == 0 || int(sum) != frames || len(s.X) != pauseBins+1 {
			t.Errorf("run %d: %v of %d frames, %d points", i, sum, frames, len(s.X))
		}
	}
}

func TestDifferences(t *testing.T) {
	read := func(name, text string) *Run {
		settings, err := settingsOf(text)
		if err != nil {
			t.Fatal(err)
		}
		return &Run{Name: name, settings: settings}
	}
	a := read("a", "seed: 1\nload: 0.5\ncc:\n  name: hpcc\n  params:\n    target: 0.95\necn:\n  thresholds:\n    - rate: 25Gbps\n      kmin: 1KB\n    - rate: 1Gbps\nlinks: []\ntopology: x\n")
	b := read("b", "seed: 1\nload: 0.6\ncc:\n  name: dctcp\n  params:\n    g: 0.06\necn:\n  thresholds: []\nlinks: []\ncc_by_tag: {}\ntopology: y\n")
	options, params := differences([]*Run{a, b})
	for i, want := range []struct{ name, a, b string }{
		{"load", "0.5", "0.6"}, {"cc.name", "hpcc", "dctcp"}, {"ecn.thresholds", "rate 25Gbps, kmin 1KB; rate 1Gbps", ""}, {"topology", "x", "y"},
	} {
		if got := options[i]; got.Name != want.name || !slices.Equal(got.Values, []string{want.a, want.b}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if len(options) != 4 || len(params) != 2 || params[0].Name != "cc.params.target" || params[1].Values[1] != "0.06" {
		t.Errorf("options %q, parameters %q", options, params)
	}
	a.Summary.Notes = []string{"a note"}
	b.Summary.Unfinished = []driver.UnfinishedRow{{Reason: "why", Flows: 3, First: "flow 7"}}
	want := []remark{{"a", "a note"}, {"b", "3 flows not finished: why (flow 7)"}, {"b", "another topology than a: ports of the same number are not the same"}}
	if got := remarks([]*Run{a, b}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Flows are told apart by tag if they have several, whichever runs have them.
func TestTags(t *testing.T) {
	a := &Run{Name: "a", flows: []flow{{slowdown: 3, tag: "x"}, {slowdown: 1, tag: "x"}, {slowdown: 5}}}
	b := &Run{Name: "b", flows: []flow{{slowdown: 2, tag: "x"}}}
	want := []bucket{
		{"no tag", []bucketRow{{"a", "1", "5.00", "5.00", "5.00"}, {"b", "0", "–", "–", "–"}}},
		{"x", []bucketRow{{"a", "2", "1.00", "3.00", "3.00"}, {"b", "1", "2.00", "2.00", "2.00"}}},
	}
	if got := tagged([]*Run{a, b}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := tagged([]*Run{b}); got != nil {
		t.Errorf("one tag: got %v", got)
	}
}

func TestFormat(t *testing.T) {
	for got, want := range map[string]string{
		bytesText(0): "0\u00a0B", bytesText(999): "999\u00a0B", bytesText(319720): "320\u00a0KB", bytesText(999_600): "1.00\u00a0MB",
		timeText(12.3456): "12.3\u00a0ns", timeText(14763847.869): "14.8\u00a0ms", countText(560): "560", countText(8416920): "8.42\u00a0M",
		ratioText(0): "–", ratioText(1.0354): "1.04",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
