package sim

import (
	"runtime/debug"
	"testing"
)

// A chain of flows is given up in a stack that does not grow with its length.
func TestLongChainIsAbandoned(t *testing.T) {
	const flows = 100_000
	n := &Network{Setup: &Setup{Flows: make([]Flow, flows)}, flows: make([]flowState, flows), parts: []*part{{}}}
	for i := range n.Setup.Flows {
		n.Setup.Flows[i].After = int32(i)
	}
	n.chooseFollowers()
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	n.followersOf(0, failed)
	if n.parts[0].ended != flows-1 || n.flows[flows-1].state != abandoned {
		t.Errorf("%d flows given up, want %d", n.parts[0].ended, flows-1)
	}
}
