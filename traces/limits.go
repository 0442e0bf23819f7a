package traces

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Limits on what a file may ask for, so that a wrong count costs an error and no memory.
const (
	maxNodes     = 1 << 20
	maxLinks     = 1 << 24
	maxFlows     = 1 << 28
	maxFlowBytes = 1 << 50
	maxSeconds   = 9_000_000 // of simulated time: what core.Time holds, rounded down
)

// MaxFlows is the largest number of flows that a file may have.
const MaxFlows = maxFlows

// LatestStart is the latest start that a file of flows may have.
const LatestStart = core.Time(maxSeconds * core.Second)

// LargestFlow is the largest size of a flow that a file of flows may have.
const LargestFlow core.Bytes = maxFlowBytes

// tooLate is the error of a later start.
var tooLate = fmt.Sprintf("is after %d s", maxSeconds)
