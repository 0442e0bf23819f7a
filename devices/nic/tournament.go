package nic

import "github.com/qbb-sim/qbb/core"

// tournament finds which of a port's many queue pairs to look at, without looking at each: a tree of
// minima over the list of pairs, whose leaves are times before which a pair cannot be served. What may let a
// pair send earlier lowers its leaf (Host.review); a look that finds nothing to send raises it again.
type tournament struct {
	room    int         // leaves, a power of two
	least   []core.Time // node k is the lesser of 2k and 2k+1; the leaf of place i is node room+i
	stopped uint8       // classes that the leaves take as stopped
	classes uint8       // of all pairs
	gaps    []int32     // by node: leaves of pairs that have been removed
}

const (
	// manyPairs is the number of queue pairs from which a port has a tournament.
	manyPairs = 64

	toClean core.Time = -1 // leaf of a pair that has finished
	toCheck core.Time = 0  // leaf of a pair that is to be looked at
)

// newTournament returns a tournament for a list of pairs, all of which are to be looked at.
func newTournament(list []*sender) *tournament {
	room := manyPairs
	for room <= len(list) {
		room *= 2
	}
	w := &tournament{room: room, least: make([]core.Time, 2*room), gaps: make([]int32, 2*room)}
	for i := range w.least {
		w.least[i] = core.Never
	}
	for i, s := range list {
		if s == nil {
			w.gap(i)
			continue
		}
		s.place = int32(i) + 1
		w.classes |= 1 << (s.prio & 7)
		w.least[room+i] = s.leaf()
	}
	w.play()
	return w
}

// leaf is that of a pair which has to be looked at.
func (s *sender) leaf() core.Time {
	if s.done {
		return toClean
	}
	return toCheck
}

// enter takes the last pair of a port's list into its tournament.
func (o *port) enter(s *sender) {
	w := o.tree
	if len(o.list) >= w.room {
		o.tree = newTournament(o.list)
		return
	}
	s.place = int32(len(o.list))
	w.classes |= 1 << (s.prio & 7)
	w.set(len(o.list)-1, s.leaf())
}

// play computes the tree from its leaves.
func (w *tournament) play() {
	for k := w.room - 1; k > 0; k-- {
		w.least[k] = min(w.least[2*k], w.least[2*k+1])
	}
}

// set changes a leaf.
func (w *tournament) set(place int, at core.Time) {
	k := w.room + place
	w.least[k] = at
	for k > 1 {
		k /= 2
		m := min(w.least[2*k], w.least[2*k+1])
		if w.least[k] == m {
			return
		}
		w.least[k] = m
	}
}

// first returns the first place, from the given one on, with a leaf not after the limit; room if there is none.
func (w *tournament) first(place int, limit core.Time) int {
	k := w.room + place
	for w.least[k] > limit {
		for k&1 != 0 { // the last of its parent
			k /= 2
		}
		if k == 0 {
			return w.room
		}
		k++
	}
	for k < w.room {
		if k *= 2; w.least[k] > limit {
			k++
		}
	}
	return k - w.room
}

// stop notes which classes are stopped now. If others were, all pairs are to be looked at again.
func (w *tournament) stop(classes uint8, list []*sender) {
	if w.stopped == classes {
		return
	}
	w.stopped = classes
	for i, s := range list {
		if s != nil {
			w.least[w.room+i] = s.leaf()
		}
	}
	w.play()
}

// review marks a pair to be looked at, if its port has a tournament, since it may be served earlier than was known. A message
// of a connection is counted anew and brought up to date.
func (h *Host) review(s *sender) {
	if s.turn != nil {
		h.reviewTurn(s)
		return
	}
	h.toLookAt(s)
}

func (h *Host) toLookAt(s *sender) {
	if s.place != 0 {
		h.ports[s.port].tree.set(int(s.place)-1, s.leaf())
	}
}

