package workloads

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Played by hand, every host ends with all hosts' data of every piece, and sends one flow a step.
func TestRingAllReduce(t *testing.T) {
	for hosts := 2; hosts < 6; hosts++ {
		flows := patternFlows(t, "ring-all-reduce:1000B-2000B,3", fmt.Sprintf("star:n=%d", hosts), 1)
		steps := 2 * (hosts - 1)
		if want := 2 * 3 * steps * hosts; len(flows) != want {
			t.Fatalf("%d hosts: %d flows, want %d", hosts, len(flows), want)
		}
		sends, follower := make([]int, hosts), make([]int, len(flows)) // by host: its flow of the step; by flow
		for i, f := range flows {
			if f.After > 0 {
				follower[f.After-1] = i
			} else {
				sends[f.Src] = i
			}
		}
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
					if got.After = 0; got != want {
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
