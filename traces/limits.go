package traces

// Limits on what a file may ask for, so that a wrong count costs an error and no memory.
const (
	maxNodes     = 1 << 20
	maxLinks     = 1 << 24
	maxFlows     = 1 << 28
	maxFlowBytes = 1 << 50
	maxSeconds   = 9_000_000 // of simulated time: what core.Time holds, rounded down
)
