package engine

import (
	"fmt"
	"testing"
)

// A thread tries its own parts first, in their order, and then those of the others, from the end, where these come last.
// No more threads are used than there are parts.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		threads, parts int
		want           string
	}{
		{1, 3, "[[0 1 2]]"}, {2, 5, "[[0 1 4 3 2] [2 3 4 1 0]]"}, {3, 3, "[[0 1 2] [1 2 0] [2 0 1]]"},
		{3, 7, "[[0 1 3 2 6 5 4] [2 3 6 5 4 1 0] [4 5 6 1 0 3 2]]"}, {4, 2, "[[0 1] [1 0]]"},
	} {
		crew := newCrew(make([]*Engine, c.parts), c.threads, nil)
		if got := fmt.Sprint(crew.turns); got != c.want || crew.least != len(crew.turns)*eventsToMeet {
			t.Errorf("%d threads, %d parts: %v, want %s; they meet for %d events", c.threads, c.parts, got, c.want, crew.least)
		}
	}
}

// Threads share a window evenly, by the part that has noted most, and what one merges is next to what the next does: events
// of equal time go to one thread, and what was claimed before its own is known to each.
func TestStretches(t *testing.T) {
	const most = 900
	var parts []*Engine
	for _, every := range []uint32{9, 1, 3} { // time between two events
		e := new(Engine)
		p := &e.pages[0]
		for i := uint32(0); i < most; i += every {
			p.events = append(p.events, noted{at: i / 4 * 4, claims: uint32(len(p.events) + 1)})
		}
		p.others = make([]uint32, len(p.events))
		parts = append(parts, e)
	}
	for threads := 1; threads < 6; threads++ {
		m, begun := newMerger(parts, threads), make([]int, len(parts))
		for thread := range m.stretches {
			s, claimed := &m.stretches[thread], 0
			for k, e := range parts {
				s.pages[k] = &e.pages[0]
				claimed += begun[k]
			}
			if before := s.begin(thread, threads); int(before) != claimed {
				t.Errorf("%d threads, thread %d: %d claims before, want %d", threads, thread, before, claimed)
			}
			for k := range parts {
				if c := &s.parts[k]; c.first != begun[k] || c.next != begun[k] {
					t.Errorf("%d threads, thread %d, part %d: begins with event %d, the one before has ended at %d", threads, thread, k, c.first, begun[k])
				}
				begun[k] = len(s.parts[k].events)
			}
			if share, fair := begun[1]-s.parts[1].first, most/threads; share < fair-4 || share > fair+4 {
				t.Errorf("%d threads, thread %d: %d events of %d", threads, thread, share, most)
			}
		}
		for k, e := range parts {
			if begun[k] != len(e.pages[0].events) {
				t.Errorf("%d threads: part %d ends at %d of %d events", threads, k, begun[k], len(e.pages[0].events))
			}
		}
	}
}
