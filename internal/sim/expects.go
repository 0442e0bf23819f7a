package sim

import "github.com/qbb-sim/qbb/core"

// Expects reports whether flows will still start, or send at their pace, or links change after now.
func (n *Network) Expects(now core.Time) bool { return n.Scheduled(now) || n.LongestGap(now) > 0 }

// Scheduled reports whether flows will still start or links change after now.
func (n *Network) Scheduled(now core.Time) bool {
	for _, ev := range n.Setup.Links {
		if ev.At > now && ev.At != core.Never {
			return true
		}
	}
	for i := n.oldest; i < len(n.flows); i++ {
		f := &n.Setup.Flows[i]
		if n.flows[i].state == waiting && !f.waits() && f.Start > now {
			return true
		}
	}
	return n.loop.expects()
}

// LongestGap is the longest time after now for which the pace of a running flow still holds back its next packet.
func (n *Network) LongestGap(now core.Time) (longest core.Duration) {
	for i := n.oldest; i < len(n.flows); i++ {
		st := &n.flows[i]
		if st.state != running {
			continue
		}
		if due := n.hosts[n.Setup.Flows[i].Src].NextDue(st.qp); due != core.Never {
			longest = max(longest, due.Sub(now))
		}
	}
	return longest
}
