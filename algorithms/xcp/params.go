package xcp

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of XCP.
type Params struct {
	Alpha       float64    `qbb:"alpha" doc:"gain on the spare capacity" source:"SIGCOMM 2002: 0.4; stable below pi/(4 sqrt 2) = 0.555"`
	Beta        float64    `qbb:"beta" doc:"gain on the persistent queue" source:"SIGCOMM 2002: alpha^2 sqrt 2 = 0.226"`
	Gamma       float64    `qbb:"gamma" doc:"part of the traffic that is shuffled: taken from all and given back in equal shares" source:"SIGCOMM 2002: 0.1"`
	FirstWindow core.Bytes `qbb:"first_window" doc:"window of a flow until its first ACK, on the wire" zero:"a full packet" source:"our choice"`
	DesiredRate core.Rate  `qbb:"desired_rate" doc:"rate that a flow asks for" zero:"line rate" source:"SIGCOMM 2002: what the application wants"`
	RTTGain     float64    `qbb:"rtt_gain" doc:"weight of a new sample of the round trip" source:"RFC 6298: 1/8"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{Alpha: 0.4, Beta: 0.226, Gamma: 0.1, RTTGain: 0.125} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case !(p.Alpha > 0 && p.Alpha <= 10) || !(p.Beta >= 0 && p.Beta <= 10):
		return fmt.Errorf("xcp: alpha is %v and beta %v; alpha must be above 0, beta 0 or more, both at most 10", p.Alpha, p.Beta)
	case !(p.Gamma >= 0 && p.Gamma <= 1):
		return fmt.Errorf("xcp: gamma is %v; it must be 0 to 1", p.Gamma)
	case !(p.RTTGain > 0 && p.RTTGain <= 1):
		return fmt.Errorf("xcp: rtt_gain is %v; it must be above 0 and at most 1", p.RTTGain)
	case p.FirstWindow < 0 || p.DesiredRate < 0:
		return fmt.Errorf("xcp: first_window is %v and desired_rate %v; neither may be negative", p.FirstWindow, p.DesiredRate)
	}
	return nil
}
