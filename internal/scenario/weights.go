package scenario

import (
	"errors"
	"maps"
	"slices"
)

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
