package nic

// Rescan makes the host look through the queue pairs of all ports again, as if it knew of none what it has found.
func (h *Host) Rescan() {
	for i := range h.ports {
		h.ports[i].spent = false
	}
}
