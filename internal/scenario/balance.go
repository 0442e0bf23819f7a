package scenario

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// severalPaths reports whether successive packets of a flow may take different paths.
func severalPaths(s *sim.Setup) bool {
	return s.Balance != switching.ECMP && s.Balance != switching.Flowlets
}

// noteOvertaking makes a note of hosts that take packets which others have overtaken for lost.
func noteOvertaking(s *sim.Setup) {
	lost := func(f sim.Flow) bool { return s.Recovery[f.Prio&7] != nic.Selective || s.Reordering == 0 }
	if severalPaths(s) && slices.ContainsFunc(s.Flows, lost) {
		s.Notes = append(s.Notes, fmt.Sprintf("with load_balance %s packets overtake each other, which hosts take for losses: "+
			"--recovery selective with --set host.reordering=NUMBER allows for that many", balanceNames[s.Balance]))
	}
}

// notePaths makes a note of schemes in use that take the INT records of successive packets for those of one path.
func notePaths(s *sim.Setup, list []CC) {
	for i, cc := range list {
		if severalPaths(s) && s.Schemes[i].Traits().Needs&algorithms.INT != 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s compares the INT records of successive packets, but load_balance %s sends "+
				"them on several paths: its rates mean little", cc.Name, balanceNames[s.Balance]))
		}
	}
}
