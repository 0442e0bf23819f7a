package nic

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// ManyPairs is the number of queue pairs at which a port starts to use a tournament.
const ManyPairs = manyPairs

// Rescan makes the host look through the queue pairs of all ports again, as if it had forgotten what it found.
func (h *Host) Rescan() {
	for i := range h.ports {
		h.ports[i].spent, h.ports[i].stuck = false, nil
	}
}

// LookAtAll makes the host work without tournaments.
func (h *Host) LookAtAll() {
	for i := range h.ports {
		h.ports[i].lookAtAll = true
	}
}

// Tournaments counts the ports that have one.
func (h *Host) Tournaments() (n int) {
	for i := range h.ports {
		if h.ports[i].tree != nil {
			n++
		}
	}
	return n
}

// Timers returns how many entries there are in the heaps of timers.
func (h *Host) Timers() (n int) {
	for i := range h.ports {
		n += len(h.ports[i].timers)
	}
	return n
}

// Miscounted returns the number of a connection, from 1 on, that has counted what its messages have in flight otherwise than
// one by one, or takes another for the first that has something to send; 0: all are right.
func (h *Host) Miscounted() int {
	all, first := map[*connection]load{}, map[*connection]*sender{}
	for _, s := range h.tx {
		if s.turn == nil || s.waits() || s.done {
			continue
		}
		c, asking, unacked := s.turn.connection, 0, 0
		if s.inFlight() > 0 && !s.mute() {
			asking = 1
		}
		if s.una < s.top {
			unacked = 1
		}
		was := all[c]
		all[c] = load{
			was.told + core.Bytes(s.sentTo()-s.una), was.inFlight + s.inFlight(), was.inNetwork + h.inNetwork(s), was.asking + asking, was.unacked + unacked,
		}
		if first[c] == nil && s.unsent() {
			first[c] = s
		}
	}
	return 1 + slices.IndexFunc(h.conns, func(c *connection) bool { return c.all != all[c] || c.first() != first[c] })
}

// LargestClass returns the largest number of flows that share a class's sender, as far as the host remembers.
func (h *Host) LargestClass() (n int) {
	for i := range h.ports {
		for _, c := range h.ports[i].classes {
			n = max(n, len(c.flows))
		}
	}
	return n
}
