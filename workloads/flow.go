package workloads

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Flow is one message from a host to another.
type Flow struct {
	Src, Dst core.NodeID
	Bytes    int64
	Start    core.Time // with After, counted from the end of that flow as the source knows it
	After    int       // 1 + index in the list of the earlier flow that must finish first; 0: none
	Prio     uint8     // traffic class
	Group    int32     // 1 + number of the group of hosts of a pattern that has chosen ones; 0: none
	Tag      string    // what made it, for statistics
}

// Tags of flows.
const (
	TagBackground = "background"
	TagIncast     = "incast"
)

// Merge joins lists of flows in the order of start, then source, then position. A flow that
// waits for another comes after that one.
func Merge(lists ...[]Flow) []Flow {
	var all []Flow
	for _, list := range lists {
		before := len(all)
		for _, f := range list {
			if f.After > 0 {
				f.After += before
			}
			all = append(all, f)
		}
	}
	order, root := make([]int, len(all)), make([]int, len(all)) // root: the flow that starts the chain
	for i := range all {
		order[i], root[i] = i, i
		if after := all[i].After; after > 0 {
			root[i] = root[after-1]
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &all[root[i]], &all[root[j]]
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Src, b.Src))
	})
	place, sorted := root, make([]Flow, len(all))
	for to, from := range order {
		place[from] = to
		sorted[to] = all[from]
		if after := all[from].After; after > 0 {
			sorted[to].After = 1 + place[after-1]
		}
	}
	return sorted
}

// hostRates returns the hosts and, beside each, the sum of the rates of its links, without those that are faster than its
// slowest, such as NVLink beside a network's.
func hostRates(t *topo.Topology) ([]core.NodeID, []core.Rate) {
	slowest, sum := make([]core.Rate, len(t.Kinds)), make([]core.Rate, len(t.Kinds))
	for _, l := range t.Links {
		for _, end := range [...]core.NodeID{l.A, l.B} {
			if sum[end] == 0 || l.Rate < slowest[end] {
				slowest[end], sum[end] = l.Rate, 0
			}
			if l.Rate == slowest[end] {
				sum[end] += l.Rate
			}
		}
	}
	hosts := t.Hosts()
	rates := make([]core.Rate, len(hosts))
	for i, h := range hosts {
		rates[i] = sum[h]
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
