package engine

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine/barrier"
)

// However a network is cut into parts, and its run into pieces, every node sees the same.
func TestGroup(t *testing.T) {
	crossed := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		w := randomWiring(rng).apart()
		want := w.group(rng, 1)
		want.Run(core.Never, 1<<30)
		for parts := 2; parts < 6; parts++ {
			g := w.group(rng, parts)
			for !g.Idle() {
				limit := core.Never
				if rng.IntN(2) == 0 {
					limit = g.Now().Add(core.Duration(5 * rng.IntN(40)))
				}
				before := g.Events()
				most := []int{1, 10, 1 << 26}[rng.IntN(3)]
				ran := g.Run(limit, most)
				if ran > most*(parts+2) {
					t.Fatalf("seed %d: %d parts run %d events instead of %d", seed, parts, ran, most)
				}
				if g.Now() > limit || g.Events() != before+int64(ran) {
					t.Fatalf("seed %d: at %v, limit %v; %d events of %d", seed, g.Now(), limit, ran, g.Events()-before)
				}
			}
			g.same(t, fmt.Sprintf("seed %d, %d parts", seed, parts), want)
			live := 0
			for p := range parts {
				live += g.Part(p).Pool.Live()
			}
			if live != 0 {
				t.Errorf("seed %d: %d packets alive", seed, live)
			}
			if g.lookahead < core.Second {
				crossed++
			}
		}
	}
	if crossed < 40 {
		t.Errorf("%d groups have links between parts; too few to mean much", crossed)
	}
}

// A group ends with the event after which its run is over, although it ran in parallel until
// shortly before.
func TestGroupEnds(t *testing.T) {
	ended := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 6))
		w := randomWiring(rng).without()
		all := w.group(rng, 1)
		all.Run(core.Never, 1<<30)
		last := all.dropped() / 2
		if last == 0 {
			continue
		}
		want := w.group(rng, 1)
		want.Part(0).Actions = func(core.NodeID, *core.Action) {
			if want.drops[0]++; want.drops[0] == last {
				want.Part(0).Halt()
			}
		}
		want.Run(core.Never, 1<<30)
		for _, early := range []core.Time{1, 60, 10_000} {
			g := w.group(rng, 2)
			g.Over = func() bool { return g.dropped() >= last }
			g.Lasts = func() (core.Time, int) { return want.Now() - early, rng.IntN(100) }
			for limit := core.Time(0); !g.Over(); limit += 330 { // there are events at these times
				g.Run(limit, 50)
			}
			g.same(t, fmt.Sprintf("seed %d, side by side until %v before the end", seed, early), want)
		}
		ended++
	}
	if ended < 10 {
		t.Errorf("%d runs ended; too few to mean much", ended)
	}
}

// A run may end with its very first event.
func TestGroupEndsAtOnce(t *testing.T) {
	g := NewGroup(ByEntity, 1, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
	for id := range core.NodeID(2) {
		e := g.Of(id)
		e.Attach(id, idler{})
		e.Turn().SetWake(0, 0)
		e.CarryOut(id)
	}
	g.Lasts = func() (core.Time, int) { return -1, 0 }
	g.Over = func() bool { return g.Events() == 1 }
	if g.Run(core.Never, 100); g.Events() != 1 {
		t.Errorf("%d events, want 1", g.Events())
	}
}

// Threads meet for windows with enough events, which is estimated from the last job; several parts of one thread have
// nobody to meet.
func TestThreadsForManyEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	for threads := 1; threads < 4; threads++ {
		g := randomWiring(rng).without().group(rng, 3)
		g.crew.dismiss()
		g.crew = newCrew(g.parts, threads, g.merger)
		for i, least := range []int{1 << 20, 1 << 20, 0, 1, 0} {
			g.crew.least, g.crew.choice = least, barrier.Choice{} // which goes by the clock
			if ran := g.crew.do(job{limit: core.Never - 1, events: 10, window: g.lookahead}); ran < 10 {
				t.Fatalf("%d events", ran)
			}
			if want := threads > 1 && (i == 0 || i > 2); g.crew.hired != want {
				t.Errorf("%d threads, job %d: others are hired: %v", threads, i, g.crew.hired)
			}
			g.crew.dismiss()
		}
	}
}

// A group runs an event for every look of Lasts before it asks again, whether the answer lets it run in parallel or
// not; and it does ask again.
func TestGroupAsksSeldom(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		w := randomWiring(rng).without()
		for _, ahead := range []core.Time{-1, 0, 40} {
			g := w.group(rng, 2)
			asked := int64(0)
			const looks = 70
			g.Lasts = func() (core.Time, int) {
				asked++
				return g.Bound() + ahead, looks
			}
			g.Run(core.Never, 1<<30)
			if events := g.Events(); events < 1000 || (asked-2)*looks > events || asked*fewEvents < events {
				t.Errorf("seed %d, %d ahead: Lasts has looked %d times at %d things, for %d events", seed, ahead, asked, looks, events)
			}
		}
	}
}

