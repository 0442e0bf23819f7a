package sim

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// chooseCredits completes the configuration of credit flow control. By default the neighbour learns of
// room as soon as a full packet has left, since it could be waiting to send one. Links that lose nothing
// need no refreshes: what they said last still holds.
func (n *Network) chooseCredits() error {
	s := n.Setup
	if s.Credits == nil {
		return nil
	}
	packet := s.MTU + s.Header
	for _, tr := range n.traits {
		packet = max(packet, s.MTU+s.Header+tr.Bytes(&n.intf, n.most.Hops))
	}
	c := *s.Credits
	least := 2 * (packet + core.CreditBlock)
	switch {
	case least > core.MaxLane:
		return fmt.Errorf("mtu: a packet of %v, with headers and what schemes add, does not fit %v, the largest buffer of credits, twice", packet, core.MaxLane)
	case c.Lane < least || c.Lane > core.MaxLane:
		return fmt.Errorf("credits.buffer: %v must be %v, for two full packets, to %v", c.Lane, least, core.MaxLane)
	}
	if c.Update == 0 {
		c.Update = packet
	}
	if most := c.Lane - packet - core.CreditBlock; c.Update > most {
		return fmt.Errorf("credits.update: %v must be at most %v, so that a full packet always fits in what is known to be free", c.Update, most)
	}
	lossy := func(l topo.Link) bool { return l.Loss > 0 }
	c.Refresh = s.LossPerLink > 0 || len(s.Links) > 0 || slices.ContainsFunc(s.Topology.Links, lossy)
	n.credits = &c
	for _, ports := range n.ports {
		n.room = max(n.room, c.Lane*core.Bytes(len(ports)))
	}
	return nil
}