// nextOfMany is nextSender by a tournament. It reports !ok, and leaves the port without one for good, if a tournament
// cannot tell: the window of a pair whose timers are evaluated lazily opens without an event.
func (h *Host) nextOfMany(t *core.Turn, o *port) (chosen *sender, due core.Time, ok bool) {
	if o.tree == nil {
		o.tree = newTournament(o.list)
	}
	w, n := o.tree, len(o.list)
	stopped, limit := o.stopped()&w.classes, t.Now
	if stopped == w.classes {
		limit = toClean
	} else {
		w.stop(stopped, o.list)
	}
	from := o.followingOfMany()
	behind := from // the pair served last; n if that is the last of the list: a new pair would come there
	if o.last+1 >= n-w.allGaps() {
		behind = n
	}
	finished, at := n, -1 // as there
	for _, part := range [...][2]int{{from, n}, {0, from}} {
		for i := w.first(part[0], limit); i < part[1] && at < 0; i = w.first(i+1, limit) {
			s := o.list[i]
			leaf, mistaken := h.look(t, s, stopped)
			switch {
			case mistaken:
				o.lookAtAll = true
				o.disband()
				return nil, 0, false
			case leaf <= t.Now:
				at, chosen = i, s
				continue
			case s.done:
				finished, leaf = min(finished, i), toClean
			}
			w.set(i, leaf)
		}
	}
	if finished < n {
		o.remove(finished)
	}
	switch {
	case chosen != nil:
		o.last = w.index(at)
	case finished < n:
		o.last = w.index(behind) - 1
	}
	if finished < n {
		o.tidy()
	}
	switch {
	case chosen != nil:
	case limit == toClean:
		return nil, core.Never, true
	case w.least[1] <= t.Now: // to look at one has changed others of its class
		return h.nextOfMany(t, o)
	}
	return chosen, w.least[1], true
}

// look returns the time from which a pair can be served if nothing happens to it before. It reports mistaken if the
// pair's window is full but may open without an event.
func (h *Host) look(t *core.Turn, s *sender, stopped uint8) (from core.Time, mistaken bool) {
	switch {
	case s.next >= s.size || stopped>>s.prio&1 != 0:
		return core.Never, false
	case h.windowFull(t, s):
		return core.Never, s.lazy && !s.waitsForTurn()
	}
	return s.due, false
}

// followingOfMany is the place of the next pair in turn.
func (o *port) followingOfMany() int {
	return o.tree.place(o.following(len(o.list) - o.tree.allGaps()))
}

// remove takes the finished pairs from a place on out of the list. They leave gaps: where thousands wait for their last
// acknowledgement, closing up after each one would cost the square of their number.
func (o *port) remove(from int) {
	for i := o.tree.first(from, toClean); i < len(o.list); i = o.tree.first(i+1, toClean) {
		o.list[i].place, o.list[i] = 0, nil
		o.tree.set(i, core.Never)
		o.tree.gap(i)
	}
}

// gap notes that a place has become a gap.
func (w *tournament) gap(place int) {
	for k := w.room + place; k > 0; k /= 2 {
		w.gaps[k]++
	}
}

// allGaps is the number of gaps.
func (w *tournament) allGaps() int { return int(w.gaps[1]) }

// index is the index of the pair at a place, not counting gaps.
func (w *tournament) index(place int) int {
	index := place
	if w.allGaps() == 0 {
		return index
	}
	for k := w.room + place; k > 1; k /= 2 {
		if k&1 != 0 {
			index -= int(w.gaps[k-1])
		}
	}
	return index
}

// place is the place of the pair with an index, not counting gaps.
func (w *tournament) place(index int) int {
	if w.allGaps() == 0 {
		return index
	}
	k, leaves := 1, w.room
	for k < w.room {
		k, leaves = 2*k, leaves/2
		if pairs := leaves - int(w.gaps[k]); index >= pairs {
			k, index = k+1, index-pairs
		}
	}
	return k - w.room
}

// tidy closes the gaps when they have become more than the pairs, and ends a tournament that is too large for these.
func (o *port) tidy() {
	switch pairs := len(o.list) - o.tree.allGaps(); {
	case pairs < manyPairs || pairs < o.tree.room/4:
		o.disband()
	case o.tree.allGaps() > pairs:
		o.closeGaps()
	}
}

// closeGaps moves the pairs of a list together.
func (o *port) closeGaps() {
	w, keep := o.tree, 0
	for i, s := range o.list {
		if s != nil {
			o.list[keep], s.place = s, int32(keep)+1
			w.least[w.room+keep] = w.least[w.room+i]
			keep++
		}
	}
	for i := keep; i < len(o.list); i++ {
		w.least[w.room+i] = core.Never
	}
	w.play()
	clear(w.gaps)
	clear(o.list[keep:])
	o.list = o.list[:keep]
}

// disband ends a port's tournament, if it has one.
func (o *port) disband() {
	if o.tree == nil {
		return
	}
	o.closeGaps()
	for _, s := range o.list {
		s.place = 0
	}
	o.tree = nil
}
