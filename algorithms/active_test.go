package algorithms

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// The twin is a map of times: it gives the same answers over a long random history, with few and
// with many flows, and every slot belongs to one flow.
func TestActiveFlowsAgainstMap(t *testing.T) {
	const timeout = 1000
	for _, flows := range []uint64{3, 40, 2000} {
		var a ActiveFlows
		a.Reset(timeout)
		r := rand.New(rand.NewPCG(flows, 1))
		seen := make(map[uint64]core.Time)
		slots := make(map[int]uint64)
		now := core.Time(0)
		for range 20_000 {
			now += core.Time(r.IntN(100))
			for k, at := range seen {
				if now.Sub(at) > timeout {
					delete(seen, k)
				}
			}
			if r.IntN(4) == 0 {
				a.Expire(now)
			} else {
				key := r.Uint64N(flows)
				_, known := seen[key]
				seen[key] = now
				slot, fresh := a.See(now, key)
				if fresh == known {
					t.Fatalf("flow %d at %v: fresh is %v", key, now, fresh)
				}
				if owner, ok := slots[slot]; known && (!ok || owner != key) {
					t.Fatalf("flow %d moved to slot %d, which was of %d", key, slot, owner)
				}
				slots[slot] = key
			}
			listed, last := 0, core.Time(0)
			for i := a.Oldest(); i >= 0; i = a.Younger(i) {
				at, ok := seen[slots[i]]
				if !ok || at < last {
					t.Fatalf("at %v: slot %d of flow %d, seen at %v after %v", now, i, slots[i], at, last)
				}
				last = at
				listed++
			}
			if a.Len() != len(seen) || listed != len(seen) {
				t.Fatalf("at %v: %d flows, want %d", now, a.Len(), len(seen))
			}
		}
	}
}

func TestActiveFlowsEdges(t *testing.T) {
	var a ActiveFlows
	a.Reset(10)
	a.Expire(5)
	a.See(0, 7)
	a.Expire(10)
	if a.Len() != 1 {
		t.Errorf("%d flows when the time-out has just come, want 1", a.Len())
	}
	a.Expire(11)
	if a.Len() != 0 {
		t.Errorf("%d flows after the time-out, want 0", a.Len())
	}
	a.See(20, 1)
	a.See(20, 2)
	a.Forget(0)
	if slot, fresh := a.See(20, 1); a.Len() != 2 || !fresh || slot != 0 || a.Oldest() != 1 {
		t.Errorf("seen again when forgotten: slot %d, fresh %v, %d flows; want 0, true, 2", slot, fresh, a.Len())
	}
	a.Reset(10)
	if slot, fresh := a.See(21, 2); slot != 0 || !fresh || a.Len() != 1 {
		t.Errorf("after a reset: slot %d, fresh %v, %d flows; want 0, true, 1", slot, fresh, a.Len())
	}
}

func TestActiveFlowsDoesNotAllocate(t *testing.T) {
	var a ActiveFlows
	a.Reset(50)
	now, key := core.Time(0), uint64(0)
	step := func() { now++; key++; a.See(now, key) }
	for range 200 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("%v allocations per flow, want none", n)
	}
}

func TestFlowKey(t *testing.T) {
	base := core.Packet{Src: 1, Dst: 2, SrcPort: 3, DstPort: 4}
	other := []core.Packet{
		{Src: 2, Dst: 1, SrcPort: 3, DstPort: 4}, {Src: 1, Dst: 3, SrcPort: 3, DstPort: 4},
		{Src: 1, Dst: 2, SrcPort: 4, DstPort: 3}, {Src: 1, Dst: 2, SrcPort: 3, DstPort: 5},
	}
	for i := range other {
		if FlowKey(&other[i]) == FlowKey(&base) {
			t.Errorf("%+v has the key of %+v", other[i], base)
		}
	}
	same := base
	same.Seq, same.SrcQP = 1000, 9
	if FlowKey(&same) != FlowKey(&base) {
		t.Error("two packets of a flow have different keys")
	}
}