// The transmission that ends last need not be that of the last port, nor the last to begin.
func TestLastSent(t *testing.T) {
	for _, cut := range [][]uint8{{0, 0}, {0, 1}} {
		pools := []*core.Pool{core.NewPool(0), core.NewPool(0)}
		g := NewGroup(ByEntity, 1, pools, []int{2, 2}, cut)
		g.Connect(0, 2, 100)
		g.Connect(1, 3, 100)
		if last := g.LastSent(); last != 0 {
			t.Errorf("%d before anything was sent", last)
		}
		for _, c := range []struct {
			node      core.NodeID
			port      int
			end, want core.Time
		}{{0, 1, 300, 300}, {1, 0, 700, 700}, {0, 0, 500, 700}, {1, 1, 200, 700}} {
			e := g.Of(c.node)
			e.Turn().Transmit(c.port, pools[cut[c.node]].New(), c.end, false)
			e.CarryOut(c.node)
			if last := g.LastSent(); last != c.want {
				t.Errorf("parts %v: %d after a transmission until %d, want %d", cut, last, c.end, c.want)
			}
		}
	}
}

// echo is a node that sends a packet back as often as the packet says, and records when it sees
// what.
type echo struct {
	*relay
	seen *[]string
}

func (e echo) Receive(t *core.Turn, port int, p *core.Packet) {
	*e.seen = append(*e.seen, fmt.Sprintf("%d at %d", p.Seq, t.Now))
	if p.Aux == 0 {
		t.Drop(port, p)
		return
	}
	p.Aux--
	t.Transmit(port, p, t.Now+10, false)
}

func (e echo) Wake(t *core.Turn, _ int) { *e.seen = append(*e.seen, fmt.Sprintf("wake at %d", t.Now)) }

