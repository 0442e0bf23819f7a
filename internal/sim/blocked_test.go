package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// graph makes queues, each at the node of its number, that have been blocked since the given times and wait for others.
func graph(since []core.Time, on [][]core.NodeID) *waitGraph {
	ref := func(id core.NodeID) queueRef { return queueRef{PortRef: PortRef{Node: id}} }
	w := &waitGraph{blocked: make(map[queueRef]Blocked), on: make(map[queueRef][]queueRef)}
	for i, list := range on {
		q := ref(core.NodeID(i))
		for _, next := range list {
			w.on[q] = append(w.on[q], ref(next))
		}
		if since[i] != core.Never {
			w.order = append(w.order, q)
			w.blocked[q] = Blocked{PortRef: q.PortRef, Since: since[i]}
		}
	}
	return w
}

// A queue is stuck if everything that it waits for is stuck: one that waits for nothing, or for a queue that is not
// blocked, is not. The cycle begins with the queue that was blocked first.
func TestStuck(t *testing.T) {
	for name, c := range map[string]struct {
		since []core.Time
		on    [][]core.NodeID
		stuck []core.NodeID
		cycle []core.NodeID
	}{
		"chain":                 {[]core.Time{1, 2, 3}, [][]core.NodeID{{1}, {2}, {}}, nil, nil},
		"backward chain":        {[]core.Time{1, 2, 3}, [][]core.NodeID{{}, {0}, {1}}, nil, nil},
		"one that may send":     {[]core.Time{1, 2, core.Never}, [][]core.NodeID{{1}, {0, 2}, {}}, nil, nil},
		"cycle":                 {[]core.Time{7, 5, 6}, [][]core.NodeID{{1}, {2}, {0}}, []core.NodeID{0, 1, 2}, []core.NodeID{1, 2, 0}},
		"cycle with a follower": {[]core.Time{1, 9, 8, 2}, [][]core.NodeID{{1}, {2}, {1}, {}}, []core.NodeID{0, 1, 2}, []core.NodeID{2, 1}},
	} {
		w := graph(c.since, c.on)
		w.removeLive()
		var stuck, cycle []core.NodeID
		for _, q := range w.order {
			stuck = append(stuck, q.Node)
		}
		if len(stuck) > 0 {
			for _, b := range w.cycle() {
				cycle = append(cycle, b.Node)
			}
		}
		if !slices.Equal(stuck, c.stuck) || !slices.Equal(cycle, c.cycle) || len(w.blocked) != len(stuck) {
			t.Errorf("%s: stuck %v, cycle %v, want %s", name, stuck, cycle, fmt.Sprint(c.stuck, c.cycle))
		}
	}
}
