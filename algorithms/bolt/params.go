package bolt

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of Bolt.
type Params struct {
	Threshold   core.Bytes `qbb:"threshold" doc:"queue from which windows shrink (CC_THRESH)" zero:"a full packet" source:"our choice: the least that distinguishes a queue from a packet"`
	FirstWindow core.Bytes `qbb:"first_window" doc:"window of a new flow" zero:"line rate times base round trip" source:"NSDI 2023: flows start at line rate"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("bolt", p) }
