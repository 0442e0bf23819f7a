package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// buildTransmission reads how switches choose among the classes that wait: transmission selection (802.1Q, 8.6.8).
func (sc *Scenario) buildTransmission(s *sim.Setup) (err error) {
	if s.Weights, err = sc.weights(); err != nil {
		return err
	}
	if s.Strict, err = parseClasses(sc.Switch.Strict); err != nil {
		return sc.wrong("switch.strict", err)
	}
	if s.Strict != 0 && sc.Switch.Sharing == switching.ABM {
		return sc.wrong("switch.strict", errors.New("abm goes by shares of a port, which strict priority has not: use switch.weights, or another switch.sharing"))
	}
	for class, weight := range s.Weights {
		if weight != 0 && s.Strict>>class&1 != 0 {
			return sc.wrong("switch.strict", fmt.Errorf("class %d has a share in switch.weights: leave one of them out", class))
		}
	}
	return nil
}

// weights reads the shares of a port that classes have at switches.
func (sc *Scenario) weights() (w [8]uint8, err error) {
	for _, name := range slices.Sorted(maps.Keys(sc.Switch.Weights)) {
		class, err := parseClass(name)
		if err == nil && sc.Switch.Weights[name] == 0 {
			err = errors.New("0 must be 1 to 255")
		}
		if err != nil {
			return w, sc.wrong("switch.weights."+name, err)
		}
		w[class] = sc.Switch.Weights[name]
	}
	return w, nil
}
