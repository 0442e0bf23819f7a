package xcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of XCP.
type Params struct {
	Alpha       float64    `qbb:"alpha" range:"(0,10]" doc:"gain on the spare capacity" source:"SIGCOMM 2002: 0.4; stable below pi/(4 sqrt 2) = 0.555"`
	Beta        float64    `qbb:"beta" range:"[0,10]" doc:"gain on the persistent queue" source:"SIGCOMM 2002: alpha^2 sqrt 2 = 0.226"`
	Gamma       float64    `qbb:"gamma" range:"[0,1]" doc:"part of the traffic that is shuffled: taken from all and given back in equal shares" source:"SIGCOMM 2002: 0.1"`
	FirstWindow core.Bytes `qbb:"first_window" doc:"window of a flow until its first ACK, on the wire" zero:"a full packet" source:"our choice"`
	DesiredRate core.Rate  `qbb:"desired_rate" doc:"rate that a flow asks for" zero:"line rate" source:"SIGCOMM 2002: what the application wants"`
	RTTGain     float64    `qbb:"rtt_gain" range:"(0,1]" doc:"weight of a new sample of the round trip" source:"RFC 6298: 1/8"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{Alpha: 0.4, Beta: 0.226, Gamma: 0.1, RTTGain: 0.125} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("xcp", p) }
