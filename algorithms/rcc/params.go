package rcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of rcc-recon.
type Params struct {
	Saturation float64       `qbb:"saturation" range:"(0,1]" doc:"arrivals, as a part of the line rate, that mean congestion of the last hop" source:"our choice: not published"`
	RefDelay   core.Duration `qbb:"ref_delay" range:"(0,)" doc:"queueing delay aimed at in the network" source:"our choice: not published"`
	KP         float64       `qbb:"kp" range:"[0,1e6]" doc:"proportional gain" source:"our choice: not published"`
	KI         float64       `qbb:"ki" range:"[0,1e6]" doc:"integral gain" source:"our choice: not published"`
	KD         float64       `qbb:"kd" range:"[0,1e6]" doc:"derivative gain" source:"our choice: not published"`
	Step       float64       `qbb:"step" range:"(0,1)" doc:"largest relative change of a window in a round trip" source:"our choice: not published"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Saturation: 0.95, RefDelay: 10 * core.Microsecond, KP: 0.5, KI: 0.05, KD: 0.1, Step: 0.5}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("rcc-recon", p) }
