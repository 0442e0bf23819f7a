package scenario

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// reorders names the key by which successive packets of a flow may overtake each other, with its value; empty: none does.
func reorders(s *sim.Setup) string {
	if s.Entropy != nic.OfFlow && s.Balance != switching.ConWeave { // which chooses whatever the source ports
		return "host.entropy " + entropyNames[s.Entropy]
	}
	return scatters(s)
}

// scatters is reorders, of switches.
func scatters(s *sim.Setup) string {
	switch s.Balance {
	case switching.ECMP, switching.Flowlets, switching.CONGA, switching.ConWeave:
		return ""
	}
	return "switch.load_balance " + balanceNames[s.Balance]
}

// checkLeaves refuses networks in which CONGA cannot balance load.
func (sc *Scenario) checkLeaves(s *sim.Setup) error {
	if _, err := s.Leaves(); err != nil {
		return sc.wrong("switch.load_balance", err)
	}
	return nil
}

// noteOvertaking makes a note of hosts that take packets which others have overtaken for lost.
func noteOvertaking(s *sim.Setup) {
	lost := func(f sim.Flow) bool { return s.Recovery[f.Prio&7] != nic.Selective || s.Reordering == 0 }
	if way := reorders(s); way != "" && slices.ContainsFunc(s.Flows, lost) {
		s.Notes = append(s.Notes, fmt.Sprintf("with %s packets overtake each other, which hosts take for losses: "+
			"--recovery selective with --set host.reordering=NUMBER allows for that many", way))
	}
}

// noteTrace makes a note of traced packets whose flows cannot be told: the event trace has the ports of a packet, not its
// queue pair.
func noteTrace(s *sim.Setup) {
	if len(s.Trace) == 0 {
		return
	}
	if s.Entropy != nic.OfFlow {
		s.Notes = append(s.Notes, fmt.Sprintf("with host.entropy %s the packets of a flow have many source ports, by which mix.tr "+
			"tells flows: a capture (pcap.file) knows them", entropyNames[s.Entropy]))
	}
	if s.Connections > 0 {
		s.Notes = append(s.Notes, "with host.connections several flows from one host to another have one source port, by which mix.tr "+
			"tells flows: a capture (pcap.file) knows them")
	}
}

// notePaths makes a note of schemes in use that take the INT records of successive packets for those of one path, or from
// whose packets PLB, which does keep to one, learns nothing.
func notePaths(s *sim.Setup, list []CC) {
	way, events := reorders(s), "time-outs"
	if s.Entropy == nic.Protective {
		way = scatters(s)
	}
	if s.Trim {
		events += " and trimmed packets"
	}
	for i, cc := range list {
		needs := s.Schemes[i].Traits().Needs
		if s.Entropy == nic.Protective && (s.ECNOff || needs&algorithms.ECN == 0 && !s.Profile.MarkAny) {
			s.Notes = append(s.Notes, fmt.Sprintf("host.entropy plb goes by marks of congestion, which no switch sets in packets of %s: "+
				"flows leave their paths after %s only", cc.Name, events))
		}
		if way != "" && needs&algorithms.INT != 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s compares the INT records of successive packets, but %s sends "+
				"them on several paths, where its rates mean little: choose another scheme, or one path", cc.Name, way))
		}
	}
}
