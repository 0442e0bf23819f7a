package workloads

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

func patternFlows(t *testing.T, spec, net string, seed uint64) []Flow {
	t.Helper()
	flows, err := flowsOf(network(t, net), seed, spec+",start=5ps")
	if err != nil {
		t.Fatal(err)
	}
	return flows
}

// flowsOf returns the flows of patterns.
func flowsOf(net *topo.Topology, seed uint64, specs ...string) ([]Flow, error) {
	s := Phases{Topology: net, Prio: 3, Seed: seed}
	for _, spec := range specs {
		if err := s.Add(spec); err != nil {
			return nil, err
		}
	}
	return s.Flows(), nil
}

// equal compares flows, which == does not.
func equal(a, b []Flow) bool { return reflect.DeepEqual(a, b) }

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
		{"one-many", "[1 1 1 0 1]", "[0 0 0 4 0]", true},
	} {
		flows := patternFlows(t, c.name+":1KB", "star:n=5", 1)
		out, in := degrees(t, flows, 5)
		if fmt.Sprint(out) != c.out || fmt.Sprint(in) != c.in {
			t.Errorf("%s: hosts send %v and receive %v, want %s and %s", c.name, out, in, c.out, c.in)
		}
		if !equal(flows, patternFlows(t, c.name+":1KB", "star:n=5", 1)) {
			t.Errorf("%s: two runs with one seed differ", c.name)
		}
		if again := patternFlows(t, c.name+":1KB", "star:n=5", 3); equal(flows, again) == c.distinct {
			t.Errorf("%s: seeds 1 and 3 give %v and %v", c.name, flows, again)
		}
		if flows[0].Tag != c.name {
			t.Errorf("%s: the tag is %q", c.name, flows[0].Tag)
		}
	}
}

// A permutation is one cycle through all hosts, but not in the order of their numbers, and patterns of many flows are
// refused before any flow is made.
func TestPatternsOfManyHosts(t *testing.T) {
	next, to := 0, make(map[core.NodeID]core.NodeID)
	for _, f := range patternFlows(t, "permutation:1KB", "star:n=100", 1) {
		to[f.Src] = f.Dst
		if f.Dst == (f.Src+1)%100 {
			next++
		}
	}
	steps, at := 1, to[0]
	for ; at != 0; steps++ {
		at = to[at]
	}
	if steps != 100 {
		t.Errorf("host 0 is on a cycle of %d of 100 hosts", steps)
	}
	if next > 10 { // 1 is to be expected
		t.Errorf("%d of 100 hosts send to the next one", next)
	}
	_, err := flowsOf(&topo.Topology{Kinds: make([]topo.Kind, 40_000)}, 1, "all-to-all:1B")
	if err == nil || !strings.Contains(err.Error(), "this would make about 1.6e+09 flows") || !strings.HasSuffix(err.Error(), "; choose a network of fewer hosts, or fewer sizes and rounds") {
		t.Error(err)
	}
	for rounds, want := range map[int]int{0: 2, 1: 4, 10: 40} {
		if got := (&exchange{sizes: []core.Bytes{1, 2}, rounds: rounds}).messages(); got != want {
			t.Errorf("two sizes in %d rounds: %d flows, want %d", rounds, got, want)
		}
	}
}

