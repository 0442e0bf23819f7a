package powertcp

import (
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of PowerTCP and of theta-PowerTCP.
type Params struct {
	Gamma      float64   `qbb:"gamma" range:"(0,1]" doc:"weight of the new window (g)" source:"NSDI 2022: 0.9"`
	Flows      float64   `qbb:"flows" range:"[1,)" doc:"expected flows that share a host's link (N): the additive increase beta is BDP/flows" source:"NSDI 2022, section 3.3, without a number; 100: our choice"`
	MinArrival float64   `qbb:"min_arrival" range:"[0,1]" doc:"least rate of arrivals that is assumed, as a share of the link" source:"authors' simulator"`
	MinRate    core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"our choice"`
}

// Defaults returns the default parameters, of both schemes.
func Defaults() Params { return Params{Gamma: 0.9, Flows: 100, MinArrival: 0.5} }
