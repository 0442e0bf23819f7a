package engine

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// ordered is a wiring run by a group in the order of scheduling. A beat looks at every node; the relays mark with numbers
// of one sequence; drops and wakes, which a window may schedule for itself, are told with their places.
type ordered struct {
	*grouped
	relays []*relay
	looks  [][]int // by node and beat: what the node had seen
	dumps  []int   // by node, at some beats
	told   placeList
	news   []placeList
}

type placeList []place

type place struct {
	at   core.Time
	key  uint64
	node core.NodeID
}

// placer is a relay whose wakes are told.
type placer struct {
	*relay
	note func(core.NodeID)
}

// Wake implements core.Node.
func (r placer) Wake(t *core.Turn, at int) {
	r.note(r.id)
	r.relay.Wake(t, at)
}

// count is the beat of a part. At every third, the last part looks at the nodes of all.
type count struct {
	g    *ordered
	part int
}

// Run implements Process.
func (c count) Run(now core.Time) {
	if c.part == len(c.g.parts)-1 && c.g.Solo() == now {
		for _, log := range c.g.logs {
			c.g.dumps = append(c.g.dumps, len(log))
		}
	}
	for i := range c.g.logs { // those of other parts are being written
		if c.g.Of(core.NodeID(i)) == c.g.Part(c.part) {
			c.g.looks[i] = append(c.g.looks[i], len(c.g.logs[i]))
		}
	}
}

// starter feeds the wiring's inputs to nodes of any part.
type starter struct {
	feeder
	g  *ordered
	of *Engine
}

// Run implements Process.
func (s *starter) Run(now core.Time) {
	for ; s.next < len(s.w.inputs); s.next++ {
		in := &s.w.inputs[s.next]
		if in.at > now {
			s.e.ScheduleProcess(s.id, in.at)
			return
		}
		e := s.g.Of(in.node)
		e.join(s.of)
		s.relays[in.node].Send(e.Turn(), in.port, s.relays[in.node].packet(in.seq, in.size, in.hops))
		e.CarryOut(in.node)
	}
}

// inOrder builds a group in the order of scheduling, with nodes in random parts.
func (w *wiring) inOrder(rng *rand.Rand, parts int) *ordered {
	g := &ordered{
		grouped: &grouped{logs: make([][]occasion, len(w.ports)), drops: make([]int, parts)},
		looks:   make([][]int, len(w.ports)), news: make([]placeList, parts),
	}
	part := make([]uint8, len(w.ports))
	var pools []*core.Pool
	for i := range part {
		part[i] = uint8(rng.IntN(parts))
	}
	for range parts {
		pools = append(pools, core.NewPool(1))
	}
	g.Group = NewGroup(BySchedule, 1+rng.IntN(parts), pools, w.ports, part)
	for i, l := range w.links {
		g.Connect(l[0], l[1], w.delays[i])
	}
	chance := core.NewStream(1, core.StreamMark, 0)
	for i, n := range w.ports {
		r := newRelay(core.NodeID(i), n, w.units[i], pools[part[i]], &g.logs[i])
		r.chance = chance
		g.relays = append(g.relays, r)
		g.Of(r.id).Attach(r.id, placer{r, func(node core.NodeID) { g.note(part[i], node) }})
	}
	for p := range parts {
		g.Part(p).Actions = func(node core.NodeID, _ *core.Action) {
			g.drops[p]++
			g.note(uint8(p), node)
		}
	}
	g.InOrder(chance, g.settle)
	for k := range 4 {
		own, of := &wiring{}, g.Part(k/2%parts)
		for i := k; i < len(w.inputs); i += 4 {
			own.inputs = append(own.inputs, w.inputs[i])
		}
		s := &starter{feeder{w: own, e: of, relays: g.relays}, g, of}
		s.id = of.AddProcess(s)
		of.ScheduleProcess(s.id, own.inputs[0].at)
	}
	g.Beat(func(part int) Process { return count{g, part} }, 30, 70, 5000)
	g.Solo = func() core.Time {
		if at := g.parts[parts-1].beat.at; at != core.Never {
			return at + (5000-at)/70%3*70
		}
		return core.Never
	}
	if rng.IntN(2) == 0 {
		g.Lasts = func() (core.Time, int) { return g.Bound() + core.Time(rng.IntN(100)-1), rng.IntN(1000) }
	}
	g.Watch(g, 20)
	g.crew.least = []int{0, 8, 1 << 20}[rng.IntN(3)]
	return g
}

// note notes the place of the present event, to be told.
func (g *ordered) note(part uint8, node core.NodeID) {
	e := g.parts[part]
	g.news[part] = append(g.news[part], place{e.Now(), e.Place(), node})
	e.Tell()
}

// settle makes the places that the parts have noted final, and collects them.
func (g *ordered) settle(final func(part int, place uint64) uint64) {
	for p, list := range g.news {
		for i := range list {
			list[i].key = final(p, list[i].key)
		}
	}
	g.tell()
}

// tell collects what the parts have told.
func (g *ordered) tell() {
	for p, list := range g.news {
		g.told = append(g.told, list...)
		g.news[p] = list[:0]
	}
}

