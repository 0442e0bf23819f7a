package powertcp

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of PowerTCP and of theta-PowerTCP.
type Params struct {
	Gamma      float64   `qbb:"gamma" doc:"weight of the new window (g)" source:"NSDI 2022: 0.9"`
	Flows      float64   `qbb:"flows" doc:"expected flows at a bottleneck: the additive increase is BDP/flows" source:"our choice: NSDI 2022 leaves it open"`
	MinArrival float64   `qbb:"min_arrival" doc:"least rate of arrival that is believed, as a part of the link" source:"authors' simulator"`
	MinRate    core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"our choice"`
}

// Defaults returns the default parameters, of both schemes.
func Defaults() Params { return Params{Gamma: 0.9, Flows: 100, MinArrival: 0.5} }

func (p *Params) validate(scheme string) error {
	switch {
	case !(p.Gamma > 0 && p.Gamma <= 1):
		return fmt.Errorf("%s: gamma is %v; it must be above 0 and at most 1", scheme, p.Gamma)
	case !(p.Flows >= 1):
		return fmt.Errorf("%s: flows is %v; it must be at least 1", scheme, p.Flows)
	case !(p.MinArrival >= 0 && p.MinArrival <= 1):
		return fmt.Errorf("%s: min_arrival is %v; it must be 0 to 1", scheme, p.MinArrival)
	case p.MinRate < 0:
		return fmt.Errorf("%s: min_rate is %v; it must not be negative", scheme, p.MinRate)
	}
	return nil
}
