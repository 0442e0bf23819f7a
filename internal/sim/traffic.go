package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// begin returns the first start of a flow, when traffic begins; 0 if there are no flows.
func (s *Setup) begin() core.Time {
	first := core.Never
	for i := range s.Flows {
		if f := &s.Flows[i]; !f.waits() {
			first = min(first, f.Start)
		}
	}
	if first == core.Never {
		return 0
	}
	return first
}

// Traffic returns when traffic began and when it ended: the start of the first flow and the end
// of the last one. While some have not ended, the end is the time reached or, if no packet is left
// under way, the end of the last transmission or flow; where links repeat pauses or credits for ever, when the rest of a
// run that was halted at rest began. The two are the same if no flow has started.
func (n *Network) Traffic() (from, to core.Time) {
	now := n.Now()
	from = min(n.Setup.begin(), now)
	to = from
	if n.Ended() < len(n.flows) {
		last := now
		switch {
		case n.rest != core.Never && len(n.Blocked()) == 0:
			last = n.rest
		case n.Engine == nil || n.packets() > 0:
			return from, now
		}
		to = max(from, min(n.Engine.LastSent(), last))
	}
	for i := range n.flows {
		to = max(to, n.flows[i].end) // 0 of flows that run or were abandoned
	}
	return from, to
}

// packets is the number of packets anywhere in the network.
func (n *Network) packets() (sum int) {
	for _, p := range n.parts {
		sum += p.pool.Live()
	}
	return sum
}

// notifies reports whether a host may still send a notification, of what it has received.
func (n *Network) notifies() bool {
	return slices.ContainsFunc(n.hosts, func(h *nic.Host) bool { return h != nil && h.Notifies() })
}
