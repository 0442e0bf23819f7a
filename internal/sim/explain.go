package sim

// WhyUnfinished says, as far as it is known, why a flow did not finish; stopped: the run was
// interrupted.
func (n *Network) WhyUnfinished(r *FlowRecord, stopped bool) string {
	routed := n.paths.Pair(r.Flow.Src, r.Flow.Dst).Hops > 0
	switch {
	case n.flows[r.ID].state == abandoned:
		return "the flow that it waits for (after) failed"
	case r.Failed && !routed:
		return "given up after too many time-outs: failed links have cut its path"
	case r.Failed:
		return "given up after too many time-outs"
	case !r.Started && r.Flow.After != 0:
		return "the flow that it waits for (after) did not finish in time"
	case !r.Started:
		return "starts after the end of the run"
	case !routed:
		return "failed links have cut its path"
	case !stopped && n.Engine.Idle():
		return "waits for packets that were lost, without a retransmission timer (options.rto)"
	case stopped:
		return "was still sending when the run was interrupted"
	}
	return "was still sending at the end of the run"
}
