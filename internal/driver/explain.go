package driver

import (
	"fmt"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// explanations reports what never happened although the options ask for it, and what is probably not
// intended.
func explanations(n *sim.Network) (notes []string) {
	notes = append(notes, storms(n)...)
	if links := n.ShortHeadroom(); len(links) > 0 {
		l := &n.Setup.Topology.Links[links[0]]
		notes = append(notes, fmt.Sprintf("%s less PFC headroom than cable and frames need, such as %d-%d with %v: packets may be lost in spite of PFC (switch.exact_headroom: true)",
			spelling.Count(len(links), "link has", "links have"), l.A, l.B, n.Setup.Headroom(l)))
	}
	if least := n.ShortPauses(); least > 0 {
		notes = append(notes, fmt.Sprintf("pauses of %s may expire while their repetition waits for a packet: packets may be lost in spite of PFC (options.pause_quanta: %d, or 0)",
			spelling.Count(int(n.Setup.Profile.PauseQuanta), "quantum", "quanta"), least))
	}
	if m := &n.Setup.Manager; m.Sweep > 0 && core.Duration(m.Params.Wait) >= m.Sweep/m.Tick {
		notes = append(notes, fmt.Sprintf("the congestion manager could find no victim: dcms.t_w is %d ticks, and a sweep has %d (dcms.sweep: %v, credits.tick: %v)",
			m.Params.Wait, m.Sweep/m.Tick, m.Sweep, m.Tick))
	}
	for i, r := range n.Reactions() {
		traits := n.Setup.Schemes[i].Traits()
		if reach := traits.Reach; reach.RTT != 0 && n.MaxRTT() > reach.RTT {
			notes = append(notes, fmt.Sprintf("%s: where the base round trip is above %s, %v, rates fall although nothing waits; here it is up to %.4g us",
				traits.Name, reach.Param, reach.RTT, 1e6*n.MaxRTT().Seconds()))
		}
		notes = append(notes, reaction(traits.Name, reactsItself(n.Setup.Schemes[i]), &r)...)
	}
	return notes
}

// storms finds ports that flow control kept silent for most of the time of traffic.
func storms(n *sim.Network) []string {
	const most = 0.5
	seconds := trafficTime(n)
	count, worst, share := 0, sim.PortRef{}, 0.0
	for id, ports := range n.Ports() {
		for i := range ports {
			c := n.Counters(core.NodeID(id), i)
			waited := waitedShare(&c, seconds)
			if waited < most {
				continue
			}
			count++
			if waited > share {
				worst, share = sim.PortRef{Node: core.NodeID(id), Port: i}, waited
			}
		}
	}
	if count == 0 {
		return nil
	}
	peer := n.Ports()[worst.Node][worst.Port].Peer
	if n.Setup.Credits != nil {
		return []string{fmt.Sprintf("%s had something to send but no credits for more than half of the time of traffic, most of all port %d of node %d, from node %d, for %.3g %% of it",
			spelling.Count(count, "port", "ports"), worst.Port, worst.Node, peer, 100*share)}
	}
	return []string{fmt.Sprintf("PFC storm: %s paused for more than half of the time of traffic, most of all port %d of node %d, by node %d, for %.3g %% of it",
		spelling.Count(count, "port had something to send but was", "ports had something to send but were"), worst.Port, worst.Node, peer, 100*share)}
}

// Bounds of what is worth a note.
const (
	enoughFlows = 10
	enoughLooks = 200
	mostLooks   = 0.5
)

// reactsItself reports whether the senders of a scheme are to react to what they hear. With grants, receivers do.
func reactsItself(s algorithms.Scheme) bool {
	hears := s.Traits().Hears
	return hears != 0 && !hears.Has(algorithms.Grant)
}

// reaction reports a scheme that should have reacted but never did, or was at its lowest rate
// or window for most of the run.
func reaction(name string, reacts bool, r *sim.Reaction) (notes []string) {
	if reacts && r.Flows >= enoughFlows && r.Changed == 0 && r.Moved == 0 {
		notes = append(notes, fmt.Sprintf("%s never reacted: its %d flows ended with the rate, window and gap with which they started", name, r.Flows))
	}
	if r.Looks < enoughLooks {
		return notes
	}
	if share := float64(r.AtRate) / float64(r.Looks); share > mostLooks && r.Lowest < r.Line/2 {
		notes = append(notes, fmt.Sprintf("%s: its flows were at the lowest rate, %v, in %.0f %% of %d samples", name, r.Lowest, 100*share, r.Looks))
	}
	if share := float64(r.AtLeast) / float64(r.Looks); share > mostLooks && r.Least < r.Window/2 && r.Window != core.Unlimited {
		notes = append(notes, fmt.Sprintf("%s: its flows were at the least window, %v, in %.0f %% of %d samples", name, r.Least, 100*share, r.Looks))
	}
	if share := float64(r.Held) / float64(r.Looks); share > mostLooks {
		notes = append(notes, fmt.Sprintf("%s: the hosts' window held back its flows, not its own, in %.0f %% of %d samples (host.window: off)", name, 100*share, r.Looks))
	}
	return notes
}
