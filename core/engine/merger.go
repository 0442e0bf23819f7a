package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// merger puts what the parts of a group have noted of a window in the order in which a single engine would have run it.
// Every thread merges a stretch of the window.
type merger struct {
	parts     []*Engine
	seq       *uint64
	bases     [2]uint64                            // by lot: the place before those of the window
	draw      core.Random                          // for draws; nil: there are none
	told      func(final func(int, uint64) uint64) // if set, called after a window in which a part asked for it
	stretches []stretch                            // by thread
}

// stretch is what a thread merges.
type stretch struct {
	pages []*page
	parts []cursor
	heads []uint64 // by part: the time of its next event, then its number; past if there is none
	bug   *Bug     // for which the thread has stopped
	_     [64]byte
}

// cursor is a part's next event in a stretch.
type cursor struct {
	claims uint32 // of the part, before it
	first  int    // of the stretch
	next   int
	events []noted // up to the end of the stretch
	others []uint32
}

// past is after all heads. Their lowest bits are the part's number.
const (
	past     = math.MaxUint64
	partBits = 8
)

func newMerger(parts []*Engine, threads int) *merger {
	m := &merger{parts: parts, seq: parts[0].seq, stretches: make([]stretch, threads)}
	for i := range m.stretches {
		m.stretches[i] = stretch{pages: make([]*page, len(parts)), parts: make([]cursor, len(parts)), heads: make([]uint64, len(parts))}
	}
	return m
}

// merge merges one of several stretches of a window.
func (m *merger) merge(lot, number, of int) {
	s := &m.stretches[number]
	defer catch(&s.bug)
	for k, e := range m.parts {
		s.pages[k] = &e.pages[lot]
	}
	s.run(s.begin(number, of))
	if number > 0 {
		return
	}
	claims := 0
	for _, p := range s.pages {
		p.base = m.bases[lot]
		claims += len(p.claims)
	}
	m.bases[lot^1] = m.bases[lot] + 2*uint64(claims)
}

// begin finds the stretch: those events whose times lie between two of the longest page. It returns the number of claims before.
func (s *stretch) begin(number, of int) (before uint32) {
	longest := s.pages[0].events
	for _, p := range s.pages {
		if len(p.events) > len(longest) {
			longest = p.events
		}
	}
	for k, p := range s.pages {
		c := &s.parts[k]
		c.first = p.since(longest, number, of)
		c.next = c.first
		c.events, c.others = p.events[:p.since(longest, number+1, of)], p.others
		c.claims = p.claimsBefore(c.next)
		s.see(k)
		before += c.claims
	}
	return before
}

// since returns the first event of a page that is not earlier than where a stretch of the longest page begins.
func (p *page) since(longest []noted, number, of int) int {
	if number == of {
		return len(p.events)
	}
	i := len(longest) * number / of
	if i == 0 {
		return 0
	}
	first, _ := slices.BinarySearchFunc(p.events, longest[i].at, func(e noted, at uint32) int {
		if e.at < at {
			return -1
		}
		return 1
	})
	return first
}

// see notes the time of a part's next event.
func (s *stretch) see(k int) {
	c := &s.parts[k]
	s.heads[k] = past
	if c.next < len(c.events) {
		s.heads[k] = uint64(c.events[c.next].at)<<partBits | uint64(k)
	}
}

// run puts all events of the stretch behind a number of claims: those of a part that are earlier than the next of every other
// part in a row.
func (s *stretch) run(before uint32) {
	for {
		first, second := uint64(past), uint64(past)
		for _, h := range s.heads {
			second = min(second, max(first, h)) // without branches: the processor cannot predict which part is next
			first = min(first, h)
		}
		if first == past {
			return
		}
		k := int(first & (1<<partBits - 1))
		if first>>partBits < second>>partBits {
			before = s.parts[k].putUntil(second>>partBits, before)
			s.see(k)
			continue
		}
		before = s.put(s.first(k), before)
	}
}

// putUntil puts events that are earlier than a time, at least one, behind a number of claims, and returns how many there are
// then. All of them have as many claims of other parts before them.
func (c *cursor) putUntil(at uint64, before uint32) uint32 {
	i, others := c.next, before-c.claims
	for ; i < len(c.events) && uint64(c.events[i].at) < at; i++ {
		c.others[i] = others
	}
	c.next, c.claims = i, c.events[i-1].claims
	return others + c.claims
}

// first returns the part whose next event is the first of all, one of those that have the time of part best's.
func (s *stretch) first(best int) int {
	last := s.heads[best] | (1<<partBits - 1)
	for k := best + 1; k < len(s.heads); k++ {
		if s.heads[k] <= last && s.less(k, best) {
			best = k
		}
	}
	return best
}

// less compares the next events of two parts, which have the same time.
func (s *stretch) less(k, other int) bool {
	p, q := s.pages[k], s.pages[other]
	c, d := &s.parts[k], &s.parts[other]
	return compare(p, q, p.events[c.next].key, q.events[d.next].key, c.first, d.first) < 0
}

// compare compares place x of page p with place y of page q as if a single engine had given both. Final places are
// before provisional ones. Provisional ones are in the order of the events that took them: by time, else by the number
// of claims before each event. This number is known of events of the thread's own stretch, which begins with events
// mergedP and mergedQ, since what took a place is merged before what runs there; of other events the places are
// compared in turn. Places of the beat, which each part notes, may be equal.
func compare(p, q *page, x, y uint64, mergedP, mergedQ int) int {
	for x >= provisional && y >= provisional {
		a, b := p.cause(x), q.cause(y)
		switch {
		case p.events[a].at != q.events[b].at:
			return cmp.Compare(p.events[a].at, q.events[b].at)
		case a >= mergedP && b >= mergedQ:
			return cmp.Compare(p.others[a]+p.claimsBefore(a), q.others[b]+q.claimsBefore(b))
		}
		x, y = p.events[a].key, q.events[b].key
	}
	return cmp.Compare(x, y)
}

// put puts a part's next event behind a number of claims, and returns how many there are then.
func (s *stretch) put(k int, before uint32) uint32 {
	c := &s.parts[k]
	others := before - c.claims
	c.others[c.next], c.claims = others, c.events[c.next].claims
	c.next++
	s.see(k)
	return others + c.claims
}

// decide makes the decisions of a window in their order, and tells what parts have to tell.
func (m *merger) decide(lot int) {
	next := make([]int, len(m.parts))
	for best := m.firstDraw(lot, next); best >= 0; best = m.firstDraw(lot, next) {
		m.parts[best].pages[lot].draws[next[best]].Take(m.draw)
		next[best]++
	}
	if m.told != nil {
		m.told(func(part int, place uint64) uint64 { return m.parts[part].pages[lot].final(place) })
	}
}

// firstDraw returns the part whose next draw is the first of all, -1 if there is none.
func (m *merger) firstDraw(lot int, next []int) int {
	best := -1
	for k, e := range m.parts {
		p := &e.pages[lot]
		if next[k] < len(p.draws) && (best < 0 || p.drawsBefore(next[k], &m.parts[best].pages[lot], next[best])) {
			best = k
		}
	}
	return best
}

// drawsBefore compares draws of two pages.
func (p *page) drawsBefore(i int, q *page, k int) bool {
	a, b := p.drawn[i], q.drawn[k]
	x, y := &p.events[a], &q.events[b]
	return x.at < y.at || x.at == y.at && compare(p, q, x.key, y.key, 0, 0) < 0
}
