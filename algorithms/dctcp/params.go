package dctcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of DCTCP.
type Params struct {
	G       float64   `qbb:"g" range:"[0,1]" doc:"gain of alpha" source:"RFC 8257: 1/16"`
	AI      core.Rate `qbb:"ai" doc:"additive increase per round trip" none:"no increase" zero:"one MTU per base round trip" source:"RFC 5681; HPCC authors' settings: 615 Mb/s, 1000 B per 13 us"`
	MinRate core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"HPCC authors' settings: 1 Gb/s at 100 Gb/s"`
	Window  bool      `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"HPCC authors' settings"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{G: 1.0 / 16, Window: true} }

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("dctcp", p) }
