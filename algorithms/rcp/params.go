package rcp

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of RCP.
type Params struct {
	Alpha     float64       `qbb:"alpha" doc:"gain on the spare rate" source:"reported of IWQoS 2005: 0.4"`
	Beta      float64       `qbb:"beta" doc:"gain on the queue" source:"reported of IWQoS 2005: 0.226"`
	Period    core.Duration `qbb:"period" doc:"time from one rate to the next (T)" zero:"the largest base round trip (d)" source:"our choice: at most d"`
	MinRate   core.Rate     `qbb:"min_rate" doc:"lowest rate of a port" zero:"line/1000" source:"our choice"`
	FirstRate core.Rate     `qbb:"first_rate" doc:"rate of a flow until its first ACK" zero:"line rate" source:"our choice: the paper's comes with a handshake"`
	Window    bool          `qbb:"window" doc:"limit the bytes in flight to rate times base round trip" source:"our choice"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{Alpha: 0.4, Beta: 0.226, Window: true} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case !(p.Alpha > 0 && p.Alpha <= 10) || !(p.Beta >= 0 && p.Beta <= 10):
		return fmt.Errorf("rcp: alpha is %v and beta %v; alpha must be above 0, beta 0 or more, both at most 10", p.Alpha, p.Beta)
	case p.Period < 0 || p.Period > 0 && p.Period < core.Nanosecond:
		return fmt.Errorf("rcp: period is %v; it must be 0 or at least 1ns", p.Period)
	case p.MinRate < 0 || p.FirstRate < 0:
		return fmt.Errorf("rcp: min_rate is %v and first_rate %v; neither may be negative", p.MinRate, p.FirstRate)
	}
	return nil
}
