package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Now returns the time that the network has reached.
func (n *Network) Now() core.Time { return n.loop.Now() }

// Started returns the number of flows that have started.
func (n *Network) Started() int { return n.total().started }

// Ended returns the number of flows that have finished or have been given up.
func (n *Network) Ended() int { return n.total().ended + len(n.allAbandoned()) }

// Lost returns the number of packets lost on links, with those of links themselves: PFC and credits.
func (n *Network) Lost() int64 { return n.total().lost }

// Moved returns the number of packets that have crossed a link or were lost there, without those of links themselves: PFC
// and credits may be repeated, and lost, for ever.
func (n *Network) Moved() int64 {
	t := n.total()
	return n.Engine.Hops() + t.lost - t.lostFrames
}

// Dropped returns the number of packets that devices have dropped: for lack of room or of a route, or with a failed link.
func (n *Network) Dropped() int64 { return n.total().dropped }

// Counters returns the counters of a node's port as they now are.
func (n *Network) Counters(node core.NodeID, port int) core.Counters {
	now := n.Now()
	if h := n.hosts[node]; h != nil {
		return h.Counters(port, now)
	}
	return n.switches[node].Counters(port, now)
}

// WeaveCounters sums up what ConWeave has done at the switches; nil if it is not used.
func (n *Network) WeaveCounters() *switching.WeaveCounters {
	if n.Setup.Balance != switching.ConWeave {
		return nil
	}
	var sum switching.WeaveCounters
	for _, s := range n.switches {
		if s != nil {
			c := s.WeaveCounters()
			sum.Moves, sum.GivenUp = sum.Moves+c.Moves, sum.GivenUp+c.GivenUp
		}
	}
	return &sum
}

// WatchdogCounters sums up what the PFC watchdogs of the switches have done; nil if there are none.
func (n *Network) WatchdogCounters() *switching.WatchdogCounters {
	if n.Setup.Watchdog.Detection == 0 {
		return nil
	}
	var sum switching.WatchdogCounters
	for _, s := range n.switches {
		if s != nil {
			c := s.WatchdogCounters()
			sum.Storms, sum.Flushed, sum.Refused = sum.Storms+c.Storms, sum.Flushed+c.Flushed, sum.Refused+c.Refused
		}
	}
	return &sum
}

// Depth returns the bytes that are queued at a switch port.
func (n *Network) Depth(node core.NodeID, port int) core.Bytes { return n.switches[node].Depth(port) }

// Histogram returns the queue-depth histogram of a switch port so far: up to a time that all parts have
// reached, since samples are taken once.
func (n *Network) Histogram(node core.NodeID, port int) []uint64 {
	at := n.Now()
	if len(n.parts) > 1 {
		at = min(at, n.met)
	}
	return n.switches[node].Histogram(port, at)
}

// Node returns a device.
func (n *Network) Node(id core.NodeID) core.Node {
	if h := n.hosts[id]; h != nil {
		return h
	}
	return n.switches[id]
}

// Ports returns the ports of every node.
func (n *Network) Ports() [][]topo.Port { return n.ports }

// Pool returns where packets live, in the only or the first part of the network.
func (n *Network) Pool() *core.Pool { return n.parts[0].pool }

// INT returns the format of telemetry records.
func (n *Network) INT() core.INTFormat { return n.intf }

// Credits returns the configuration of credit flow control, or nil.
func (n *Network) Credits() *core.CreditConfig { return n.credits }

// Points returns the numbers of the schemes' congestion and notification points.
func (n *Network) Points() Points { return n.points }

// Loss returns the probability that the link from a port loses a packet.
func (n *Network) Loss(node core.NodeID, port int) float64 {
	return n.losses[n.base[node]+port].probability
}

// MaxRTT returns the largest round trip of a pair of hosts, without queueing.
func (n *Network) MaxRTT() core.Duration { return n.most.RTT }

// MaxBDP returns the largest bandwidth-delay product of a pair of hosts, in bytes.
func (n *Network) MaxBDP() core.Bytes { return n.most.BDP }
