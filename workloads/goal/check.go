package goal

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// check demands that all operations come to an end, by running all programs in a network without delay, at the end of all time:
// whether they do does not depend on how long anything takes.
func (b *Builder) check() error {
	var programs []*Program
	var left []int // ranks that may go on
	for r := range b.schedule.ranks {
		programs, left = append(programs, b.schedule.Program(r)), append(left, r)
	}
	for len(left) > 0 {
		r := left[len(left)-1]
		left = left[:len(left)-1]
		left = append(left, b.exhaust(programs, r)...)
	}
	if slices.ContainsFunc(programs, func(q *Program) bool { return q.left > 0 }) {
		return b.cycle(programs)
	}
	return nil
}

// exhaust runs the program of a rank as far as it comes, and returns the ranks that have got messages of it.
func (b *Builder) exhaust(programs []*Program, r int) (got []int) {
	q := programs[r]
	for {
		sent, _ := q.Run(core.Never, nil)
		if len(sent) == 0 {
			return got
		}
		for _, i := range sent {
			m := &b.schedule.Messages[i]
			q.Sent(m, core.Never)
			programs[m.Dst].Received(m, core.Never)
			got = append(got, m.Dst)
		}
	}
}

// place is an operation of a rank.
type place struct{ rank, op int32 }

// cycle makes the error of operations that wait for one another.
func (b *Builder) cycle(programs []*Program) error {
	cause := b.causes(programs)
	first := int32(0)
	for cause[first] == nil {
		first++
	}
	at := place{first, int32(slices.IndexFunc(cause[first], func(c place) bool { return c.rank >= 0 }))}
	seen := make(map[place]int)
	var way []place
	for {
		from, ok := seen[at]
		if ok {
			way = way[from:]
			break
		}
		seen[at] = len(way)
		way = append(way, at)
		at = cause[at.rank][at.op]
	}
	where := b.schedule.where
	origin := func(at place) (int, int32) { return int(at.rank), b.schedule.ranks[at.rank].ops[at.op].origin.Place }
	last := where.Name(origin(way[0]))
	text, told, before := "", 0, last
	for _, at := range way[1:] {
		name := where.Name(origin(at))
		if name == before { // an operation of the input may be several here
			continue
		}
		before = name
		text += " " + name + ", and that for"
		if told++; told == mostTold {
			text += " others, and the last for"
			break
		}
	}
	return fmt.Errorf("%s: this operation of rank %d can never end: it waits for%s %s", where.At(origin(way[0])), way[0].rank, text, last)
}

// mostTold is how many of the operations of a cycle an error names.
const mostTold = 8

// causes returns, by rank and operation, for what an operation waits that has not ended: one of the others. The rank is -1 for
// those that have; the list is nil if all of a rank have.
func (b *Builder) causes(programs []*Program) [][]place {
	cause := make([][]place, len(b.schedule.ranks))
	for r, q := range programs {
		if q.left == 0 {
			continue
		}
		cause[r] = slices.Repeat([]place{{rank: -1}}, len(q.ends))
		for i := range q.ends {
			o := &q.ops[i]
			if !q.begun(i) {
				for _, k := range q.next[o.first:o.ended] {
					cause[r][k] = place{int32(r), int32(i)}
				}
			}
			if !q.ended(i) {
				for _, k := range q.next[o.ended:q.ops[i+1].first] {
					cause[r][k] = place{int32(r), int32(i)}
				}
			}
		}
	}
	for r, q := range programs {
		for i, o := range q.ops[:len(q.ends)] {
			if o.kind == send && o.of < 0 && q.underWay(int(^o.of)) {
				cause[r][^o.of] = place{int32(r), int32(i)}
			}
		}
	}
	for i := range b.schedule.Messages {
		if m := &b.schedule.Messages[i]; programs[m.Dst].underWay(int(m.recv)) {
			cause[m.Dst][m.recv] = place{int32(m.Src), m.send}
		}
	}
	return cause
}
