package timeline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// slice is a part of time that may overlap others.
type slice struct {
	name       string
	begin, end float64 // ns
	arguments  arguments
}

// group is the slices of a node that are shown together.
type group struct {
	node core.NodeID
	name string
}

// lanes writes slices, each on a thread of its group that is free then, since those of a thread must not overlap: as few
// threads as possible.
func (l *line) lanes(groups map[group][]slice) {
	order := slices.SortedFunc(maps.Keys(groups), func(a, b group) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.name, b.name))
	})
	for _, g := range order {
		list := groups[g]
		slices.SortStableFunc(list, func(a, b slice) int { return cmp.Compare(a.begin, b.begin) })
		first := max(l.lane[g.node], 1)
		var lanes core.Agenda // by the time at which they are free
		for i := range list {
			s := &list[i]
			lane := lanes.Len()
			if lane > 0 && lanes.First().At <= timeOf(s.begin) {
				lane = lanes.Pop().Of
			}
			lanes.Add(timeOf(s.end), lane)
			l.complete(track{g.node, first + int32(lane)}, g.name, s)
		}
		l.lane[g.node] = first + int32(lanes.Len())
	}
}

func timeOf(ns float64) core.Time { return core.Time(traces.PicosOf(ns)) }
