package workloads

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Flow is one message from a host to another.
type Flow struct {
	Src, Dst core.NodeID
	Bytes    int64
	Start    core.Time
	Prio     uint8  // traffic class
	Tag      string // what made it, for statistics
}

// Tags of flows.
const (
	TagBackground = "background"
	TagIncast     = "incast"
)

// Merge joins lists of flows in the order of start, then source, then position.
func Merge(lists ...[]Flow) []Flow {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Flow) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Src, b.Src))
	})
	return all
}

// mostFlows bounds one generator, so that a slip of the pen is told before the memory is full.
const mostFlows = 1e9

func tooMany(expected float64) error {
	if expected > mostFlows {
		return fmt.Errorf("this would make about %.3g flows; shorten the time or lower the load", expected)
	}
	return nil
}

// hostRates returns the hosts and, beside each, the sum of the rates of its links.
func hostRates(t *topo.Topology) ([]core.NodeID, []core.Rate) {
	byNode := make([]core.Rate, len(t.Kinds))
	for _, l := range t.Links {
		byNode[l.A] += l.Rate
		byNode[l.B] += l.Rate
	}
	hosts := t.Hosts()
	rates := make([]core.Rate, len(hosts))
	for i, h := range hosts {
		rates[i] = byNode[h]
	}
	return hosts, rates
}

// other returns the host with index i of the list without that with index self.
func other(hosts []core.NodeID, self, i int) core.NodeID {
	if i >= self {
		i++
	}
	return hosts[i]
}
