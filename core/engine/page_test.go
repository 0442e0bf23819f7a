package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// snoozer is a node that sets its timer anew when it wakes, by all ports but the first.
type snoozer struct{ *relay }

// Wake implements core.Node.
func (snoozer) Wake(t *core.Turn, port int) {
	if port > 0 {
		t.SetWake(port, t.Now.Add(core.Second))
	}
}

// A page notes the events that claim places, with times that count from the begin of the window, to its last picosecond,
// and a beat that is earlier.
func TestTimesOfAPage(t *testing.T) {
	e := New(BySchedule, core.NewPool(0), []int{4})
	e.Attach(0, snoozer{})
	const begin, end = 5_000_000_007, 5_000_000_007 + core.Time(longestWindow) - 1
	for port, at := range []core.Time{begin, begin, begin + 1, end} {
		e.Turn().SetWake(port, at)
		e.CarryOut(0)
	}
	e.Beat(act(func(core.Time) {}), 3, core.Second, 2*core.Time(core.Second))
	e.advanceApart(begin, end, 0)
	var got []uint32
	for _, noted := range e.pages[0].events {
		got = append(got, noted.at)
	}
	if want := []uint32{0, 1, 2, math.MaxUint32 - 1}; !slices.Equal(got, want) {
		t.Errorf("times %v, want %v", got, want)
	}
}

// loner is a node that wakes every 10 ps, notes whether other parts run meanwhile, and at some time asks that none does.
type loner struct {
	*relay
	e     *Engine
	from  core.Time
	apart *[]bool
}

// Wake implements core.Node.
func (l loner) Wake(t *core.Turn, port int) {
	*l.apart = append(*l.apart, l.e.Apart())
	if t.Now == l.from {
		l.e.RunAlone()
	}
	t.SetWake(port, t.Now+10)
}

// Parts run apart until the end of the window in which one of them asks to run alone, and one by one from then on.
func TestRunAlone(t *testing.T) {
	for asks := range 2 {
		g := NewGroup(BySchedule, 2, []*core.Pool{core.NewPool(0), core.NewPool(0)}, []int{1, 1}, []uint8{0, 1})
		g.Connect(0, 1, 40)
		var apart [2][]bool
		for id := range core.NodeID(2) {
			from := core.Never
			if int(id) == asks {
				from = 60
			}
			g.Of(id).Attach(id, loner{from: from, e: g.Of(id), apart: &apart[id]})
			g.Of(id).Turn().SetWake(0, 0)
			g.Of(id).CarryOut(id)
		}
		g.Run(200, 1000)
		for id, got := range apart {
			for i, is := range got { // windows of 40 ps: the second ends before 80
				if is != (i < 8) || len(got) != 21 {
					t.Fatalf("part %d asks at 60: event %d of %d of part %d is apart: %v", asks, i, len(got), id, is)
				}
			}
		}
	}
}

// planner is a node that, when it is woken, plans to send a packet at a time.
type planner struct {
	*relay
	at   core.Time
	seen *[]int64
}

// Wake implements core.Node.
func (n planner) Wake(t *core.Turn, port int) {
	if t.Now < n.at {
		t.SetWake(port, n.at)
		return
	}
	p := n.pool.New()
	p.Seq = int64(n.id)
	t.Transmit(port, p, t.Now, false)
}

// Receive implements core.Node.
func (n planner) Receive(t *core.Turn, port int, p *core.Packet) {
	*n.seen = append(*n.seen, p.Seq)
	t.Drop(port, p)
}

// Links between parts may be longer than a page, which holds 4.3 ms: windows are not. Of two nodes that send at the same time the
// one comes first that has planned it first.
func TestLongLinks(t *testing.T) {
	for parts := 1; parts < 4; parts++ {
		var pools []*core.Pool
		for range parts {
			pools = append(pools, core.NewPool(0))
		}
		g := NewGroup(BySchedule, 1, pools, []int{1, 1, 2}, []uint8{0, uint8(min(1, parts-1)), uint8(parts - 1)})
		g.Connect(0, 2, 10*core.Millisecond)
		g.Connect(1, 3, 10*core.Millisecond)
		var seen []int64
		for id := range core.NodeID(3) {
			g.Of(id).Attach(id, planner{&relay{id: id, pool: g.Of(id).Pool}, core.Time(9 * core.Millisecond), &seen})
		}
		for id, at := range []core.Time{math.MaxUint32 + 10, 20} { // on one page, the first would be 9 ps after its beginning
			g.Of(core.NodeID(id)).Turn().SetWake(0, at)
			g.Of(core.NodeID(id)).CarryOut(core.NodeID(id))
		}
		if g.Run(core.Never, 100); !slices.Equal(seen, []int64{1, 0}) {
			t.Errorf("%d parts: packets come from %v, want 1 and then 0", parts, seen)
		}
	}
}
