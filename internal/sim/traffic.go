package sim

import "github.com/qbb-sim/qbb/core"

// Begin returns the first start of a flow, when traffic begins; 0 if there are no flows.
func (s *Setup) Begin() core.Time {
	first := core.Never
	for i := range s.Flows {
		if f := &s.Flows[i]; len(f.After) == 0 {
			first = min(first, f.Start)
		}
	}
	if first == core.Never {
		return 0
	}
	return first
}

// Traffic returns when traffic began and when it ended: from the start of the first flow to the end
// of the last one. As long as some have not ended it is the time reached, or, where no packet is left
// that could reach anything, the end of the last transmission or flow. The two are the same if none has started.
func (n *Network) Traffic() (from, to core.Time) {
	now := n.Now()
	from = min(n.Setup.Begin(), now)
	to = from
	if n.Ended() < len(n.flows) {
		if n.Engine == nil || n.packets() > 0 {
			return from, now
		}
		to = max(from, min(n.Engine.LastSent(), now))
	}
	for i := range n.flows {
		to = max(to, n.flows[i].end) // 0 of flows that run or were abandoned
	}
	return from, to
}

// packets is the number of those that are anywhere in the network.
func (n *Network) packets() (sum int) {
	for _, p := range n.parts {
		sum += p.pool.Live()
	}
	return sum
}
