package rcc

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of rcc-recon.
type Params struct {
	Saturation float64       `qbb:"saturation" doc:"arrivals, as a part of the line rate, that mean congestion of the last hop" source:"our choice: not published"`
	RefDelay   core.Duration `qbb:"ref_delay" doc:"queueing delay aimed at in the network" source:"our choice: not published"`
	KP         float64       `qbb:"kp" doc:"proportional gain" source:"our choice: not published"`
	KI         float64       `qbb:"ki" doc:"integral gain" source:"our choice: not published"`
	KD         float64       `qbb:"kd" doc:"derivative gain" source:"our choice: not published"`
	Step       float64       `qbb:"step" doc:"largest relative change of a window in a round trip" source:"our choice: not published"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Saturation: 0.95, RefDelay: 10 * core.Microsecond, KP: 0.5, KI: 0.05, KD: 0.1, Step: 0.5}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case !(p.Saturation > 0 && p.Saturation <= 1):
		return fmt.Errorf("rcc-recon: saturation is %v; it must be above 0 and at most 1", p.Saturation)
	case p.RefDelay <= 0:
		return fmt.Errorf("rcc-recon: ref_delay is %v; it must be above 0", p.RefDelay)
	case !(p.KP >= 0 && p.KI >= 0 && p.KD >= 0 && p.KP+p.KI+p.KD <= 1e6):
		return fmt.Errorf("rcc-recon: kp is %v, ki %v and kd %v; none may be negative, nor their sum above 1e6", p.KP, p.KI, p.KD)
	case !(p.Step > 0 && p.Step < 1):
		return fmt.Errorf("rcc-recon: step is %v; it must be above 0 and below 1", p.Step)
	}
	return nil
}
