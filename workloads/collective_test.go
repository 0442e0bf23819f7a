package workloads

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// firstOf returns the index of every host's first flow and, by flow, of the one that waits for it.
func firstOf(flows []Flow, hosts int) (sends, follower []int) {
	sends, follower = make([]int, hosts), make([]int, len(flows))
	for i, f := range flows {
		if f.After != nil {
			follower[f.After[0]] = i
		} else {
			sends[f.Src] = i
		}
	}
	return sends, follower
}

// Played by hand, every host ends with all hosts' data of every piece, and sends one flow a step.
func TestRingAllReduce(t *testing.T) {
	for hosts := 2; hosts < 6; hosts++ {
		flows := patternFlows(t, "ring-all-reduce:1000B-2000B,3", fmt.Sprintf("star:n=%d", hosts), 1)
		steps := 2 * (hosts - 1)
		if want := 2 * 3 * steps * hosts; len(flows) != want {
			t.Fatalf("%d hosts: %d flows, want %d", hosts, len(flows), want)
		}
		sends, follower := firstOf(flows, hosts)
		before := func(h int) int { return (h + hosts - 1) % hosts }
		for round := range 6 {
			pieces := make([]map[int]int, hosts) // by host: what it has of a piece, a bit for every host's
			for h := range pieces {
				pieces[h] = make(map[int]int)
				for piece := range hosts {
					pieces[h][piece] = 1 << h
				}
			}
			for step := range steps {
				want := Flow{Bytes: int64(1000*(1+round/3)+hosts-1) / int64(hosts), Prio: 3, Tag: "ring-all-reduce"}
				if round+step == 0 {
					want.Start = 5
				}
				passed := func(from int) int { return (from - step + 2*hosts) % hosts }
				sent := make([]int, hosts)
				for h := range hosts {
					sent[h] = pieces[h][passed(h)]
					want.Src, want.Dst = core.NodeID(h), core.NodeID((h+1)%hosts)
					got := flows[sends[h]]
					if got.After = nil; !equal([]Flow{got}, []Flow{want}) {
						t.Fatalf("%d hosts, round %d, step %d: got %+v, want %+v", hosts, round, step, got, want)
					}
				}
				next := make([]int, hosts)
				for h := range hosts {
					pieces[h][passed(before(h))] |= sent[before(h)]
					next[h] = follower[sends[before(h)]] // waits for what the host receives
				}
				sends = next
			}
			for h := range pieces {
				for piece, of := range pieces[h] {
					if of != 1<<hosts-1 {
						t.Errorf("%d hosts: host %d has %b of piece %d", hosts, h, of, piece)
					}
				}
			}
		}
	}
}

// Sizes follow one another, each for its rounds; without rounds there is one reduction.
func TestRingSizes(t *testing.T) {
	for spec, want := range map[string][]int64{"1000B": {500}, "1000B-4000B,1": {500, 1000, 2000}, "1000B-2000B,2": {500, 500, 1000, 1000}} {
		flows := patternFlows(t, "ring-all-reduce:"+spec, "star:n=2", 1)
		var got []int64
		for i := 0; i < len(flows)/2; i += 2 { // of two chains of flows the first, which has two a reduction
			got = append(got, flows[i].Bytes)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: pieces of %d bytes, want %d", spec, got, want)
		}
	}
}

// A gather is one trip around the ring.
func TestRingAllGather(t *testing.T) {
	both, once := patternFlows(t, "ring-all-reduce:1000B", "star:n=5", 1), patternFlows(t, "ring-all-gather:1000B", "star:n=5", 1)
	steps := make(map[string]int)
	for i, flows := range [][]Flow{both, once} {
		for _, f := range flows {
			steps[fmt.Sprint(i, f.Src, f.Dst, f.Bytes)]++
		}
	}
	if len(once) != 4*5 || len(both) != 2*len(once) || len(steps) != 2*5 || steps["1 4 0 200"] != 4 {
		t.Errorf("%d flows, %d of a reduction: %v", len(once), len(both), steps)
	}
}

// Played by hand, halving leaves every host with one piece of all hosts, and doubling with all pieces.
func TestHalvingDoubling(t *testing.T) {
	for _, hosts := range []int{2, 4, 16} {
		flows := patternFlows(t, "halving-doubling:1601B,2,7ps", fmt.Sprintf("star:n=%d", hosts), 1)
		steps := 0
		for n := hosts; n > 1; n /= 2 {
			steps += 2
		}
		sends, follower := firstOf(flows, hosts)
		has := make([]map[int]int, hosts) // by host: of a piece, a bit for every host's
		for k := range 2 * steps {
			if k%steps == 0 {
				for h := range has {
					has[h] = make(map[int]int)
					for piece := range hosts {
						has[h][piece] = 1 << h
					}
				}
			}
			step := k % steps
			apart := hosts >> (1 + min(step, steps-1-step))
			sent := make([]map[int]int, hosts)
			for h := range hosts {
				f := flows[sends[h]]
				want := Flow{Src: core.NodeID(h), Dst: core.NodeID(h ^ apart), Bytes: int64((1601*apart + hosts - 1) / hosts), Prio: 3, Tag: "halving-doubling"}
				switch k {
				case 0:
					want.Start = 5
				case steps:
					want.Start = 7
				}
				if f.After = nil; !equal([]Flow{f}, []Flow{want}) {
					t.Fatalf("%d hosts, step %d: got %+v, want %+v", hosts, k, f, want)
				}
				sent[h] = make(map[int]int)
				for piece, of := range has[h] {
					if step >= steps/2 || (piece^h)&apart != 0 {
						sent[h][piece] = of
					}
				}
				if len(sent[h]) != apart {
					t.Fatalf("%d hosts, step %d: %d pieces for %d bytes", hosts, k, len(sent[h]), f.Bytes)
				}
			}
			next := make([]int, hosts)
			for h := range hosts {
				next[h] = follower[sends[h^apart]] // waits for what the host receives
				for piece := range sent[h] {
					if step < steps/2 {
						delete(has[h], piece)
					}
				}
				for piece, of := range sent[h^apart] {
					has[h][piece] |= of
				}
			}
			sends = next
			for h := range hosts {
				if all := 1<<hosts - 1; step == steps/2-1 && (len(has[h]) != 1 || has[h][h] != all) || step == steps-1 && (len(has[h]) != hosts || has[h][h^1] != all) {
					t.Errorf("%d hosts, step %d: host %d has %b", hosts, k, h, has[h])
				}
			}
		}
	}
}

// Pauses come before every round but the first: of messages after the answer, of collectives after the last flow.
func TestPauses(t *testing.T) {
	for spec, want := range map[string][]core.Time{
		"one-one:1KB,3,1ns": {5, 0, 1000, 0, 1000, 0}, "one-one:1KB-2KB,1,1ns": {5, 0, 1000, 0}, "one-one:1KB,1,1ns": {5, 0},
		"ring-all-gather:1KB,3,1ns": {5, 1000, 1000}, "ring-all-reduce:1KB,2,1ns": {5, 0, 1000, 0},
	} {
		flows := patternFlows(t, spec, "star:n=2", 1)
		_, follower := firstOf(flows, 2)
		got := []core.Time{flows[0].Start}
		for i := follower[0]; i > 0; i = follower[i] {
			got = append(got, flows[i].Start)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: starts %v, want %v", spec, got, want)
		}
	}
}
