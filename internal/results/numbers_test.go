package results

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/figure"
)

// Of texts that differ in several numbers, which are the same in each, these count.
func TestNumbersInStep(t *testing.T) {
	ecn := func(k, pmax string) string {
		return "rate 100Gbps, kmin " + k + ", kmax " + k + ", pmax " + pmax + "; rate 25Gbps, kmin 5KB, kmax 5KB, pmax 1"
	}
	for _, c := range []struct {
		texts []string
		frame string // empty: none
		want  []string
	}{
		{[]string{ecn("20KB", "1"), ecn("1MB", "1"), ecn("80KB", "1")}, "rate 100Gbps, kmin …, kmax …, pmax 1; rate 25Gbps, kmin 5KB, kmax 5KB, pmax 1", []string{"20KB", "1MB", "80KB"}},
		{[]string{"leaf-spine:leaves=4,spines=4,hosts=2", "leaf-spine:leaves=8,spines=8,hosts=2"}, "leaf-spine:leaves=…,spines=…,hosts=2", []string{"4", "8"}},
		{[]string{"8x300KB", "16x300KB"}, "…x300KB", []string{"8", "16"}},
		{[]string{ecn("20KB", "1"), ecn("80KB", "0.5")}, "", nil},
		{[]string{"leaf-spine:leaves=4,spines=4", "leaf-spine:leaves=8,spines=9"}, "", nil},
		{[]string{"a4b4", "a8c8"}, "", nil},
		{[]string{"a4b4", "a8b8c"}, "", nil},
		{[]string{"a4b4", "a4b4"}, "", nil},
		{[]string{"a4b4", "a4b4c4"}, "", nil},
		{[]string{"1MB", "4MB"}, "", nil},
		{[]string{"hpcc", "dcqcn"}, "", nil},
	} {
		if frame, moving := inStep(c.texts); frame != c.frame || !slices.Equal(moving, c.want) {
			t.Errorf("%q: %q, %q", c.texts, frame, moving)
		}
	}
	var runs []*Run
	for _, k := range []string{"80KB", "20KB"} {
		runs = append(runs, &Run{Name: k, Settings: []Setting{{"cc.name", "dctcp"}, {"ecn.thresholds", ecn(k, "1")}}, Flows: []Flow{{FCT: 1, Slowdown: 2}}})
	}
	f, err := Trend(runs, "ecn.thresholds")
	if err != nil || len(f.Names) != 1 || f.X.Unit != figure.Bytes || !slices.Equal(f.Series[0].X, []figure.Num{20e3, 80e3}) {
		t.Errorf("%+v, %v", f, err)
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
		{[]string{"a1a", "a"}, "", ""},
		{[]string{"1e5", "2e5"}, "", ""},
		{[]string{"-1", "-2"}, "", ""},
	} {
		if before, after := around(c.texts); before != c.before || after != c.after {
			t.Errorf("%q: %q, %q", c.texts, before, after)
		}
	}
}

// Texts of several kinds make a curve for each.
func TestTrendOfKinds(t *testing.T) {
	for _, c := range []struct {
		texts, kinds, want []string
	}{
		{[]string{"ring:1MB", "tree:2MB", "ring:4MB", "tree:4MB"}, []string{"ring", "tree", "ring", "tree"}, []string{"1MB", "2MB", "4MB", "4MB"}},
		{[]string{"a:1MB,3", "b:2MB", "a:4MB,3", "b:4MB"}, []string{"a:\u2026,3", "b", "a:\u2026,3", "b"}, []string{"1MB", "2MB", "4MB", "4MB"}},
		{[]string{"ring:1MB", "tree:2MB", "ring:4MB"}, nil, nil},
		{[]string{"ring:1MB", "tree:2MB", "ring:1MB", "tree:4MB"}, nil, nil},
		{[]string{"ring:1MB", "ring:2MB"}, nil, nil},
		{[]string{"ring:1MB", "tree:2MB", "ring:2MB", "tree:3MB", "4"}, nil, nil},
		{[]string{"a:1x2", "b:1", "a:3x5", "b:2"}, nil, nil},
	} {
		want := c.want
		if want == nil {
			want = c.texts
		}
		if kinds, moving := byKind(c.texts); !slices.Equal(kinds, c.kinds) || !slices.Equal(moving, want) {
			t.Errorf("%q: kinds %q, numbers %q", c.texts, kinds, moving)
		}
	}
	var runs []*Run
	for _, load := range []string{"a", "b"} {
		for _, text := range []string{"ring:1MB", "tree:1MB", "ring:4MB", "tree:4MB"} {
			runs = append(runs, &Run{Settings: []Setting{{"switch.load_balance", load}, {"patterns", text}}, Flows: []Flow{{Bytes: 1, FCT: 3}}})
		}
	}
	f, err := TimeTrend(runs, "patterns")
	if want := []string{"ring, a", "tree, a", "ring, b", "tree, b"}; err != nil || !slices.Equal(f.Names, want) || f.X.Label != "patterns" {
		t.Errorf("names %q, axis %q, %v", f.Names, f.X.Label, err)
	}
	f, err = TimeTrend(runs[:4], "patterns")
	if want := []string{"ring", "tree"}; err != nil || !slices.Equal(f.Names, want) || len(f.Series) != 2 || len(f.Series[1].X) != 2 {
		t.Errorf("names %q, %d curves, %v", f.Names, len(f.Series), err)
	}
}
