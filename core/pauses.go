package core

import "math/bits"

// Pauses is the PFC state of the sending side of one port: which classes the neighbour has
// paused, and until when (IEEE 802.1Qbb; 802.1Q clause 36). The zero value has no pause.
type Pauses struct {
	mask  uint8
	until [8]Time
	since [8]Time
	total Duration
}

// Mask returns the set of paused classes.
func (s *Pauses) Mask() uint8 { return s.mask }

// Apply obeys a PFC frame that arrived at now on a port of the given rate.
func (s *Pauses) Apply(now Time, w PauseWord, rate Rate) {
	if w.Resume() {
		s.end(now, s.mask&w.Classes())
		return
	}
	until := now.Add(w.Lasts(rate))
	for m := w.Classes(); m != 0; m &= m - 1 {
		c := bits.TrailingZeros8(m)
		if s.mask>>c&1 == 0 {
			s.since[c] = now
		}
		s.until[c] = until
	}
	s.mask |= w.Classes()
}

// Expire ends the pauses whose time is over and returns their classes.
func (s *Pauses) Expire(now Time) (resumed uint8) {
	for m := s.mask; m != 0; m &= m - 1 {
		if c := bits.TrailingZeros8(m); s.until[c] <= now {
			resumed |= 1 << c
		}
	}
	s.end(now, resumed)
	return resumed
}

// Clear forgets all pauses, as when the link fails.
func (s *Pauses) Clear(now Time) { s.end(now, s.mask) }

func (s *Pauses) end(now Time, classes uint8) {
	for m := classes; m != 0; m &= m - 1 {
		s.total += now.Sub(s.since[bits.TrailingZeros8(m)])
	}
	s.mask &^= classes
}

// Next returns when the next pause expires, or Never.
func (s *Pauses) Next() Time {
	next := Never
	for m := s.mask; m != 0; m &= m - 1 {
		next = min(next, s.until[bits.TrailingZeros8(m)])
	}
	return next
}

// Total returns the time for which classes have been paused up to now, summed over classes.
func (s *Pauses) Total(now Time) Duration {
	sum := s.total
	for m := s.mask; m != 0; m &= m - 1 {
		sum += now.Sub(s.since[bits.TrailingZeros8(m)])
	}
	return sum
}

// Since returns since when a class has been paused; Never if it is not.
func (s *Pauses) Since(class int) Time {
	if s.mask>>class&1 == 0 {
		return Never
	}
	return s.since[class]
}
