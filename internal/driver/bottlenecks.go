package driver

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Bottleneck is one of the busiest ports.
type Bottleneck struct {
	Node     core.NodeID `json:"node"`
	Port     int         `json:"port"`
	Peer     core.NodeID `json:"peer"`
	Busy     float64     `json:"busy" doc:"share of the time of traffic (from traffic.from_ns to traffic.to_ns) in which it sent, without packets of flow control"`
	Paused   float64     `json:"paused" doc:"share of that time in which it had something to send but was paused, or had no credits"`
	MaxQueue int64       `json:"max_queue_bytes"`
}

// mostBottlenecks is the number of ports that a summary names.
const mostBottlenecks = 5

// trafficTime returns the seconds of traffic; 0 if no flow has started.
func trafficTime(n *sim.Network) float64 {
	from, to := n.Traffic()
	return to.Sub(from).Seconds()
}

// waitedShare is the share of the time of traffic for which a port waited. It is at most 1: waits after the last flow's end
// count, too.
func waitedShare(c *core.Counters, seconds float64) float64 {
	return min(1, c.Waited.Seconds()/max(seconds, 1e-12))
}

// addBottlenecks finds the ports that sent, or waited for a pause to end or for credits, for the
// largest share of the time of traffic.
func (sum *Summary) addBottlenecks(n *sim.Network) {
	seconds := trafficTime(n)
	if seconds <= 0 {
		return
	}
	var list []Bottleneck
	for id, ports := range n.Ports() {
		for i, p := range ports {
			c := n.Counters(core.NodeID(id), i)
			sent := c.Data() // flow control may go on for ever after the traffic
			if sent == 0 {
				continue
			}
			rate := float64(n.Setup.Topology.Links[p.Link].Rate)
			b := Bottleneck{
				Node: core.NodeID(id), Port: i, Peer: p.Peer,
				Busy:   min(1, float64(sent)*8/rate/seconds), // bytes of a packet under way count already
				Paused: waitedShare(&c, seconds),
			}
			if n.Setup.Topology.Kinds[id] == topo.Switch {
				b.MaxQueue = int64(c.MaxQueue)
			}
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b Bottleneck) int { return cmp.Compare(b.Busy+b.Paused, a.Busy+a.Paused) })
	sum.Bottlenecks = append(sum.Bottlenecks, list[:min(len(list), mostBottlenecks)]...)
}
