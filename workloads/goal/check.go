package goal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// check demands that all operations come to an end, by running all programs in a network without delay, at the end of all time:
// whether they do does not depend on how long anything takes.
func (p *parser) check() {
	var programs []*Program
	var left []int // ranks that may go on
	for r := range p.ranks {
		programs, left = append(programs, p.Program(r)), append(left, r)
	}
	for len(left) > 0 {
		r := left[len(left)-1]
		left = left[:len(left)-1]
		left = append(left, p.exhaust(programs, r)...)
	}
	if slices.ContainsFunc(programs, func(q *Program) bool { return q.left > 0 }) {
		p.tellCycle(programs)
	}
}

// exhaust runs the program of a rank as far as it comes, and returns the ranks that have got messages of it.
func (p *parser) exhaust(programs []*Program, r int) (got []int) {
	q := programs[r]
	for {
		sent, _ := q.Run(core.Never, nil)
		if len(sent) == 0 {
			return got
		}
		for _, i := range sent {
			m := &p.Messages[i]
			q.Sent(m, core.Never)
			programs[m.Dst].Received(m, core.Never)
			got = append(got, m.Dst)
		}
	}
}

// place is an operation of a rank.
type place struct{ rank, op int32 }

// tellCycle makes the error of operations that wait for one another.
func (p *parser) tellCycle(programs []*Program) {
	cause := p.causes(programs)
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
	line := func(at place) int32 { return p.ranks[at.rank].ops[at.op].line }
	text := ""
	for _, at := range way[1:] {
		if text += fmt.Sprintf(" line %d, and that for", line(at)); strings.Count(text, "line") == mostTold {
			text += " others, and the last for"
			break
		}
	}
	p.fail(int(line(way[0])), "this operation of rank %d can never end: it waits for%s line %d", way[0].rank, text, line(way[0]))
}

// mostTold is how many of the operations of a cycle an error names.
const mostTold = 8

// causes returns, by rank and operation, for what an operation waits that has not ended: one of the others. The rank is -1 for
// those that have; the list is nil if all of a rank have.
func (p *parser) causes(programs []*Program) [][]place {
	cause := make([][]place, len(p.ranks))
	for r, q := range programs {
		if q.left == 0 {
			continue
		}
		cause[r] = slices.Repeat([]place{{rank: -1}}, len(q.state))
		for i, s := range q.state {
			o := &q.ops[i]
			if s&begun == 0 {
				for _, k := range q.next[o.first:o.ended] {
					cause[r][k] = place{int32(r), int32(i)}
				}
			}
			if s&ended == 0 {
				for _, k := range q.next[o.ended:q.ops[i+1].first] {
					cause[r][k] = place{int32(r), int32(i)}
				}
			}
		}
	}
	for r, q := range programs {
		for i, o := range q.ops[:len(q.state)] {
			if o.kind == send && o.of < 0 && q.state[^o.of]&(begun|ended) == begun {
				cause[r][^o.of] = place{int32(r), int32(i)}
			}
		}
	}
	for i := range p.Messages {
		if m := &p.Messages[i]; programs[m.Dst].state[m.recv]&(begun|ended) == begun {
			cause[m.Dst][m.recv] = place{int32(m.Src), m.send}
		}
	}
	return cause
}
