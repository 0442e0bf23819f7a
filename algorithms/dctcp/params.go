package dctcp

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of DCTCP.
type Params struct {
	G       float64   `qbb:"g" doc:"gain of alpha" source:"RFC 8257: 1/16"`
	AI      core.Rate `qbb:"ai" doc:"additive increase per round trip" zero:"one MTU per base round trip" source:"RFC 5681; HPCC authors' settings: 615 Mb/s, 1000 B per 13 us"`
	MinRate core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"HPCC authors' settings: 1 Gb/s at 100 Gb/s"`
	Window  bool      `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"HPCC authors' settings"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{G: 1.0 / 16, Window: true} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case !(p.G > 0 && p.G <= 1):
		return fmt.Errorf("dctcp: g is %v; it must be above 0 and at most 1", p.G)
	case p.AI < 0:
		return fmt.Errorf("dctcp: ai is %v; it must not be negative", p.AI)
	case p.MinRate < 0:
		return fmt.Errorf("dctcp: min_rate is %v; it must not be negative", p.MinRate)
	}
	return nil
}
