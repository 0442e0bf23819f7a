package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// grouped is a wiring run by a group: what each node sees by itself, and what a watcher sees of
// them.
type grouped struct {
	*Group
	logs  [][]occasion // by node
	drops []int        // by part
	looks []int
}

// group builds a group of the given number of parts, to which nodes are assigned at random, and of any number of
// threads. Links fail and return before anything else that happens at the time.
func (w *wiring) group(rng *rand.Rand, parts int) *grouped {
	g := &grouped{logs: make([][]occasion, len(w.ports)), drops: make([]int, parts)}
	part := make([]uint8, len(w.ports))
	for i := range part {
		part[i] = uint8(rng.IntN(parts))
	}
	var pools []*core.Pool
	for range parts {
		pools = append(pools, core.NewPool(1))
	}
	g.Group = NewGroup(ByEntity, 1+rng.IntN(parts), pools, w.ports, part)
	for i, l := range w.links {
		g.Connect(l[0], l[1], w.delays[i])
		for _, end := range l {
			if w.loss[i] > 0 {
				g.Part(0).Lossy(end, w.loss[i], core.NewStream(1, core.StreamLoss, uint64(end)))
			}
		}
	}
	relays := make([]*relay, len(w.ports))
	for i, n := range w.ports {
		relays[i] = newRelay(core.NodeID(i), n, w.units[i], pools[part[i]], &g.logs[i])
		g.Of(core.NodeID(i)).Attach(core.NodeID(i), relays[i])
	}
	failures := &failer{g: g.Group}
	failures.id = g.Part(0).AddProcess(failures)
	for i := range w.inputs {
		if in := &w.inputs[i]; in.link >= 0 {
			failures.at, failures.ports, failures.up = append(failures.at, in.at), append(failures.ports, w.links[in.link][0]), append(failures.up, in.up)
		}
	}
	failures.schedule()
	g.Solo = failures.next
	for p := range parts {
		e := g.Part(p)
		e.Actions = func(core.NodeID, *core.Action) { g.drops[p]++ }
		own := &wiring{}
		for _, in := range w.inputs {
			if in.link < 0 && part[in.node] == uint8(p) {
				own.inputs = append(own.inputs, in)
			}
		}
		if len(own.inputs) > 0 {
			f := &feeder{w: own, e: e, relays: relays}
			f.id = e.AddProcess(f)
			e.ScheduleProcess(f.id, own.inputs[0].at)
		}
	}
	g.Watch(g, 20) // events are at multiples of 10 too
	g.crew.least = []int{0, 8, 1 << 20}[rng.IntN(3)]
	return g
}

// failer is the process that takes links down and up.
type failer struct {
	g     *Group
	id    ProcessID
	at    []core.Time
	ports []PortID
	up    []bool
}

func (f *failer) next() core.Time {
	if len(f.at) == 0 {
		return core.Never
	}
	return f.at[0]
}

func (f *failer) schedule() {
	if len(f.at) > 0 {
		f.g.Part(0).ScheduleProcess(f.id, f.at[0])
	}
}

// Run implements Process.
func (f *failer) Run(core.Time) {
	f.g.SetLink(f.ports[0], f.up[0])
	f.at, f.ports, f.up = f.at[1:], f.ports[1:], f.up[1:]
	f.schedule()
}

// Look implements Watcher.
func (g *grouped) Look(now core.Time) core.Time {
	for _, log := range g.logs {
		g.looks = append(g.looks, len(log))
		if n := len(log); n > 0 && log[n-1].at >= now {
			panic("a look at what is to come")
		}
	}
	return now + 70
}

func (g *grouped) dropped() (n int) {
	for _, d := range g.drops {
		n += d
	}
	return n
}

// apart removes links without delay, at which parts may not meet.
func (w *wiring) apart() *wiring {
	for i := range w.delays {
		w.delays[i] = max(w.delays[i], 10)
	}
	return w
}

// without removes link failures, too: parts may not meet at them in the order of scheduling.
func (w *wiring) without() *wiring {
	w.apart()
	for i := range w.inputs {
		w.inputs[i].link = -1
	}
	return w
}

func (g *grouped) same(t *testing.T, name string, want *grouped) {
	t.Helper()
	for i := range want.logs {
		sameLog(t, fmt.Sprintf("%s, node %d", name, i), g.logs[i], want.logs[i])
	}
	if g.Hops() != want.Hops() || g.dropped() != want.dropped() || g.Now() != want.Now() {
		t.Errorf("%s: %d hops, %d drops until %v, want %d, %d until %v", name, g.Hops(), g.dropped(), g.Now(), want.Hops(), want.dropped(), want.Now())
	}
	if fmt.Sprint(g.looks) != fmt.Sprint(want.looks) {
		t.Errorf("%s: watcher saw %v, want %v", name, g.looks, want.looks)
	}
}
