package workloads

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A pattern that starts later is the same pattern with other starts of its first flows.
func TestStartOfPatterns(t *testing.T) {
	net := network(t, "star:n=8")
	for _, spec := range everyPattern() {
		for _, keys := range []string{"", ",hosts=0-3", ",group=4,tag=x"} {
			now, err := flowsOf(net, 1, spec+keys)
			if err != nil {
				t.Fatal(err)
			}
			later, err := flowsOf(net, 1, spec+keys+", start = 7us ")
			if err != nil {
				t.Fatal(err)
			}
			for i := range now {
				if now[i].After == nil {
					now[i].Start += 7e6
				}
			}
			if !equal(now, later) {
				t.Errorf("%s%s: later it is %+v, want %+v", spec, keys, later, now)
			}
		}
	}
}

// ungrouped returns the flows of patterns without the numbers of groups.
func ungrouped(t *testing.T, specs ...string) []Flow {
	t.Helper()
	flows, err := flowsOf(network(t, "star:n=16"), 4, specs...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range flows {
		flows[i].Group = 0
	}
	return flows
}

// Where patterns follow each other as their rounds do, they are these: collectives, and pairs of which one host always
// begins. And a reduction in a ring is two gathers.
func TestPatternsAsRounds(t *testing.T) {
	const tag, after = ",tag=x,start=5ns", ",tag=x,after=x,start=3us"
	for _, keys := range []string{"", ",group=4", ",hosts=15,1-6,0,stride=2", ",group=2,stride=8"} {
		for _, p := range Patterns() {
			if p.collective {
				once, twice := p.Name+":5KB"+keys, p.Name+":5KB,2,3us"+keys
				if got, want := ungrouped(t, once+tag, once+after), ungrouped(t, twice+tag); !equal(got, want) {
					t.Errorf("%s twice: got %+v, want %+v", once, got, want)
				}
			}
		}
		for _, name := range []string{"one-many", "one-one"} {
			once, twice := name+":5KB,1"+keys, name+":5KB,2,3us"+keys
			if got, want := ungrouped(t, once+tag, once+after), ungrouped(t, twice+tag); !equal(got, want) {
				t.Errorf("%s twice: got %+v, want %+v", once, got, want)
			}
		}
		half := "ring-all-gather:5KB" + keys + ",tag=x"
		if got, want := ungrouped(t, half, half+",after=x"), ungrouped(t, "ring-all-reduce:5KB,tag=x"+keys); !equal(got, want) {
			t.Errorf("two gathers%s: got %+v, want %+v", keys, got, want)
		}
	}
}

// waitsOf lists what the flows with a tag wait for, as SOURCE-DESTINATION: PAIRS.
func waitsOf(flows []Flow, tag string) string {
	var list []string
	for _, f := range flows {
		if f.Tag == tag {
			var of []string
			for _, earlier := range f.After {
				of = append(of, fmt.Sprintf("%d-%d", flows[earlier].Src, flows[earlier].Dst))
			}
			slices.Sort(of)
			list = append(list, fmt.Sprintf("%d-%d: %s", f.Src, f.Dst, strings.Join(of, " ")))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// A host waits for what it sends and receives: all of it, or with rounds the answers. In collectives it waits for the last
// flow that it receives. One that takes no part does not wait.
func TestAfterPatterns(t *testing.T) {
	for _, c := range []struct{ patterns, want string }{
		{"all-to-all:1KB,hosts=0-2 ring-all-gather:2KB,hosts=0-1,after=all-to-all,tag=x", "0-1: 0-1 0-2 1-0 2-0, 1-0: 0-1 1-0 1-2 2-1"},
		{"all-to-all:1KB,hosts=0-1,tag=a ring-all-gather:3KB,hosts=2,1,3,after=a,tag=x", "1-3: 0-1 1-0, 1-3: 2-1, 2-1: , 2-1: 3-2, 3-2: , 3-2: 1-3"},
		{"ring-all-reduce:3KB,hosts=0-2,tag=a all-to-all:1KB,hosts=0-3,after=a,tag=x",
			"0-1: 2-0, 0-2: 2-0, 0-3: 2-0, 1-0: 0-1, 1-2: 0-1, 1-3: 0-1, 2-0: 1-2, 2-1: 1-2, 2-3: 1-2, 3-0: , 3-1: , 3-2: "},
		{"all-to-all:1KB,3,hosts=0-1,tag=a all-to-all:1KB,hosts=0-1,after=a,tag=x", "0-1: 0-1 1-0, 1-0: 0-1 1-0"},
		{"ring-all-gather:3KB,group=2,tag=a{group} ring-all-gather:3KB,hosts=0-2:2,after=a{group},tag=x", "0-2: 1-0, 2-0: 3-2"},
		{"ring-all-gather:3KB,4,hosts=0-1,tag=a{round} one-many:3KB,hosts=0-1,after=a{round},tag=x", "1-0: 0-1"},
		{"one-many:3KB,hosts=0-2,tag=a ring-all-gather:1KB,hosts=0-1,after=a,tag=x", "0-1: 1-0 2-0, 1-0: 1-0"},
		{"long-and-short:3KB,1KB,1us,hosts=0-3,tag=a long-and-short:3KB,1KB,1us,hosts=3,1,0,after=a,tag=x", "3-0: 0-3 1-3 2-3"},
		{"long-and-short:3KB,1KB,1us long-and-short:3KB,1KB,1us,hosts=3,1,0,after=long-and-short,tag=x", "3-0: 0-3 1-3 2-3"},
		{"ring-all-gather:3KB,hosts=0-1,tag=a ring-all-gather:3KB,hosts=0-2:2,tag=a ring-all-gather:3KB,hosts=1,0,tag=b ring-all-gather:3KB,hosts=0-1,tag=x,after=a", "0-1: 1-0 2-0, 1-0: 0-1"},
		{"ring-all-gather:3KB,hosts=0-1,tag=a ring-all-gather:3KB,hosts=1-2,tag=b,after=a ring-all-gather:3KB,hosts=0-1,tag=x,after=b", "0-1: , 1-0: 2-1"},
	} {
		flows, err := flowsOf(network(t, "star:n=4"), 1, strings.Fields(c.patterns)...)
		if err != nil {
			t.Fatal(err)
		}
		tag := "x"
		if strings.Contains(c.patterns, " long-and-short") {
			tag = "x-long"
		}
		if got := waitsOf(flows, tag); got != c.want {
			t.Errorf("%s: got %s, want %s", c.patterns, got, c.want)
		}
	}
}

// Drawn at random, the first flows of the last pattern wait for what a twin finds that asks of every flow before whether
// it ends the part of the host; all others are those of patterns without after.
func TestAfterTwin(t *testing.T) {
	net := network(t, "star:n=9")
	names := everyPattern()
	waiting, free := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var specs []string
		var collective, ours []bool
		for k := range 4 {
			spec := names[rng.IntN(len(names))]
			if rng.IntN(2) == 0 && !strings.HasPrefix(spec, longAndShort) {
				spec = strings.TrimSuffix(spec, "-10KB,2,3us")
			}
			spec += []string{",hosts=0-7", ",hosts=8,3-5", ",hosts=1-8,group=4", ",hosts=0-7,stride=2"}[rng.IntN(4)]
			tag := []string{"x", "y"}[rng.IntN(2)]
			if k == 0 {
				tag = "x"
			}
			collective, ours = append(collective, strings.HasPrefix(spec, "ring") || strings.HasPrefix(spec, "halving")), append(ours, tag == "x")
			specs = append(specs, spec+",tag="+tag)
		}
		s, alone := Phases{Topology: net, Seed: seed}, Phases{Topology: net, Seed: seed}
		for k, spec := range specs {
			after := ""
			if k == 3 {
				after = ",after=x"
			}
			if err := s.Add(spec + after); err != nil {
				t.Fatal(err)
			}
			if err := alone.Add(spec); err != nil {
				t.Fatal(err)
			}
		}
		followed := make(map[int32]bool)
		for _, f := range alone.flows {
			for _, earlier := range f.After {
				followed[earlier] = true
			}
		}
		of := func(flow int) int { // its pattern
			return slices.IndexFunc(alone.patterns, func(p phase) bool { return flow < p.to })
		}
		for i, want := range alone.flows {
			if want.After == nil && of(i) == 3 {
				for k, f := range alone.flows {
					p := of(k)
					if p < 3 && ours[p] && !followed[int32(k)] && (f.Dst == want.Src || f.Src == want.Src && !collective[p]) {
						want.After = append(want.After, int32(k))
					}
				}
				if want.After == nil {
					free++
				} else {
					waiting++
				}
			}
			if !equal(s.flows[i:i+1], []Flow{want}) {
				t.Fatalf("%v: got %+v, want %+v", specs, s.flows[i], want)
			}
		}
	}
	if waiting < 1000 || free < 100 {
		t.Errorf("%d flows wait, %d do not", waiting, free)
	}
}

func TestPhaseErrors(t *testing.T) {
	for _, c := range []struct{ patterns, want string }{
		{"permutation:1KB,start=", `start: "" is not a duration`},
		{"permutation:1KB,start=5", `start: "5" has no unit`},
		{"permutation:1KB,start=-1ns", "start: -1ns is not from 0s to 2304000s"},
		{"permutation:1KB,start=641h", "start: 2307600s is not from 0s to 2304000s"},
		{"permutation:1KB,start=1s,start=2s", "start is given twice"},
		{"permutation:1KB,start=1s,2s", `"2s" stands behind start=, which has one value: what has no key comes first`},
		{"permutation:1KB,after=", "after: write the tag of a pattern before this one, or its name if it has chosen none"},
		{"permutation:1KB,after=permutation", `after: no pattern before this one has the tag "permutation"; there is none`},
		{"permutation:1KB,tag=abcd permutation:1KB,tag=y permutation:1KB,tag=abcd one-one:1KB,after=abcde", `after: no pattern before this one has the tag "abcde"; did you mean "abcd"? known: abcd, y` + "\n"},
		{"permutation:1KB,tag=x permutation:1KB,tag=x one-one:1KB,after=permutation", `after: no pattern before this one has the tag "permutation"; known: x`},
		{"permutation:1KB,group=2,tag=tp{group} one-one:1KB,after=tp0", `after: no pattern before this one has the tag "tp0"; known: tp{group}`},
		{"one-one:1KB,2,tag=x one-one:1KB,after=x-answer", `after: no pattern before this one has the tag "x-answer"; known: x`},
		{"one-one:1KB,hosts=0-1,tag=x one-one:1KB,hosts=2-3,after=x", `after: none of its hosts takes part in "x", and hosts wait for flows of their own: choose hosts of it, or delay all with start=`},
	} {
		specs := strings.Fields(c.patterns)
		_, err := flowsOf(network(t, "star:n=4"), 1, specs...)
		if prefix := fmt.Sprintf("pattern %q: ", specs[len(specs)-1]); err == nil || !strings.HasPrefix(err.Error()+"\n", prefix+c.want) {
			t.Errorf("%s: got %v, want %s", c.patterns, err, c.want)
		}
	}
}

// Hosts that may meet, but of which none begins by chance what the others end, are no mistake under any seed.
func TestAfterByChance(t *testing.T) {
	waits := make(map[int]int)
	for seed := range uint64(20) {
		flows, err := flowsOf(network(t, "star:n=3"), seed, "one-one:1KB,hosts=0-1,tag=a", "one-one:1KB,hosts=1-2,after=a")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range flows {
			if f.Tag == "one-one" {
				waits[len(f.After)]++
			}
		}
	}
	if waits[0] == 0 || waits[1] == 0 || waits[0]+waits[1] != 20 {
		t.Errorf("flows by what they wait for: %v", waits)
	}
}

// In a merged list a flow that waits for several counts as the last of them.
func TestMergeOfSeveral(t *testing.T) {
	list := []Flow{{Src: 1, Start: 3, Bytes: 1}, {Src: 2, Start: 9, Bytes: 2}, {Src: 3, Start: 5, Bytes: 3}, {Start: 1, After: []int32{0, 1, 2}, Bytes: 4}, {After: []int32{3, 0}, Bytes: 5}}
	got := Merge([]Flow{{Src: 2, Start: 8, Bytes: 6}, {Src: 3, Start: 9, Bytes: 7}}, list)
	want := []Flow{
		list[0], list[2], {Src: 2, Start: 8, Bytes: 6}, list[1], {Start: 1, After: []int32{0, 3, 1}, Bytes: 4}, {After: []int32{4, 0}, Bytes: 5}, {Src: 3, Start: 9, Bytes: 7},
	}
	if !equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !slices.Equal(list[3].After, []int32{0, 1, 2}) {
		t.Errorf("the merge has changed its lists: %+v", list)
	}
}