// A pattern needs two hosts: with one, a permutation was a flow to itself.
func TestPatternsNeedTwoHosts(t *testing.T) {
	for _, kinds := range [][]topo.Kind{{topo.Switch}, {topo.Switch, topo.Host}} {
		for _, p := range Patterns() {
			flows, err := flowsOf(&topo.Topology{Kinds: kinds}, 1, p.Name+":1KB")
			if want := fmt.Sprintf("pattern %q: %s; two are needed", p.Name+":1KB", [...]string{"0 hosts", "1 host"}[len(kinds)-1]); err == nil || err.Error() != want {
				t.Errorf("got %v, %v; want %s", flows, err, want)
			}
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

// Netgauge's patterns (Pseudo code of the one-many pattern): a message, a byte back, the next message.
func TestMostRounds(t *testing.T) {
	if n := len(patternFlows(t, "one-one:1B,10000", "star:n=2", 1)); n != 20_000 {
		t.Errorf("ten thousand messages and their answers are %d flows", n)
	}
}

func TestRounds(t *testing.T) {
	got := patternFlows(t, "one-many:1KB-3KB,2", "star:n=2", 3)
	client, server := got[0].Src, got[0].Dst
	var want []Flow
	for i, size := range []int64{1000, 1000, 2000, 2000} {
		message := Flow{Src: client, Dst: server, Bytes: size, Prio: 3, Tag: "one-many"}
		if i == 0 {
			message.Start = 5
		} else {
			message.After = []int32{int32(2*i - 1)}
		}
		want = append(want, message,
			Flow{Src: server, Dst: client, Bytes: 1, After: []int32{int32(2 * i)}, Prio: 3, Tag: "one-many-answer"})
	}
	if !equal(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// A flow that waits for the first one of a list still waits for it after the merge.
func TestMergeFollowsTheFirst(t *testing.T) {
	got := Merge([]Flow{{Src: 0, Dst: 1, Start: 100}, {Src: 1, Dst: 0, After: []int32{0}}}, []Flow{{Src: 2, Dst: 0, Start: 5}})
	if want := []Flow{{Src: 2, Dst: 0, Start: 5}, {Src: 0, Dst: 1, Start: 100}, {Src: 1, Dst: 0, After: []int32{1}}}; !equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Every pair has its own chain, whatever lists are merged in which order.
func TestMergeKeepsChains(t *testing.T) {
	rounds := patternFlows(t, "one-many:1KB,3", "star:n=5", 1)
	late := []Flow{{Src: 0, Dst: 1, Bytes: 7, Start: 1}, {Src: 4, Dst: 1, Bytes: 8, Start: 9, After: []int32{0}}, {Src: 1, Dst: 0, Bytes: 9, Start: 99}}
	all := Merge(late, rounds, rounds)
	if len(all) != 3+2*len(rounds) {
		t.Fatalf("%d flows", len(all))
	}
	chained := 0
	for i, f := range all {
		switch {
		case f.After == nil:
		case int(f.After[0]) >= i:
			t.Fatalf("flow %d waits for the later flow %d", i, f.After[0])
		case f.Bytes == 8:
			if all[f.After[0]].Bytes != 7 {
				t.Errorf("%+v follows %+v", f, all[f.After[0]])
			}
		default:
			if p := all[f.After[0]]; f.Src != p.Dst || f.Dst != p.Src || (f.Bytes == 1) == (p.Bytes == 1) {
				t.Errorf("%+v follows %+v", f, p)
			}
			chained++
		}
	}
	if want := 2 * (len(rounds) - 4); chained != want {
		t.Errorf("%d flows wait for others, want %d", chained, want)
	}
	if all[0].Bytes != 7 || all[1].Bytes != 8 || all[len(all)-1].Bytes != 9 {
		t.Errorf("the order is %+v", all)
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
	if !equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The first host need not be node 0.
func TestLongAndShortBehindASwitch(t *testing.T) {
	net := &topo.Topology{Kinds: []topo.Kind{topo.Switch, topo.Host, topo.Host, topo.Host}}
	flows, err := flowsOf(net, 1, "long-and-short:100MB,1MB,1ms")
	if err != nil || len(flows) != 2 || flows[0].Src != 1 || flows[1].Src != 2 || flows[0].Dst != 3 || flows[1].Dst != 3 {
		t.Errorf("got %+v, %v", flows, err)
	}
}

// Every pattern makes flows, no more than it announces and at least half as many, apart from one host that is left out.
func TestFlowsForeseen(t *testing.T) {
	for _, hosts := range []int{2, 3, 8} {
		for _, sizes := range []string{"1KB", "1KB,1", "1KB-8KB,3", "1KB,2,1ms"} {
			e, err := parseExchange(sizes)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range Patterns() {
				if p.fits != nil && p.fits(hosts) != nil {
					continue
				}
				most := p.most(float64(hosts), &e)
				if n := float64(len(patternFlows(t, p.Name+":"+sizes, fmt.Sprintf("star:n=%d", hosts), 1))); n == 0 || n > most || 2*(n+float64(e.messages())) < most {
					t.Errorf("%s:%s of %d hosts: %v flows, not %v", p.Name, sizes, hosts, n, most)
				}
			}
		}
	}
}

// In the pairs of one-one every host meets every other, both as sender and as receiver, depending on the seed.
func TestPairsAreRandom(t *testing.T) {
	met := make(map[[2]core.NodeID]bool)
	for seed := range uint64(100) {
		for _, f := range patternFlows(t, "one-one:1KB", "star:n=4", seed) {
			met[[2]core.NodeID{f.Src, f.Dst}] = true
		}
	}
	if len(met) != 12 {
		t.Errorf("only %v meet", met)
	}
}

// The minimum of everything: one round, and short flows of one host that start at once.
func TestSmallestPatterns(t *testing.T) {
	if flows := patternFlows(t, "one-one:1KB,1", "star:n=2", 1); len(flows) != 2 {
		t.Errorf("a round is %+v", flows)
	}
	if flows := patternFlows(t, "long-and-short:1KB,1KB,0s", "star:n=3", 1); len(flows) != 2 || flows[0].Start != flows[1].Start {
		t.Errorf("without a gap: %+v", flows)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"incast:1KB", `long-and-short (one-many is an incast of all hosts; the key incast, or --incast, makes random ones)`},
		{"ring-allreduce:1KB", `unknown name "ring-allreduce"; did you mean "ring-all-reduce"? known: permutation, `},
		{"permutation:1MB group=4", `unknown key "1MB group"; did you mean "group"? known: hosts, `},
		{"permute:1KB", `unknown name "permute"; known: permutation, all-to-all, one-one, one-many, ring-all-reduce, ring-all-gather, halving-doubling, long-and-short`},
		{"permutation", `"" is not a size (a number and a unit such as 300KB or 64MiB); write permutation:1MB, or permutation:1KB-1MB,10`},
		{"one-many:0", `the size "0" must be positive`},
		{"one-many:1MB,0", `"0" is not a number of rounds from 1 to 10000`},
		{"one-many:1KB-1MB", `sizes from 1KB to 1MB need a number of rounds`},
		{"one-many:1KB,3,", `"" is not a duration`},
		{"one-many:1KB,3,1", `"1" has no unit`},
		{"one-many:1KB,3,-1s", `the pause -1s is not from 0s to 2304000s`},
		{"one-many:1KB,3,641h", `the pause 2307600s is not from 0s to 2304000s; write one-many:1MB, or one-many:1KB-1MB,10 for rounds, and one-many:1MB,10,1ms with pauses`},
		{"one-many:1KB-x,3", `"x" is not a size`},
		{"one-one:2KB-1KB,3", `the sizes from 2KB to 1KB do not grow`},
		{"one-one:1KB,10001", `"10001" is not a number of rounds from 1 to 10000`},
		{"long-and-short:1MB", `it has three values, not 1; write long-and-short:100MB,1MB,1ms`},
		{"long-and-short:1MB,1KB,-1s", `the gap -1s is out of range`},
		{"long-and-short:1MB,1KB,1000h", `the gap 3600000s is out of range`},
		{"long-and-short:1MB,x,1s", `"x" is not a size`},
	} {
		_, err := flowsOf(network(t, "star:n=4"), 1, c.spec)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), fmt.Sprintf("pattern %q: ", c.spec)) {
			t.Errorf("%s: got %v, want %q", c.spec, err, c.want)
		}
	}
	if _, err := flowsOf(network(t, "star:n=6"), 1, "halving-doubling:1KB"); err == nil || !strings.HasSuffix(err.Error(), ": 6 hosts; it is for a power of two, such as 4") {
		t.Errorf("got %v", err)
	}
	if _, err := flowsOf(network(t, "star:n=2"), 1, "long-and-short:1MB,1KB,1s"); err == nil || !strings.Contains(err.Error(), "2 hosts; a long and a short flow") {
		t.Errorf("got %v", err)
	}
}

func FuzzPatternFlows(f *testing.F) {
	for _, seed := range []string{"permutation:1KB", "one-one:5", "long-and-short:1MB,1KB,1us", "all-to-all:", "one-many:1KB-9KB,2", "ring-all-reduce:5,2", "halving-doubling:1KB,3,1ms", "permutation:1KB,hosts=0-1,3", "ring-all-reduce:1KB,2,group=2,stride=2,tag=x{group}.{round}", "one-one:1KB,hosts=3,0-2:2,1", "all-to-all:1KB,after=a,start=5us", "permutation:1KB,hosts=2-3,start=1ns,after=a,tag=a"} {
		f.Add(seed)
	}
	net := network(f, "star:n=4")
	f.Fuzz(func(t *testing.T, spec string) {
		flows, err := flowsOf(net, 1, "one-many:1KB,2,hosts=0-2,tag=a", spec)
		if err == nil && len(flows) == 8 {
			t.Fatalf("%q gives no flows", spec)
		}
		for i, fl := range flows {
			if fl.Src == fl.Dst || fl.Bytes < 1 || fl.Start < 0 || slices.ContainsFunc(fl.After, func(earlier int32) bool { return int(earlier) >= i }) {
				t.Fatalf("%q gives %+v", spec, fl)
			}
		}
	})
}

// The longest and the shortest pause are allowed, and sizes that double end where they can double no more.
func TestExchangeLimits(t *testing.T) {
	for text, want := range map[string]exchange{
		"1B,1,0s":       {sizes: []core.Bytes{1}, rounds: 1},
		"1B,10000,640h": {sizes: []core.Bytes{1}, rounds: 10_000, pause: longestPause},
		"4611686018427387904B-9000000000000000000B,1": {sizes: []core.Bytes{1 << 62}, rounds: 1},
		"2305843009213693952B-9000000000000000000B,1": {sizes: []core.Bytes{1 << 61, 1 << 62}, rounds: 1},
	} {
		if got, err := parseExchange(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}
