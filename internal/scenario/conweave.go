package scenario

import (
	"fmt"

	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// conWeave returns the times of ConWeave.
func (sc *Scenario) conWeave() switching.ConWeaveConfig {
	c := &sc.ConWeave
	return switching.ConWeaveConfig{Reply: c.Reply, Busy: c.PathBusy, Resume: sc.Options.Timing.Cut(c.Resume), Inactive: c.Inactive}
}

// checkConWeave refuses networks in which a connection has several source or destination ToRs, and notes a key that changes little.
func (sc *Scenario) checkConWeave(s *sim.Setup) error {
	if s.Balance != switching.ConWeave {
		return nil
	}
	if s.Entropy != nic.OfFlow {
		s.Notes = append(s.Notes, "switch.load_balance conweave chooses the paths of data, whatever their source ports: host.entropy changes those of other packets only")
	}
	for id, ports := range s.Topology.Ports() {
		if s.Topology.Kinds[id] == topo.Host && len(ports) > 1 {
			return sc.wrong("switch.load_balance", fmt.Errorf("conweave puts packets in order at the one switch of a host, and host %d has %d links: "+
				"use another way, or a network whose hosts have one link each", id, len(ports)))
		}
	}
	return nil
}
