package sim

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/none"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// starts is a loop that notes which flows start.
type starts struct {
	loop
	flows []int
}

// Now implements loop.
func (s *starts) Now() core.Time { return 0 }

// later implements loop.
func (s *starts) later(flow int, _ core.Time) { s.flows = append(s.flows, flow) }

// waitingNetwork is a network of three hosts, as far as it knows which flows wait for others, and what notes their starts.
func waitingNetwork(flows []Flow) (*Network, *starts) {
	n := &Network{Setup: &Setup{Flows: flows}, ledger: ledger{flows: make([]flowState, len(flows)), nextQP: make([]int32, 3), srcPorts: make(map[[2]core.NodeID]uint16)}}
	s := new(starts)
	n.parts, n.loop = []*part{{n: n}}, s
	n.numberAll()
	n.chooseFollowers()
	return n, s
}

// randomFlows are flows between three hosts. Some wait for what lists of their source hold so far; such flows share memory
// until the list moves to other memory, or some time after that. A few share that of another source.
func randomFlows(rng *rand.Rand) []Flow {
	flows := make([]Flow, 60)
	var lists, old [3][]int32
	for i := range flows {
		f := &flows[i]
		f.Src = core.NodeID(rng.IntN(3))
		f.Dst = (f.Src + 1 + core.NodeID(rng.IntN(2))) % 3
		of := f.Src
		if rng.IntN(20) == 0 {
			of = f.Dst
		}
		switch list := lists[of]; rng.IntN(6) {
		case 0:
		case 1:
			f.After = slices.Clip(old[of])
		case 2:
			f.After = slices.Clip(list[:rng.IntN(len(list)+1)])
		default:
			f.After = slices.Clip(list)
		}
		for range rng.IntN(3) {
			if earlier := int32(rng.IntN(i + 1)); !slices.Contains(lists[f.Src], earlier) {
				old[f.Src] = lists[f.Src]
				lists[f.Src] = append(lists[f.Src], earlier)
			}
		}
		if rng.IntN(15) == 0 {
			lists[f.Src], old[f.Src] = nil, nil
		}
	}
	return flows
}

// Flows that share what they wait for start, in the same order, and are given up as if each had its own list: when flows end,
// fail, are received although they have failed, or before the sender fails.
func TestRowsAreFlows(t *testing.T) {
	started, givenUp, inRows := 0, 0, 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 0))
		flows := randomFlows(rng)
		shared, of := waitingNetwork(flows)
		apart := slices.Clone(flows)
		for i := range apart {
			apart[i].After = slices.Clone(apart[i].After)
		}
		alone, want := waitingNetwork(apart)
		for i, head := range alone.followers.head {
			if int(head) != i || alone.followers.next[i] != 0 {
				t.Fatal("lists of their own are shared")
			}
			if int(shared.followers.head[i]) != i {
				inRows++
			}
		}
		failing := rng.IntN(3) > 0
		for _, i := range rng.Perm(len(flows)) {
			state, received := finished, rng.IntN(2)
			if failing && rng.IntN(8) == 0 {
				state = failed
			}
			for _, n := range []*Network{shared, alone} {
				p, f := n.parts[0], &n.Setup.Flows[i]
				if received > 0 {
					p.received(f.Dst, n.flows[i].dstQP)
				}
				n.flows[i].state = state
				p.tellFollowers(i, state)
				if late := i / 2; received == 0 && n.flows[late].state == failed {
					p.received(n.Setup.Flows[late].Dst, n.flows[late].dstQP)
				}
			}
			if !slices.Equal(of.flows, want.flows) {
				t.Fatalf("seed %d: %v start, want %v", seed, of.flows, want.flows)
			}
			if got, want := shared.allAbandoned(), alone.allAbandoned(); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: given up are %v, want %v", seed, got, want)
			}
			for f := range flows {
				if got, want := shared.released(f), alone.released(f); got != want {
					t.Fatalf("seed %d: flow %d need not wait: %v, want %v", seed, f, got, want)
				}
			}
			givenUp = max(givenUp, len(shared.allAbandoned()))
		}
		started += len(want.flows)
	}
	if started < 10_000 || givenUp < 20 || inRows < 5000 {
		t.Errorf("%d flows start, at most %d are given up at once, %d stand behind others", started, givenUp, inRows)
	}
}

// What waits for the flows of a host waits for each once, however many flows share the list or its beginning.
func TestRowsAreRegisteredOnce(t *testing.T) {
	list := []int32{0, 1, 2, 3}
	flows := []Flow{{Src: 0, Dst: 1}, {Src: 1, Dst: 0}, {Src: 2, Dst: 0}, {Src: 0, Dst: 2}}
	for range 5 {
		flows = append(flows, Flow{Src: 0, Dst: 1, After: list[:2]}, Flow{Src: 0, Dst: 2, After: list[:2]})
	}
	for range 5 {
		flows = append(flows, Flow{Src: 0, Dst: 1, After: list})
	}
	n, _ := waitingNetwork(flows)
	for i, want := range [][]int32{{4}, {4}, {14}, {14}, {}} {
		if got := n.followers.of(i); !slices.Equal(got, want) {
			t.Errorf("for flow %d wait %v, want %v", i, got, want)
		}
	}
}

// Why flows do not start that wait for the same ones is found out once.
func TestWhyRowsWait(t *testing.T) {
	const many = 2000
	var flows []Flow
	var first []int32
	for i := range many {
		flows = append(flows, Flow{Src: 1, Dst: 0, Bytes: 1000, Prio: 3})
		first = append(first, int32(i))
	}
	for range many {
		flows = append(flows, Flow{Src: 0, Dst: 1, Bytes: 1000, Prio: 3, After: first})
	}
	network, err := topo.Parse("star:n=2")
	if err != nil {
		t.Fatal(err)
	}
	scheme, _ := none.New(none.Defaults())
	n, err := Build(&Setup{
		Profile: Native(), Topology: network, Flows: flows, Schemes: []algorithms.Scheme{scheme},
		Stop: 1000, MTU: 1000, Header: 48, AckHeader: 60, MinPacket: 60, Buffer: 1 << 24,
	}, deaf{})
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	why := n.Why(false)
	for i := range flows {
		r := n.Record(i)
		if reason, stuck := why.Unfinished(&r); i >= many && (stuck || reason != "a flow that it waits for (after) did not finish in time") {
			t.Fatalf("flow %d: %s, stuck: %v", i, reason, stuck)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / many; each > 5000 {
		t.Errorf("%d bytes for each flow", each)
	}
}
