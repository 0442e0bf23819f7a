package nic

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

// LargestClass returns the largest number of flows that share a class's sender, as far as the host remembers.
func (h *Host) LargestClass() (n int) {
	for i := range h.ports {
		for _, c := range h.ports[i].classes {
			n = max(n, len(c.flows))
		}
	}
	return n
}