// Whatever else a part has to do, it waits for packets from other parts: the first packet of a window as well as the
// last.
func TestGroupWaitsForPackets(t *testing.T) {
	g := NewGroup(ByEntity, 1, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{2, 2}, []uint8{0, 1})
	g.Connect(0, 2, 100)
	g.Connect(1, 3, 900)
	seen := make([][]string, 2)
	for id := range core.NodeID(2) {
		g.Of(id).Attach(id, echo{seen: &seen[id]})
	}
	e := g.Of(0)
	e.ScheduleProcess(e.AddProcess(act(func(core.Time) {
		for port := range 2 {
			p := e.Pool.New()
			p.Seq, p.Aux = int64(port), uint64(1-port)
			e.Turn().Transmit(port, p, 10, false)
		}
		e.Turn().SetWake(0, 290)
		e.CarryOut(0)
	})), 0)
	g.Run(core.Never, 100)
	if got, want := fmt.Sprint(seen), "[[0 at 220 wake at 290] [0 at 110 1 at 910]]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A group is idle when all parts are, and still when nothing is left but the beat.
func TestGroupIsStill(t *testing.T) {
	g := NewGroup(BySchedule, 1, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
	if g.Beat(func(int) Process { return act(func(core.Time) {}) }, 10, 10, 30); !g.Still() || g.Idle() {
		t.Errorf("only beats are left: still %v, idle %v", g.Still(), g.Idle())
	}
	for i := range 2 {
		e := g.Part(i)
		if e.ScheduleProcess(e.AddProcess(act(func(core.Time) {})), core.Time(5+i)); g.Still() || g.Idle() {
			t.Errorf("part %d has an event: still %v, idle %v", i, g.Still(), g.Idle())
		}
		if g.Run(core.Time(5+i), 100); !g.Still() {
			t.Errorf("after the event of part %d: not still", i)
		}
	}
}

// The clock of a group does not go back.
func TestGroupClock(t *testing.T) {
	g := NewGroup(ByEntity, 2, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
	for _, until := range []core.Time{100, 50} {
		if g.Run(until, 1); g.Now() != 100 {
			t.Errorf("run until %v: now %v", until, g.Now())
		}
	}
}

// What several parts cannot guarantee is refused: a link without delay between them, and in the order of scheduling any.
func TestGroupRefuses(t *testing.T) {
	pools := []*core.Pool{core.NewPool(0), core.NewPool(0)}
	for name, f := range map[string]func(){
		"no delay in a part": func() { NewGroup(BySchedule, 1, pools, []int{1, 2}, []uint8{0, 1}).Connect(1, 2, 0) },
		"no delay":           func() { NewGroup(ByEntity, 1, pools, []int{1, 1}, []uint8{0, 1}).Connect(0, 1, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// Windows are as long as the shortest link between parts; in the order of scheduling, as any. Where parts do not meet, links may
// have no delay.
func TestLookahead(t *testing.T) {
	for _, c := range []struct {
		order  Order
		cut    []uint8
		delays [3]core.Duration // of the links from node 0 to 1, from 1 to 2, from 2 to 0
		want   core.Duration
	}{
		{ByEntity, []uint8{0, 0, 1}, [3]core.Duration{0, 7, 5}, 5},
		{ByEntity, []uint8{0, 0, 1}, [3]core.Duration{0, 1, 5}, 1},
		{BySchedule, []uint8{0, 0, 1}, [3]core.Duration{3, 7, 5}, 3},
		{BySchedule, []uint8{0, 1, 1}, [3]core.Duration{3, 1, 5}, 1},
		{BySchedule, nil, [3]core.Duration{}, core.Duration(core.Never)},
	} {
		pools := []*core.Pool{core.NewPool(0), core.NewPool(0)}
		if c.cut == nil {
			pools = pools[:1]
		}
		g := NewGroup(c.order, 1, pools, []int{2, 2, 2}, c.cut)
		g.Connect(0, 2, c.delays[0])
		g.Connect(3, 4, c.delays[1])
		g.Connect(5, 1, c.delays[2])
		if g.lookahead != c.want {
			t.Errorf("order %d, parts %v, links of %v: windows of %v, want %v", c.order, c.cut, c.delays, g.lookahead, c.want)
		}
	}
}

// linked is a node that notes when its link fails.
type linked struct {
	idler
	seen *[]string
}

// SetLink implements core.Node.
func (l linked) SetLink(t *core.Turn, _ int, up bool) {
	*l.seen = append(*l.seen, fmt.Sprint(t.Now, " ", up))
}

// A link that fails tells the nodes at both ends, of whatever part, and may bring the end of the run closer than it was.
func TestGroupSetLink(t *testing.T) {
	g := NewGroup(ByEntity, 1, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
	g.Connect(0, 1, 100)
	var seen []string
	for id := range core.NodeID(2) {
		e := g.Of(id)
		e.Attach(id, linked{seen: &seen})
		e.Turn().SetWake(0, core.Time(70+id)) // the second would come after the end
		e.CarryOut(id)
	}
	failure, lasts := core.Time(50), core.Time(1000)
	g.Solo = func() core.Time { return failure }
	e := g.Part(0)
	e.ScheduleProcess(e.AddProcess(act(func(core.Time) {
		g.SetLink(1, false)
		failure, lasts = core.Never, 60
	})), failure)
	g.Lasts = func() (core.Time, int) { return lasts, 0 }
	g.Over = func() bool { return g.Events() == 2 }
	if g.Run(core.Never, 100); g.Now() != 70 || g.Events() != 2 {
		t.Errorf("ends at %v after %d events, want 70ps after 2", g.Now(), g.Events())
	}
	if got := fmt.Sprint(seen); got != "[50ps false 50ps false]" {
		t.Errorf("nodes have seen %s", got)
	}
}

// broken is a node whose bug shows on one of two threads: the one that has called Run, or the other.
type broken struct {
	*relay
	both  *sync.WaitGroup
	other bool
}

// Wake implements core.Node. By the first port it waits until both threads run a part; the second has something to do before
// and for windows after that.
func (b broken) Wake(t *core.Turn, port int) {
	if port == 1 {
		t.SetWake(port, t.Now+100)
		return
	}
	b.both.Done()
	b.both.Wait()
	if strings.Contains(string(debug.Stack()), "(*crew).work") == b.other {
		panic("a bug")
	}
}

// Whichever thread a node panics on, the caller of Run sees the panic, and the threads end.
func TestGroupPanics(t *testing.T) {
	for i, order := range []Order{ByEntity, ByEntity, BySchedule, BySchedule} {
		other := i%2 == 1
		g := NewGroup(order, 2, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{2, 2}, []uint8{0, 1})
		g.Connect(0, 2, 100)
		var both sync.WaitGroup
		both.Add(2)
		for id := range core.NodeID(2) {
			e := g.Of(id)
			e.Attach(id, broken{both: &both, other: other})
			e.Turn().SetWake(0, 50)
			e.Turn().SetWake(1, 20)
			e.CarryOut(id)
		}
		bug := caught(func() { g.Run(core.Never, 100) })
		if bug == nil || bug.Value != "a bug" || !strings.Contains(bug.Error(), "a bug\n") || !strings.Contains(bug.Error(), "broken.Wake") {
			t.Errorf("order %d, on the other thread: %v: %v", order, other, bug)
		}
		g.crew.others.Wait()
	}
}

// caught returns the bug for which f panics.
func caught(f func()) (bug *Bug) {
	defer func() { bug, _ = recover().(*Bug) }()
	f()
	return nil
}
