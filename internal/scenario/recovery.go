package scenario

import (
	"fmt"
	"maps"
	"slices"

	"github.com/qbb-sim/qbb/devices/nic"
)

// recoveries is, for each class, what is sent again after a loss, and whether hosts limit the
// bytes in flight.
type recoveries struct {
	ways    [8]nic.Recovery
	windows uint8
}

// recoveries reads the choices for the classes.
func (sc *Scenario) recoveries() (r recoveries, err error) {
	for class := range r.ways {
		if err := sc.setRecovery(&r, uint8(class), "host.recovery", sc.Host.Recovery); err != nil {
			return r, err
		}
		r.setWindow(uint8(class), sc.Host.Window)
	}
	for _, name := range slices.Sorted(maps.Keys(sc.RecoveryByClass)) {
		key := "recovery_by_class." + name
		class, err := parseClass(name)
		if err != nil {
			return r, sc.wrong(key, err)
		}
		if err := sc.setRecovery(&r, class, key, sc.RecoveryByClass[name]); err != nil {
			return r, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sc.WindowByClass)) {
		class, err := parseClass(name)
		if w := sc.WindowByClass[name]; err == nil && w != "on" && w != "off" {
			err = fmt.Errorf("%v must be on or off", w)
		}
		if err != nil {
			return r, sc.wrong("window_by_class."+name, err)
		}
		r.setWindow(class, sc.WindowByClass[name])
	}
	return r, nil
}

func (sc *Scenario) setRecovery(r *recoveries, class uint8, key string, way nic.Recovery) error {
	if way == nic.Selective && sc.Options.RTO == 0 {
		return sc.wrong(key, fmt.Errorf("%s needs a time-out: set options.rto", recoveryNames[way]))
	}
	r.ways[class] = way
	return nil
}

func (r *recoveries) setWindow(class uint8, w string) {
	r.windows &^= 1 << class
	if w == "on" {
		r.windows |= 1 << class
	}
}
