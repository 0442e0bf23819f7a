package hpcc

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of HPCC.
type Params struct {
	Target         float64   `qbb:"target" doc:"utilisation aimed at (eta)" source:"SIGCOMM 2019"`
	MIThresh       int       `qbb:"mi_thresh" doc:"additive steps before a multiplicative one (maxStage)" source:"authors' simulation settings; 5 in the paper"`
	AI             core.Rate `qbb:"ai" doc:"additive increase per round trip" zero:"line/2500" source:"authors' simulation settings: 10 Mb/s per 25 Gb/s"`
	MinRate        core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"authors' simulation settings: 1 Gb/s at 100 Gb/s"`
	FastReact      bool      `qbb:"fast_react" doc:"react to every ACK, not only once a round trip" source:"SIGCOMM 2019"`
	MultiRate      bool      `qbb:"multi_rate" doc:"a rate for every hop, the least is used" source:"authors' simulation settings"`
	SampleFeedback bool      `qbb:"sample_feedback" doc:"fast updates leave out hops without a queue" source:"authors' simulation settings"`
	Window         bool      `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"SIGCOMM 2019"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Target: 0.95, FastReact: true, Window: true}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case !(p.Target > 0 && p.Target <= 2):
		return fmt.Errorf("hpcc: target is %v; it must be above 0 and at most 2", p.Target)
	case p.MIThresh < 0:
		return fmt.Errorf("hpcc: mi_thresh is %d; it must not be negative", p.MIThresh)
	case p.AI < 0:
		return fmt.Errorf("hpcc: ai is %v; it must not be negative", p.AI)
	case p.MinRate < 0:
		return fmt.Errorf("hpcc: min_rate is %v; it must not be negative", p.MinRate)
	}
	return nil
}
