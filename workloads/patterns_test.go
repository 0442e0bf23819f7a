package workloads

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func patternFlows(t *testing.T, spec, net string, seed uint64) []Flow {
	t.Helper()
	flows, err := PatternFlows(spec, network(t, net), 5, 3, seed)
	if err != nil {
		t.Fatal(err)
	}
	return flows
}

// degrees counts what every host sends and receives.
func degrees(t *testing.T, flows []Flow, hosts int) (out, in []int) {
	t.Helper()
	out, in = make([]int, hosts), make([]int, hosts)
	for _, f := range flows {
		if f.Src == f.Dst || f.Bytes != 1000 || f.Start != 5 || f.Prio != 3 {
			t.Fatalf("%+v", f)
		}
		out[f.Src]++
		in[f.Dst]++
	}
	return out, in
}

func TestPatternDegrees(t *testing.T) {
	for _, c := range []struct {
		name     string
		out, in  string
		distinct bool // from seed to seed
	}{
		{"permutation", "[1 1 1 1 1]", "[1 1 1 1 1]", true},
		{"all-to-all", "[4 4 4 4 4]", "[4 4 4 4 4]", false},
		{"one-many", "[1 1 1 1 0]", "[0 0 0 0 4]", false},
	} {
		flows := patternFlows(t, c.name+":1KB", "star:n=5", 1)
		out, in := degrees(t, flows, 5)
		if fmt.Sprint(out) != c.out || fmt.Sprint(in) != c.in {
			t.Errorf("%s: hosts send %v and receive %v, want %s and %s", c.name, out, in, c.out, c.in)
		}
		if !slices.Equal(flows, patternFlows(t, c.name+":1KB", "star:n=5", 1)) {
			t.Errorf("%s: two runs with one seed differ", c.name)
		}
		if again := patternFlows(t, c.name+":1KB", "star:n=5", 2); slices.Equal(flows, again) == c.distinct {
			t.Errorf("%s: seeds 1 and 2 give %v and %v", c.name, flows, again)
		}
		if flows[0].Tag != c.name {
			t.Errorf("%s: the tag is %q", c.name, flows[0].Tag)
		}
	}
}

func TestOneOneMakesPairs(t *testing.T) {
	for _, n := range []int{6, 7} {
		flows := patternFlows(t, "one-one:1KB", fmt.Sprintf("star:n=%d", n), 1)
		out, in := degrees(t, flows, n)
		for h := range n {
			if out[h]+in[h] > 1 {
				t.Errorf("%d hosts: host %d is in %d pairs", n, h, out[h]+in[h])
			}
		}
		if len(flows) != 3 {
			t.Errorf("%d hosts: %d flows, want 3", n, len(flows))
		}
	}
}

func TestLongAndShort(t *testing.T) {
	got := patternFlows(t, "long-and-short:100MB,1MB,1ms", "star:n=4", 1)
	ms := core.Time(core.Millisecond)
	want := []Flow{
		{Src: 0, Dst: 3, Bytes: 100e6, Start: 5, Prio: 3, Tag: "long"},
		{Src: 1, Dst: 3, Bytes: 1e6, Start: 5 + ms, Prio: 3, Tag: "short"},
		{Src: 2, Dst: 3, Bytes: 1e6, Start: 5 + 2*ms, Prio: 3, Tag: "short"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"permute:1KB", `unknown name "permute"; known: permutation, all-to-all, one-one, one-many, long-and-short`},
		{"permutation", `"" is not a size (a number and a unit such as 300KB or 64MiB); write permutation:1MB`},
		{"one-many:0", `the size "0" must be positive`},
		{"long-and-short:1MB", `1 values instead of three; write long-and-short:100MB,1MB,1ms`},
		{"long-and-short:1MB,1KB,-1s", `the gap -1s is out of range`},
		{"long-and-short:1MB,1KB,1000h", `the gap 3600000s is out of range`},
		{"long-and-short:1MB,x,1s", `"x" is not a size`},
	} {
		_, err := PatternFlows(c.spec, network(t, "star:n=4"), 0, 0, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), fmt.Sprintf("pattern %q: ", c.spec)) {
			t.Errorf("%s: got %v, want %q", c.spec, err, c.want)
		}
	}
	if _, err := PatternFlows("long-and-short:1MB,1KB,1s", network(t, "star:n=2"), 0, 0, 1); err == nil || !strings.Contains(err.Error(), "2 hosts; a long and a short flow") {
		t.Errorf("got %v", err)
	}
}

func FuzzPatternFlows(f *testing.F) {
	for _, seed := range []string{"permutation:1KB", "one-one:5", "long-and-short:1MB,1KB,1us", "all-to-all:"} {
		f.Add(seed)
	}
	net := network(f, "star:n=4")
	f.Fuzz(func(t *testing.T, spec string) {
		flows, err := PatternFlows(spec, net, 0, 0, 1)
		if err == nil && len(flows) == 0 {
			t.Fatalf("%q gives no flows", spec)
		}
		for _, fl := range flows {
			if fl.Src == fl.Dst || fl.Bytes < 1 || fl.Start < 0 {
				t.Fatalf("%q gives %+v", spec, fl)
			}
		}
	})
}