// However a network is cut into parts, and its run into pieces, all that happens has the same place in the order of scheduling:
// every node sees the same, and what is decided by chance, with numbers of one sequence, is decided alike.
func TestGroupInOrder(t *testing.T) {
	apart, marks := 0, int64(0)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		w := randomWiring(rng).without()
		clear(w.loss)
		want := w.inOrder(rng, 1)
		want.Run(core.Never, 1<<30)
		want.tell()
		for parts := 2; parts < 5; parts++ {
			name := fmt.Sprintf("seed %d, %d parts", seed, parts)
			g := w.inOrder(rng, parts)
			for !g.Idle() {
				limit := core.Never
				if rng.IntN(2) == 0 {
					limit = g.Now().Add(core.Duration(5 * rng.IntN(40)))
				}
				g.Run(limit, []int{1, 10, 1 << 26}[rng.IntN(3)])
			}
			g.tell()
			g.same(t, name, want.grouped)
			g.sameInOrder(t, name, want)
			if g.Events() != want.Events() {
				t.Errorf("%s: %d events, want %d", name, g.Events(), want.Events())
			}
			if cap(g.Part(1).pages[0].events) > 0 {
				apart++
			}
		}
		for _, r := range want.relays {
			marks += r.marked
		}
	}
	if apart < 80 || marks < 1000 {
		t.Errorf("%d groups ran apart, %d packets were marked; too few to mean much", apart, marks)
	}
}

// sameInOrder compares what all parts have together.
func (g *ordered) sameInOrder(t *testing.T, name string, want *ordered) {
	t.Helper()
	for i, seen := range g.looks {
		if !slices.Equal(seen, want.looks[i]) {
			t.Errorf("%s: by the beats node %d had seen %d, want %d", name, i, seen, want.looks[i])
		}
	}
	if !slices.Equal(g.dumps, want.dumps) || len(g.dumps) == 0 {
		t.Errorf("%s: at some beats nodes had seen %v, want %v", name, g.dumps, want.dumps)
	}
	for i, r := range g.relays {
		if r.marked != want.relays[i].marked {
			t.Errorf("%s: node %d has marked %d, want %d", name, i, r.marked, want.relays[i].marked)
		}
	}
	got, expected := g.told.inOrder(), want.told.inOrder()
	if len(got) != len(expected) {
		t.Fatalf("%s: told of %d events, want %d", name, len(got), len(expected))
	}
	for i := range got {
		if got[i].at != expected[i].at || got[i].node != expected[i].node || got[i].key >= provisional {
			t.Fatalf("%s: event %d that was told of is %+v, want %+v", name, i, got[i], expected[i])
		}
	}
}

// inOrder sorts places. Several of one event stay as they are.
func (list placeList) inOrder() placeList {
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	return list
}

// What has been merged is not compared again: where two parts do the same at the same times, such as beats, each event would
// be compared by way of all before it.
func TestCompareWhatIsMerged(t *testing.T) {
	chain := func(key uint64, before uint32) *page {
		return &page{
			events: []noted{{at: 5, claims: 1, key: key}, {at: 9, claims: 2, key: provisional + 1}}, others: []uint32{before, 7},
			claims: []claim{{event: 0}, {event: 1}},
		}
	}
	p, q := chain(1, 4), chain(2, 3)
	const place = provisional + 3 // taken by event 1, which event 0 has scheduled
	for _, c := range []struct{ mergedP, mergedQ, want int }{{1, 1, 0}, {0, 0, 0}, {2, 2, -1}, {2, 0, -1}, {0, 2, -1}} {
		if got := compare(p, q, place, place, c.mergedP, c.mergedQ); got != c.want {
			t.Errorf("events merged from %d and %d on: %d, want %d", c.mergedP, c.mergedQ, got, c.want)
		}
	}
	for _, c := range []struct{ merged, want int }{{0, 1}, {1, -1}} {
		if got := compare(p, q, provisional+1, provisional+1, c.merged, c.merged); got != c.want {
			t.Errorf("first events, merged from %d on: %d, want %d", c.merged, got, c.want)
		}
	}
}

// tearer is a node that spoils what one of two threads merges.
type tearer struct {
	*relay
	g      *Group
	thread int
}

// Wake implements core.Node.
func (r tearer) Wake(*core.Turn, int) { r.g.crew.merger.stretches[r.thread].pages = nil }

// Whichever thread fails when it merges, the caller of Run sees the panic, and the threads end.
func TestMergingPanics(t *testing.T) {
	for thread := range 2 {
		g := NewGroup(BySchedule, 2, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
		g.Connect(0, 1, 100)
		g.Of(0).Attach(0, tearer{g: g, thread: thread})
		g.Of(1).Attach(1, idler{})
		for id := range core.NodeID(2) {
			g.Of(id).Turn().SetWake(0, 50)
			g.Of(id).CarryOut(id)
		}
		bug := caught(func() { g.Run(core.Never, 100) })
		if bug == nil || !strings.Contains(bug.Error(), "index out of range") || !strings.Contains(bug.Error(), "(*merger).merge") {
			t.Errorf("thread %d: %v", thread, bug)
		}
		g.crew.others.Wait()
	}
}

// teller is a node that has something to tell.
type teller struct {
	*relay
	e *Engine
}

// Wake implements core.Node.
func (l teller) Wake(*core.Turn, int) { l.e.Tell() }

// Nor is a panic of who is told lost.
func TestTellingPanics(t *testing.T) {
	for threads := 1; threads <= 2; threads++ {
		g := NewGroup(BySchedule, threads, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
		g.InOrder(nil, func(func(int, uint64) uint64) { panic("told") })
		g.Connect(0, 1, 100)
		for id := range core.NodeID(2) {
			g.Of(id).Attach(id, teller{e: g.Of(id)})
			g.Of(id).Turn().SetWake(0, 50)
			g.Of(id).CarryOut(id)
		}
		if bug := caught(func() { g.Run(core.Never, 100) }); bug == nil || !strings.Contains(bug.Error(), "told") {
			t.Errorf("%d threads: %v", threads, bug)
		}
		g.crew.others.Wait()
	}
}

// idler is a node that does nothing when it wakes.
type idler struct{ *relay }

// Wake implements core.Node.
func (idler) Wake(*core.Turn, int) {}
