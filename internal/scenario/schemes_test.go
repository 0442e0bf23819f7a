package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Packets carry the number of a scheme in a byte, in which 0 means none.
func TestMostSchemes(t *testing.T) {
	sc := of(t, "workload", "none", "cc", "qcn")
	for i := range 254 {
		if err := sc.Set(fmt.Sprintf("cc_by_tag.t%d", i), fmt.Sprintf("{name: qcn, params: {hyper_after: %d}}", 100+i)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil || len(s.Schemes) != 255 {
		t.Fatalf("%v, want 255 schemes", err)
	}
	if err := sc.Set("cc_by_tag.last", "dcqcn"); err != nil {
		t.Fatal(err)
	}
	if _, err := sc.Setup(); err == nil || !strings.Contains(err.Error(), "there are more than 255 schemes") {
		t.Errorf("got %v", err)
	}
}

// Tags with the same scheme and parameters share a number; another scheme, or other parameters, have their own.
func TestSchemesOfTags(t *testing.T) {
	sc := of(t, "workload", "none", "cc", "hpcc", "cc_by_tag.other", "dcqcn", "cc_by_tag.same", "hpcc", "cc_by_tag.also", "dcqcn", "cc_by_tag.tuned", "{name: hpcc, params: {target: 0.9}}")
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	number := func(tag string) uint8 {
		i, ok := sc.SchemeOf(tag)
		if !ok {
			t.Errorf("cc_by_tag does not name %s", tag)
		}
		return i
	}
	same, other, also, tuned := number("same"), number("other"), number("also"), number("tuned")
	if len(s.Schemes) != 3 || same != 0 || other != also || other == 0 || tuned == 0 || tuned == other || s.Schemes[other].Traits().Name != "dcqcn" {
		t.Errorf("%d schemes: same %d, other %d and %d, tuned %d", len(s.Schemes), same, other, also, tuned)
	}
	if _, ok := sc.SchemeOf("unknown"); ok {
		t.Error("cc_by_tag names a tag that it does not")
	}
}

// DCTCP needs a step (SIGCOMM 2010, section 3.1), whether its sender has a rate or a window; the others have RED, and
// DCQCN as published has that of its paper (SIGCOMM 2015). If the scheme of most flows ignores marks, the thresholds are
// for a scheme that obeys them.
func TestDefaultMarks(t *testing.T) {
	step, red, published := Threshold{10e9, 30e3, 30e3, 1}, Threshold{25e9, 100e3, 400e3, 0.2}, Threshold{40e9, 5e3, 200e3, 0.01}
	for _, c := range []struct {
		cc, tagged string
		want       Threshold
	}{
		{"dctcp", "none", step}, {"dctcp-window", "dcqcn", step}, {"dcqcn", "dctcp", red}, {"dcqcn-paper", "none", published},
		{"{name: dcqcn-paper, params: {preset: connectx4}}", "none", red}, {"{name: dcqcn-paper, params: {preset: hpcc-sim}}", "none", red},
		{"hpcc", "dctcp-window", step}, {"hpcc", "dcqcn", red}, {"hpcc", "none", red},
	} {
		sc := of(t, "cc", c.cc, "cc_by_tag.a", "cubic", "cc_by_tag.b", c.tagged)
		if err := sc.Complete(); err != nil {
			t.Fatal(err)
		}
		if got := sc.ECN.Thresholds; len(got) != 1 || got[0] != c.want {
			t.Errorf("%s and %s: %v, want %v", c.cc, c.tagged, got, c.want)
		}
	}
}

// A note reports flows that obey marks but get those of another scheme, by a file or a tag, unless the thresholds were
// chosen.
func TestMarksOfAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	if err := os.WriteFile(file, []byte("src,dst,bytes,start_ns,scheme,tag\n0,1,1000,0,dctcp,\n1,2,1000,0,,a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set  []string
		want bool
	}{
		{[]string{"cc", "hpcc"}, true}, {[]string{"cc", "dcqcn"}, true}, {[]string{"cc", "dctcp-window"}, false},
		{[]string{"cc", "hpcc", "cc_by_tag.a", "dctcp"}, false},
		{[]string{"cc", "hpcc", "ecn.mark", "off"}, false},
		{[]string{"cc", "hpcc", "ecn.thresholds", "{rate: 10Gbps, kmin: 20KB, kmax: 30KB, pmax: 1}"}, false},
	} {
		sc := of(t, append([]string{"topology", "star:n=3", "flows", file}, c.set...)...)
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		const want = "dctcp: switches mark by the thresholds of "
		if got := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, want) }); got != c.want {
			t.Errorf("%q: notes %q, want one: %v", c.set, s.Notes, c.want)
		}
	}
}

// A link rate has its own thresholds, or with scale those of the first rate in proportion; the probability is not
// scaled.
func TestThresholdsOfARate(t *testing.T) {
	given := []Threshold{{100 * core.Gbps, 100_000, 400_000, 0.2}, {25 * core.Gbps, 1_000, 2_000, 1}}
	huge := []Threshold{{25 * core.Gbps, 5e18, core.Unlimited, 1}}
	for _, c := range []struct {
		ecn  ECN
		rate core.Rate
		want Threshold // of that rate; Rate 0: there is none
	}{
		{ECN{Thresholds: given}, 25 * core.Gbps, given[1]},
		{ECN{Thresholds: given, Scale: true}, 25 * core.Gbps, given[1]},
		{ECN{Thresholds: given}, 400 * core.Gbps, Threshold{}},
		{ECN{Thresholds: given, Scale: true}, 400 * core.Gbps, Threshold{400 * core.Gbps, 400_000, 1_600_000, 0.2}},
		{ECN{Thresholds: given, Scale: true}, 10 * core.Gbps, Threshold{10 * core.Gbps, 10_000, 40_000, 0.2}},
		{ECN{Scale: true}, 10 * core.Gbps, Threshold{}},
		{ECN{Thresholds: huge, Scale: true}, 100 * core.Gbps, Threshold{100 * core.Gbps, core.Unlimited, core.Unlimited, 1}},
	} {
		kmin, kmax, pmax, ok := c.ecn.at(c.rate)
		if ok != (c.want.Rate != 0) || (Threshold{c.want.Rate, kmin, kmax, pmax}) != c.want {
			t.Errorf("%v at %v: %v, %v, %v, %v", c.ecn, c.rate, kmin, kmax, pmax, ok)
		}
	}
}
