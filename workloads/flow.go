package workloads

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/waitlist"
)

// Flow is one message from a host to another.
type Flow struct {
	Src, Dst core.NodeID
	Bytes    int64
	Start    core.Time // with After, counted from the end of the last of these flows as the source knows it
	After    []int32   // indices in the list of the earlier flows that must finish first, each once; others may share them
	Prio     uint8     // traffic class
	Group    int32     // 1 + number of the group of hosts of a pattern that has chosen ones; 0: none
	Tag      string    // what made it, for statistics
}

// Tags of flows.
const (
	TagBackground = "background"
	TagIncast     = "incast"
)

// Merge joins lists of flows in the order of start, then source, then position. A flow that waits for others counts as
// the last of them does, and comes after it.
func Merge(lists ...[]Flow) []Flow {
	var all []Flow
	for _, list := range lists {
		before := len(all)
		all = append(all, list...)
		renumber(all[before:], func(earlier int32) int32 { return int32(before) + earlier })
	}
	order, root := make([]int, len(all)), make([]int, len(all)) // root: the flow whose start and source count
	compare := func(i, j int) int {
		a, b := &all[root[i]], &all[root[j]]
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Src, b.Src))
	}
	latest := waitlist.Latest{Compare: func(i, j int32) int { return compare(int(i), int(j)) }}
	for i := range all {
		order[i], root[i] = i, i
		if after := all[i].After; len(after) > 0 {
			root[i] = root[latest.Of(after)]
		}
	}
	slices.SortStableFunc(order, compare)
	place, sorted := root, make([]Flow, len(all))
	for to, from := range order {
		place[from], sorted[to] = to, all[from]
	}
	renumber(sorted, func(earlier int32) int32 { return int32(place[earlier]) })
	return sorted
}

// renumber changes the numbers of the flows that others wait for.
func renumber(flows []Flow, to func(int32) int32) {
	waitlist.Renumber(flows, func(f *Flow) *[]int32 { return &f.After }, to)
}

// hostRates returns for each of some hosts the sum of the rates of its links, without those that are faster than its
// slowest, such as NVLink beside a network's.
func hostRates(t *topo.Topology, hosts []core.NodeID) []core.Rate {
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
	rates := make([]core.Rate, len(hosts))
	for i, h := range hosts {
		rates[i] = sum[h]
	}
	return rates
}
