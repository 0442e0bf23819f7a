package nic

// ManyPairs is the number of queue pairs from which a port has a tournament.
const ManyPairs = manyPairs

// Rescan makes the host look through the queue pairs of all ports again, as if it knew of none what it has found.
func (h *Host) Rescan() {
	for i := range h.ports {
		h.ports[i].spent, h.ports[i].stuck = false, nil
	}
}

// LookAtAll makes the host do without tournaments.
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

// LargestClass returns the most flows that a sender of a class is shared by, as far as it remembers.
func (h *Host) LargestClass() (n int) {
	for i := range h.ports {
		for _, c := range h.ports[i].classes {
			n = max(n, len(c.flows))
		}
	}
	return n
}
