package report

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/results/sample"
)

func TestDifferences(t *testing.T) {
	read := func(name, text string) *results.Run {
		settings, err := results.SettingsOf(text)
		if err != nil {
			t.Fatal(err)
		}
		return &results.Run{Name: name, Settings: settings}
	}
	a := read("a", "seed: 1\nload: 0.5\ncc:\n  name: hpcc\n  params:\n    target: 0.95\necn:\n  thresholds:\n    - rate: 25Gbps\n      kmin: 1KB\n    - rate: 1Gbps\nlinks: []\ntopology: x\n")
	b := read("b", "seed: 1\nload: 0.6\ncc:\n  name: dctcp\n  params:\n    g: 0.06\necn:\n  thresholds: []\nlinks: []\ncc_by_tag: {}\ntopology: y\n")
	options, params := differences([]*results.Run{a, b})
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
	want := []results.Remark{{Run: "a", Text: "a note"}, {Run: "b", Text: "3 flows not finished: why (flow 7)"}, {Run: "b", Text: "another topology than a: ports of the same number are not the same"}}
	if got := remarks([]*results.Run{a, b}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	b.Summary.Seed = 2
	want = append(want, results.Remark{Run: "b", Text: "other seeds than a: its flows are others"})
	if got := remarks([]*results.Run{a, b}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The page tells which versions its runs are of, and which has made it. Runs of other versions are not the same.
func TestVersions(t *testing.T) {
	dir := t.TempDir()
	dirs := []string{sample.Run(t, filepath.Join(dir, "a"), "hpcc"), filepath.Join(dir, "b"), filepath.Join(dir, "c")}
	ours := loadAll(t, dirs[0])[0].Summary.Version
	for _, copied := range dirs[1:] {
		if err := os.CopyFS(copied, os.DirFS(dirs[0])); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(copied, "summary.json")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		other := strings.Replace(string(text), `"version": "`+ours+`"`, `"version": "0.0.9+<b>"`, 1)
		if err := os.WriteFile(path, []byte(other), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const row = `<th scope="row">version of qbb</th>`
	for _, c := range []struct {
		dirs       []string
		head, body string
	}{
		{dirs[:2], "2 runs of several versions of qbb; page made by qbb " + ours, row + "<td>" + ours + "</td><td>0.0.9&#43;&lt;b&gt;</td>"},
		{dirs[1:], "2 runs of qbb 0.0.9&#43;&lt;b&gt;; page made by qbb " + ours, "Nothing: scenario and version are the same."},
		{dirs[:1], "1 run of qbb " + ours, "</html>"},
	} {
		page := write(t, loadAll(t, c.dirs...))
		if !strings.Contains(page, "<p>"+c.head+"</p>") || !strings.Contains(page, c.body) || strings.Contains(page, row) != strings.Contains(c.body, row) {
			t.Errorf("no %q, or no %q, or more, in the page of %q", c.head, c.body, c.dirs)
		}
	}
}

// The order in which seeds are given does not matter; runs with other seeds differ in all of
// theirs.
func TestSeedDifferences(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for _, s := range []struct {
		cc   string
		seed uint64
	}{{"hpcc", 2}, {"hpcc", 1}, {"dcqcn", 1}, {"dcqcn", 2}, {"dctcp", 1}} {
		dirs = append(dirs, sample.Seed(t, filepath.Join(dir, fmt.Sprintf("%s-%d", s.cc, s.seed)), s.cc, s.seed))
	}
	runs := loadAll(t, dirs...)
	options, _ := differences(runs[:2])
	if i := slices.IndexFunc(options, func(r row) bool { return r.Name == "seed" }); i >= 0 {
		t.Errorf("equal seeds differ: %q", options[i])
	}
	options, _ = differences(runs)
	if i := slices.IndexFunc(options, func(r row) bool { return r.Name == "seed" }); i < 0 || !slices.Equal(options[i].Values, []string{"1, 2", "1, 2", "1"}) {
		t.Errorf("got %q", options)
	}
	var others []string
	for _, r := range remarks(runs) {
		if strings.HasPrefix(r.Text, "other seeds") {
			others = append(others, r.Run)
		}
	}
	if !slices.Equal(others, []string{runs[2].Name}) {
		t.Errorf("remarks on other seeds of %q", others)
	}
}

// A remark that several seeds share appears once.
func TestRemarksOfSeeds(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for seed := range uint64(7) {
		dirs = append(dirs, sample.Seed(t, filepath.Join(dir, fmt.Sprint("hpcc-", seed)), "hpcc", seed))
	}
	runs := loadAll(t, dirs...)
	for i, s := range runs[0].Seeds() {
		s.Summary.Notes = []string{"a note", "a note", fmt.Sprintf("%d.5 %% of them", max(i, 3))}
		if i == 4 {
			s.Summary.Notes = []string{"another"}
		}
	}
	name := runs[0].Name
	want := []results.Remark{
		{Run: name + ", seeds 0..3, 5, 6", Text: "a note"},
		{Run: name + ", seeds 0..3, 5, 6", Text: "a note"},
		{Run: name + ", seeds 0..3, 5, 6", Text: "3.5 % of them (seed 0; the numbers of the others differ)"},
		{Run: name + ", seed 4", Text: "another"},
	}
	if got := remarks(runs); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Flows are distinguished by tag if they have several, whichever runs have them.
func TestTags(t *testing.T) {
	a := &results.Run{Name: "a", Flows: []results.Flow{{Slowdown: 3, Tag: "x", Start: 1000, FCT: 500}, {Slowdown: 1, Tag: "x"}, {Slowdown: 5}}}
	b := &results.Run{Name: "b", Flows: []results.Flow{{Slowdown: 2, Tag: "x"}}}
	want := []bucket{
		{"no tag", []bucketRow{{"a", "1", "5.00", "5.00", "5.00", "0\u00a0ns"}, {"b", "0", "–", "–", "–", "–"}}},
		{"x", []bucketRow{{"a", "2", "1.00", "3.00", "3.00", "1.50\u00a0µs"}, {"b", "1", "2.00", "2.00", "2.00", "0\u00a0ns"}}},
	}
	if got := buckets(results.ByTag([]*results.Run{a, b})); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := buckets(results.ByTag([]*results.Run{b})); got != nil {
		t.Errorf("one tag: got %v", got)
	}
}

// The page shows a chain of pauses up to a number of levels, and says that there is more.
func TestDeepPauses(t *testing.T) {
	var tree *results.PauseTree
	for node := deepest + 3; node >= 0; node-- {
		up := &results.PauseTree{Node: core.NodeID(node)}
		if tree != nil {
			up.Paused = []*results.PauseTree{tree}
		}
		tree = up
	}
	b := branches(tree, deepest)
	for level := range deepest {
		if b.Open != (level < shown) || b.More != 0 || len(b.Inside) != 1 {
			t.Fatalf("level %d: %+v", level, b)
		}
		b = b.Inside[0]
	}
	if b.More != 1 || b.Inside != nil {
		t.Errorf("the last level: %+v", b)
	}
}

// The page shows places of congestion up to a number, and says how many more there are.
func TestManyPauses(t *testing.T) {
	for roots, want := range map[int]struct{ shown, more int }{1: {1, 0}, mostRoots: {mostRoots, 0}, mostRoots + 1: {mostRoots, 1}, mostRoots + 7: {mostRoots, 7}} {
		quiet, busy := &results.Run{Name: "quiet"}, &results.Run{Name: "busy"}
		for node := range roots {
			busy.PausedBy = append(busy.PausedBy, &results.PauseTree{Node: core.NodeID(node), Port: -1, Times: 2})
		}
		got := forests([]*results.Run{quiet, busy})
		if len(got) != 1 || got[0].Run != "busy" || len(got[0].Trees) != want.shown || got[0].More != want.more {
			t.Errorf("%d roots: %+v", roots, got)
		}
	}
}

// A port of a tree says how often and for how long it was paused, and how many of those it paused are not shown.
func TestBranches(t *testing.T) {
	for inside, more := range map[int]int{0: 0, mostBranches: 0, mostBranches + 3: 3} {
		tree := &results.PauseTree{Node: 7, Port: 1, Peer: 3, Times: inside, Ns: 1500}
		for range inside {
			tree.Paused = append(tree.Paused, &results.PauseTree{Node: 8, Port: 2, Peer: 7, Times: 1, Ns: 20})
		}
		b := branches(tree, deepest)
		if want := fmt.Sprintf("7 → 3 (port 1) paused %d times, 1.50\u00a0µs", inside); b.Text != want || b.More != more || len(b.Inside) != inside-more {
			t.Errorf("%q, %d branches and %d more; want %q, %d and %d", b.Text, len(b.Inside), b.More, want, inside-more, more)
		}
		for _, c := range b.Inside {
			if c.Text != "8 → 7 (port 2) paused once, 20\u00a0ns" {
				t.Errorf("a branch says %q", c.Text)
			}
		}
	}
}

// A run that names no busy port has no such table.
func TestBottlenecks(t *testing.T) {
	idle, busy := &results.Run{Name: "idle"}, &results.Run{Name: "busy"}
	busy.Summary.Bottlenecks = []driver.Bottleneck{{Node: 7, Port: 1, Peer: 3, Busy: 0.5, Paused: 0.25, MaxQueue: 1500}}
	want := []bottlenecks{{"busy", []bottleneck{{"7 → 3 (port 1)", "50 %", "25 %", "1.50\u00a0KB"}}}}
	if got := bottlenecksOf([]*results.Run{idle, busy}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestFormat(t *testing.T) {
	for got, want := range map[string]string{
		bytesText(0): "0\u00a0B", bytesText(999): "999\u00a0B", bytesText(319720): "320\u00a0KB", bytesText(999_600): "1.00\u00a0MB",
		timeText(12.3456): "12.3\u00a0ns", timeText(14763847.869): "14.8\u00a0ms", countText(560): "560", countText(8416920): "8.42\u00a0M",
		ratioText(0): "–", ratioText(1.0354): "1.04", bytesText(5e18): "5000000\u00a0TB", timeText(1e12): "1000\u00a0s",
		estimateText(results.NewEstimate([]float64{3}), figure.ThreeDigits): "3.00", estimateText(results.NewEstimate([]float64{3, 3}), figure.ThreeDigits): "3.00",
		estimateText(results.NewEstimate([]float64{2, 4}), figure.ThreeDigits): "3.00\u00a0±\u00a012.7",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
