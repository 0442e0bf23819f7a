package sim

import "slices"

// chooseParts decides how many parts the network has, and cuts it.
func (n *Network) chooseParts() int {
	least, best := max(1, n.Setup.Threads), n.bestParts()
	if best < 2 || !n.separable() {
		return 1
	}
	cut, parts := cutNetwork(n.Setup.Topology, n.ports, n.Setup.Delay, least, best)
	if parts < 2 || least == 1 && !n.Setup.usefulParts(cut, parts) {
		return 1
	}
	n.cut = cut
	return parts
}

// Parts returns how many parts the network is cut into.
func (n *Network) Parts() int { return len(n.parts) }

// separable reports whether nothing in the run acts at once on distant nodes, as the end of a flow does on one between two
// other hosts, or is recorded in an order that all nodes share.
func (n *Network) separable() bool {
	s := n.Setup
	if s.ClosedLoop || s.Manager.Sweep != 0 || s.Trace != nil || s.Capture {
		return false
	}
	if s.Profile.InOrder() {
		return n.separableInOrder()
	}
	return !s.Profile.CommonRandom && !s.Profile.ForgetReceiver && !s.Sampling.Events && !s.chainedApart()
}

// chained reports whether flows wait for others.
func (s *Setup) chained() bool {
	return slices.ContainsFunc(s.Flows, func(f Flow) bool { return len(f.After) > 0 })
}

// chainedApart reports whether flows wait for others between two other hosts.
func (s *Setup) chainedApart() bool {
	if !s.chained() {
		return false
	}
	r := rowsOf(s.Flows)
	for i, earlier := range r.waits(s.Flows) {
		if src, f := s.Flows[i].Src, &s.Flows[earlier]; src != f.Src && src != f.Dst {
			return true
		}
	}
	return false
}

// separableInOrder reports whether a run in the order of scheduling is separable. Flows start while all parts have met,
// but must not start others. Of what draws from common sequences, only marks can wait for their numbers until the parts
// meet: losses and the schemes' own chance cannot. And a receiver is forgotten when they meet, which is early enough only if
// nothing is sent twice and no notification point has something left to send to the source of a flow that has ended.
func (n *Network) separableInOrder() bool {
	s, p := n.Setup, &n.Setup.Profile
	instant, lossy := false, s.LossPerLink > 0
	for i := range s.Topology.Links {
		l := &s.Topology.Links[i]
		instant, lossy = instant || s.Delay(l) == 0, lossy || l.Loss > 0
	}
	common := p.CommonRandom && (lossy || len(n.points.Markers) > 0)
	twice := lossy || s.NoPFC || s.Lossy != 0 || p.RTO != 0 || !s.OnePath()
	late := p.ForgetReceiver && (twice || len(n.points.Receivers) > 0)
	return !s.chained() && s.Programs == nil && len(s.Links) == 0 && !instant && !common && !late
}

// partsPerThread balances the work of the threads in a window: one that has finished its own
// parts runs others'.
const partsPerThread = 4

// Even one thread runs a large network faster in parts: in a window, a part finds more of its
// packets in the caches. Each part costs memory for all ports.
const (
	portsPerPart    = 256
	mostPartsOfSize = 8
)

// bestParts returns the best number of parts.
func (n *Network) bestParts() int {
	if n.Setup.Threads > 1 {
		return n.Setup.Threads * partsPerThread
	}
	if n.Setup.Profile.InOrder() {
		return 1 // keeping the order costs more than the caches save
	}
	return min(2*len(n.Setup.Topology.Links)/portsPerPart, mostPartsOfSize)
}
