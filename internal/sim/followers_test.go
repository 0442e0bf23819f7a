package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A flow that waits for many does not look again at every end at those that have ended.
func TestManyAwaited(t *testing.T) {
	flows := []Flow{{Src: 0, Dst: 1}, {Src: 0, Dst: 1}, {Src: 0, Dst: 1}, {Src: 0, Dst: 1, After: []int32{0, 1, 2}}}
	n := &Network{Setup: &Setup{Flows: flows}, ledger: ledger{flows: make([]flowState, len(flows)), nextQP: make([]int32, 2), srcPorts: make(map[[2]core.NodeID]uint16)}}
	n.numberAll()
	n.chooseFollowers()
	for i, known := range []int32{0, 0, 3} {
		n.flows[2-i].state = finished
		if released := n.released(3); released != (i == 2) || n.followers.known[3] != known {
			t.Errorf("the last %d have ended: released %v, and %d are known, want %d", i+1, released, n.followers.known[3], known)
		}
	}
	n.Setup.Flows[3].After[0] = -1
	if !n.released(3) {
		t.Error("a flow that was released waits again")
	}
}

type deaf struct{ Observer }

// FlowEnded implements Observer.
func (deaf) FlowEnded(*FlowRecord) {}
