package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// trade is a set of parts that send packets to one another and free those they get.
type trade struct {
	rng     *rand.Rand
	parts   []*Engine
	now     core.Time
	lot     int
	crossed int
	packets map[*core.Packet]bool // that have crossed
	stacks  map[*core.Hop]bool
}

func newTrade(parts int) *trade {
	t := &trade{rng: rand.New(rand.NewPCG(1, 2)), packets: make(map[*core.Packet]bool), stacks: make(map[*core.Hop]bool)}
	for range parts {
		e := New(ByEntity, core.NewPool(3), []int{1})
		e.border = newBorder(e.Pool, parts)
		t.parts = append(t.parts, e)
	}
	return t
}

// window makes every part take in and free what has arrived, and send each other part up to the given number of
// packets, with INT stacks if they go to a later part.
func (t *trade) window(rate [][]int) {
	t.now += 1000
	for me, e := range t.parts {
		for other, from := range t.parts {
			if other != me {
				e.takeIn(from.border, t.lot^1, me, other)
			}
		}
		e.border.fill(t.lot)
		for e.queue.ready(t.now) {
			p := e.queue.front().packet
			e.queue.pop()
			e.Pool.Free(p)
		}
		for other, most := range rate[me] {
			for range t.rng.IntN(1 + most) {
				p := e.Pool.New()
				if p.Flight.At = t.now; me < other {
					e.Pool.AddINT(p)
					t.stacks[&p.INT[0]] = true
				}
				t.packets[p] = true
				e.border.send(uint8(other), p)
				t.crossed++
			}
		}
	}
	t.lot ^= 1
}

// Nothing is returned for the packets that a part may owe.
func TestSmallDebtsAreNotPaid(t *testing.T) {
	pool := core.NewPool(3)
	b, came := newBorder(pool, 2), pool.New()
	for _, c := range []struct {
		owed debt
		pays bool
	}{{debt{mostDebt, mostDebt}, false}, {debt{mostDebt + 1, 0}, true}, {debt{0, mostDebt + 1}, true}} {
		b.debts[1] = c.owed
		if p := b.repay(1, came); (p != nil) != c.pays || p != nil && b.debts[1].packets != c.owed.packets-1 {
			t.Errorf("of %+v returned: %v; left %+v", c.owed, p != nil, b.debts[1])
		}
	}
}

// However unequal the traffic between parts, no pool permanently gains more packets or INT stacks than a part may owe
// and a few windows bring, so that no more are made, and all packets are accounted for.
func TestBorderDebts(t *testing.T) {
	const windows, most = 10_000, 20
	for name, rate := range map[string][][]int{
		"one way":      {{0, most, 0}, {0, 0, 0}, {0, 0, 0}},
		"in a circle":  {{0, most, 0}, {0, 0, most}, {most, 0, 0}},
		"back without": {{0, most, 0}, {most, 0, 0}, {0, 0, 0}},
		"all":          {{0, most, 1}, {5, 0, 7}, {2, most, 0}},
	} {
		trade := newTrade(len(rate))
		for window := range windows {
			trade.window(rate)
			for a, e := range trade.parts {
				for b, d := range e.border.debts {
					if max(d.packets, d.stacks) > mostDebt+3*most {
						t.Fatalf("%s, window %d: part %d owes part %d %+v", name, window, a, b, d)
					}
				}
			}
		}
		for range 4 { // the last packets, and those returned for them
			trade.window(make([][]int, len(rate)))
		}
		for a, e := range trade.parts {
			for b, d := range e.border.debts {
				if back := trade.parts[b].border.debts[a]; d.packets != -back.packets || d.stacks != -back.stacks {
					t.Errorf("%s: part %d owes %d %+v, and is owed %+v", name, a, b, d, back)
				}
			}
			if e.Pool.Live() != 0 {
				t.Errorf("%s: %d packets of part %d alive", name, e.Pool.Live(), a)
			}
		}
		if made := max(len(trade.packets), len(trade.stacks)); made > len(rate)*(len(rate)-1)*(mostDebt+3*most) {
			t.Errorf("%s: %d packets and %d stacks for %d that have crossed", name, len(trade.packets), len(trade.stacks), trade.crossed)
		}
		if trade.crossed < windows*most/3 {
			t.Errorf("%s: %d packets have crossed; too few to mean much", name, trade.crossed)
		}
	}
}
