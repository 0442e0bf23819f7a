package scenario

import (
	"fmt"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/internal/sim"
)

// checkConnections refuses queue pairs of several messages if a scheme in use permits one alone.
func (sc *Scenario) checkConnections(s *sim.Setup) error {
	for _, scheme := range s.Schemes {
		if t := scheme.Traits(); s.Connections > 0 && t.OneMessage {
			return sc.wrong("host.connections", fmt.Errorf("%s takes every message for a flow of its own, at receivers or in switches: leave host.connections out", t.Name))
		}
	}
	return nil
}

// checkAcks refuses coalesced acknowledgements if a scheme in use would misread them.
func (sc *Scenario) checkAcks(s *sim.Setup) error {
	if s.AckEvery == 1 {
		return nil
	}
	for _, scheme := range s.Schemes {
		problem := ""
		switch t := scheme.Traits(); {
		case t.AckEvery != 0:
			problem = "coalesces acknowledgements by its own parameter ack_every"
		case t.Needs&algorithms.AckPerData != 0:
			problem = "needs an acknowledgement of every packet"
		default:
			continue
		}
		return sc.wrong("host.ack_every", fmt.Errorf("%s %s: leave host.ack_every out", scheme.Traits().Name, problem))
	}
	return nil
}
