package goal

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// listed lists the operations of a rank.
func listed(p *Program) (list []string) {
	for o := range p.Operations() {
		list = append(list, fmt.Sprintf("%d %q %v cpu %d, %d to rank %d: %d-%d", o.Number, o.Name, o.Kind, o.CPU, o.Message, o.Peer, o.Begin, o.End))
	}
	return list
}

// Operations have their lines, labels and times, also as long as not all have ended.
func TestOperations(t *testing.T) {
	s := mustRead(t, "num_ranks 2\nrank 0 {\na: calc 4\nb: send 9b to 1\nb requires a\ncalc 7 cpu 2\nrecv 3b from 0\nl\xff: send 3b to 0 }\nrank 1 {\nrecv 9b from 0 }")
	p, ns := s.Program(0), core.Time(core.Nanosecond)
	p.Run(0, nil)
	p.Run(4*ns, nil)
	want := []string{
		`3 "a" calc cpu 0, -1 to rank -1: 0-4000`,
		`4 "b" send cpu -1, 0 to rank 1: 4000--1`,
		`6 "" calc cpu 2, -1 to rank -1: 0--1`,
		`7 "" recv cpu -1, -1 to rank 0: 0-0`,
		`8 "l` + "\uFFFD" + `" send cpu -1, -1 to rank 0: 0-0`,
	}
	if got := listed(p); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for at, want := range map[core.Time]core.Duration{4 * ns: 4, 5 * ns: 5, 6 * ns: 6} {
		if got := p.Computed(at); got != want*core.Nanosecond {
			t.Errorf("computed until %v for %v, want %d ns", at, got, want)
		}
	}
	if got, want := listed(s.Program(1)), []string{`10 "" recv cpu -1, 0 to rank 0: -1--1`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A collective lasts from its beginning to its end, with what belongs to it between the two.
func TestCollectiveOperation(t *testing.T) {
	b := NewBuilder(2, lines("a"))
	name := b.Name("sum")
	if again := b.Name("sum"); again != name || name == b.Name("") {
		t.Errorf("a name is %d and %d", name, again)
	}
	first, last := b.Collective(0, Origin{5, name})
	origins := [2]Origin{{5, name}, {6, 0}}
	sent, _ := b.Message(0, 1, origins, 10)
	b.Require(0, sent, first)
	b.Require(0, last, sent)
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	p := s.Program(0)
	messages, _ := p.Run(0, nil)
	p.Sent(&s.Messages[messages[0]], 70)
	p.Run(70, nil)
	want := []string{`5 "sum" collective cpu -1, -1 to rank -1: 0-70`, `5 "sum" send cpu -1, 0 to rank 1: 0-70`}
	if got := listed(p); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
