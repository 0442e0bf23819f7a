package scenario

import (
	"errors"
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// buildLossy reads the classes that are not lossless. They exist only with PFC: without it all classes
// are lossy (lossyClasses), with credits none is.
func (sc *Scenario) buildLossy(s *sim.Setup) error {
	s.LossyShift, s.Trim = sc.Switch.LossyShift, sc.Switch.Trim
	if sc.Lossy == "" {
		return nil
	}
	switch sc.FlowControl {
	case "none":
		return sc.wrong("lossy", errors.New("all classes are lossy with flow_control: none: leave lossy out"))
	case "credits":
		return sc.wrong("lossy", errors.New("no class is lossy with flow_control: credits: leave lossy out, or use pfc"))
	}
	var err error
	if s.Lossy, err = parseClasses(sc.Lossy); err != nil {
		return sc.wrong("lossy", err)
	}
	return nil
}

// buildSharing checks that there is a class that shares the buffer otherwise.
func (sc *Scenario) buildSharing(s *sim.Setup) error {
	s.Sharing, s.FirstAlpha = sc.Switch.Sharing, sc.Switch.FirstAlpha
	if s.Sharing != switching.Dynamic && s.Lossy == 0 {
		return sc.wrong("switch.sharing", fmt.Errorf("%s is for lossy classes, and none is: set lossy, or flow_control: none", sharingNames[s.Sharing]))
	}
	return nil
}

// buildTrim checks that hosts know what to do about trimmed packets.
func (sc *Scenario) buildTrim(s *sim.Setup) error {
	if !s.Trim {
		return nil
	}
	if s.Lossy == 0 {
		return sc.wrong("switch.trim", errors.New("no class is lossy: set lossy, or flow_control: none"))
	}
	for class, way := range s.Recovery {
		if s.Lossy>>class&1 != 0 && way != nic.Selective {
			return sc.wrong("switch.trim", fmt.Errorf("class %d has recovery %s: set host.recovery or recovery_by_class.%[1]d to selective", class, recoveryNames[way]))
		}
	}
	return nil
}

// noteTrimming makes a note of schemes whose receivers go by trimmed packets, where a network trims none of theirs, or its
// hosts have a window.
func noteTrimming(s *sim.Setup) {
	for i, scheme := range s.Schemes {
		t := scheme.Traits()
		if !t.SeesTrimmed {
			continue
		}
		dropped, limited := false, false
		for k := range s.Flows {
			if f := &s.Flows[k]; int(f.Scheme) == i {
				dropped = dropped || !s.Trim || s.Lossy>>(f.Prio&7)&1 == 0
				limited = limited || s.Windows.Classes>>(f.Prio&7)&1 != 0
			}
		}
		var needs []string
		if dropped {
			needs = append(needs, "switches that trim its packets (switch.trim: true, with host.recovery: selective and flow_control: none, or lossy)")
		}
		if limited {
			needs = append(needs, "hosts without a window, which keeps pulled packets back while one is missing (host.window: off)")
		}
		if len(needs) > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s is for %s", t.Name, strings.Join(needs, " and ")))
		}
	}
}

// lossyClasses are the classes of a network without PFC: those of its flows, for each of which memory is
// reserved, or every class if some may be added. Class 0 is not accounted.
func (sc *Scenario) lossyClasses(flows []sim.Flow) (classes uint8) {
	if sc.mayGrow(flows) {
		classes = 0xff
	}
	for i := range flows {
		classes |= 1 << flows[i].Prio
	}
	return classes &^ 1
}
