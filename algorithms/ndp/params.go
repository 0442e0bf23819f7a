package ndp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of NDP.
type Params struct {
	InitialWindow int           `qbb:"initial_window" range:"[1,1000000]" doc:"packets that a sender sends unasked" zero:"1.5 line rate times base round trip" source:"SIGCOMM 2017, section 3.2: a full window; how much is our choice"`
	PullRate      float64       `qbb:"pull_rate" range:"(0,1]" doc:"part of its line rate at which a receiver pulls full packets" source:"SIGCOMM 2017, section 3.2: its link's speed"`
	RTO           core.Duration `qbb:"rto" range:"[1ns,1000s]" doc:"least retransmission time-out" source:"SIGCOMM 2017, section 3.2: as low as 1ms is safe"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{PullRate: 1, RTO: core.Millisecond} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("ndp", p) }
