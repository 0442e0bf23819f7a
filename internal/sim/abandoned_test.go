package sim

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A chain of flows is given up on a stack that does not grow with its length.
func TestLongChainIsAbandoned(t *testing.T) {
	const flows = 100_000
	n := &Network{Setup: &Setup{Flows: make([]Flow, flows)}, ledger: ledger{flows: make([]flowState, flows), nextQP: []int32{1}}}
	n.parts = []*part{{n: n}}
	for i := 1; i < flows; i++ {
		n.Setup.Flows[i].After = []int32{int32(i - 1)}
	}
	n.chooseFollowers()
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	n.flows[0].state = failed
	n.parts[0].tellFollowers(0, failed)
	if n.Ended() != flows-1 || !n.abandoned(1) || !n.abandoned(flows-1) || n.abandoned(0) {
		t.Errorf("%d flows given up, want %d", n.Ended(), flows-1)
	}
}

// A flow that waits for several that fail is given up once, and not at all if its source receives all of them in the
// end.
func TestSeveralFail(t *testing.T) {
	flows := []Flow{{Src: 0, Dst: 2}, {Src: 1, Dst: 2}, {Src: 2, Dst: 0, After: []int32{0, 1}}, {Src: 0, Dst: 1, After: []int32{0, 2}}}
	n := &Network{Setup: &Setup{Flows: flows}, ledger: ledger{flows: make([]flowState, len(flows)), nextQP: make([]int32, 3), srcPorts: make(map[[2]core.NodeID]uint16)}}
	n.parts = []*part{{n: n}}
	n.numberAll()
	n.chooseFollowers()
	for i := range 2 {
		n.flows[i].state = failed
		n.parts[0].tellFollowers(i, failed)
		if n.Ended() != 2 || !n.abandoned(2) || !n.abandoned(3) {
			t.Errorf("%d flows given up, want 2", n.Ended())
		}
	}
	n.noteReceived(1)
	if n.Ended() != 2 {
		t.Errorf("one is received: %d flows given up, want 2", n.Ended())
	}
	n.noteReceived(0)
	if n.abandoned(2) || !n.abandoned(3) || n.Ended() != 1 {
		t.Errorf("both are received: %d flows given up, want 1: who waits for the sender's acknowledgement", n.Ended())
	}
}

// Flows that wait for one that fails and for one that was received in vain are told apart, although the number left is
// the same.
func TestFailuresThatChange(t *testing.T) {
	flows := []Flow{{Src: 0, Dst: 2}, {Src: 1, Dst: 2}, {Src: 2, Dst: 0, After: []int32{0}}, {Src: 2, Dst: 1, After: []int32{1}}}
	n := &Network{Setup: &Setup{Flows: flows}, ledger: ledger{flows: make([]flowState, len(flows)), nextQP: make([]int32, 3), srcPorts: make(map[[2]core.NodeID]uint16)}}
	n.numberAll()
	n.chooseFollowers()
	n.parts, n.cut = []*part{{n: n}, {n: n}}, make([]uint8, 3) // the receiver is not in the last part
	n.flows[0].state = failed
	n.parts[0].tellFollowers(0, failed)
	if !n.abandoned(2) || n.abandoned(3) || n.Ended() != 1 {
		t.Error("flow 0 failed: want flow 2, which waits for it, abandoned, and flow 3 not; 1 ended")
	}
	n.noteReceived(0)
	n.parts[0].tellFollowers(1, failed)
	if n.abandoned(2) || !n.abandoned(3) || n.Ended() != 1 {
		t.Error("flow 0 was received after all and flow 1 failed: want flow 3 abandoned, and flow 2 not; 1 ended")
	}
}

// The flows that wait in vain for others that fail one by one are not gathered again for each: memory is in proportion.
func TestManyFail(t *testing.T) {
	const failures = 4000
	flows := make([]Flow, 2*failures)
	for i := range failures {
		flows[i] = Flow{Src: 0, Dst: 1}
		flows[failures+i] = Flow{Src: 1, Dst: 0, After: []int32{int32(i)}}
	}
	n := &Network{Setup: &Setup{Flows: flows}, ledger: ledger{flows: make([]flowState, len(flows)), nextQP: make([]int32, 2), srcPorts: make(map[[2]core.NodeID]uint16)}}
	n.parts = []*part{{n: n}}
	n.numberAll()
	n.chooseFollowers()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range failures {
		n.flows[i].state = failed
		n.parts[0].tellFollowers(i, failed)
		if n.Ended() != i+1 {
			t.Fatalf("%d flows given up after %d failures", n.Ended(), i+1)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / failures; each > 1000 {
		t.Errorf("%d bytes for each of %d failures", each, failures)
	}
}

// Flows in a ladder, each waiting for both of the rung before, are given up once each: there are 2^64 ways up.
func TestLadderIsAbandoned(t *testing.T) {
	flows := make([]Flow, 130)
	for i := 2; i < len(flows); i++ {
		rung := int32(i/2*2 - 2)
		flows[i].After = []int32{rung, rung + 1}
	}
	n := &Network{Setup: &Setup{Flows: flows}, ledger: ledger{flows: make([]flowState, len(flows)), nextQP: []int32{int32(len(flows))}}}
	n.parts = []*part{{n: n}}
	n.chooseFollowers()
	n.parts[0].tellFollowers(0, failed)
	if n.Ended() != 128 {
		t.Errorf("%d flows are given up", n.Ended())
	}
}
