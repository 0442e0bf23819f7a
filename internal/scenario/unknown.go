package scenario

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// noteUnknown notes where a run that a config.txt describes goes beyond what is known of the reference, whose
// files may then be others.
func (sc *Scenario) noteUnknown(s *sim.Setup) {
	c := sc.ref
	if c == nil || s.Profile != sim.NS3() || sc.CC.Name != sc.refCC {
		return
	}
	note := func(when bool, format string, args ...any) {
		if when {
			s.Notes = append(s.Notes, "it is not known what the reference does where "+fmt.Sprintf(format, args...))
		}
	}
	_, given := c.Given("USE_DYNAMIC_PFC_THRESHOLD")
	note(given && !c.DynamicPFC, "USE_DYNAMIC_PFC_THRESHOLD is 0: here PFC thresholds follow the free buffer all the same")
	note(c.LinkDown != (traces.LinkDown{}) && c.LinkDown.After == 0, "LINK_DOWN has nodes and the time 0: here the link fails at 2 s")
	note(c.BackToZero && loses(s), "L2_BACK_TO_ZERO is 1 and packets are lost: here both ends go back to the start of the chunk")
	note(!s.ECNOff && severalClasses(s.Flows), "flows of several priority groups are marked: here by the queue of each")
	if sc.CC.Name == "hpcc" {
		rate, found := beyondRecord(s.Topology)
		note(found, "HPCC's record is to hold a link rate other than 25, 50, 100, 200 and 400 Gb/s: here it holds %v", rate)
	}
	late := slices.IndexFunc(s.Flows, func(f sim.Flow) bool { return f.Start.Nanos() > math.MaxUint32 })
	note(late >= 0, "times do not fit 32 bits, those after 4.294967295 s: here they are written in full")
	large := slices.IndexFunc(s.Flows, func(f sim.Flow) bool { return f.Bytes > math.MaxUint32 })
	note(large >= 0, "positions in a flow do not fit 32 bits, those of more than 4294967295 B: here nothing wraps")
}

// loses reports whether links lose packets.
func loses(s *sim.Setup) bool {
	return s.LossPerLink > 0 || slices.ContainsFunc(s.Topology.Links, func(l topo.Link) bool { return l.Loss > 0 })
}

func severalClasses(flows []sim.Flow) bool {
	return slices.ContainsFunc(flows, func(f sim.Flow) bool { return f.Prio != flows[0].Prio })
}

// beyondRecord returns the rate of a link at a switch for which HPCC's record has no code in the reference.
func beyondRecord(t *topo.Topology) (core.Rate, bool) {
	codes := []core.Rate{25 * core.Gbps, 50 * core.Gbps, 100 * core.Gbps, 200 * core.Gbps, 400 * core.Gbps}
	for i := range t.Links {
		l := &t.Links[i]
		if (t.Kinds[l.A] == topo.Switch || t.Kinds[l.B] == topo.Switch) && !slices.Contains(codes, l.Rate) {
			return l.Rate, true
		}
	}
	return 0, false
}
