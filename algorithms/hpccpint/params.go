package hpccpint

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of HPCC-PINT.
type Params struct {
	Target      float64   `qbb:"target" doc:"utilisation aimed at (eta)" source:"HPCC, SIGCOMM 2019"`
	MIThresh    int       `qbb:"mi_thresh" doc:"additive steps before a multiplicative one (maxStage)" source:"HPCC authors' settings; 5 in the paper"`
	AI          core.Rate `qbb:"ai" doc:"additive increase per round trip" zero:"line/2500" source:"HPCC authors' settings: 10 Mb/s per 25 Gb/s"`
	MinRate     core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"HPCC authors' settings: 1 Gb/s at 100 Gb/s"`
	FastReact   bool      `qbb:"fast_react" doc:"react to every ACK, not only once a round trip" source:"HPCC, SIGCOMM 2019"`
	LogBase     float64   `qbb:"log_base" doc:"base of the digest's logarithm" source:"HPCC authors' settings: 1.05 for 1 byte, 1.01 for 2"`
	Probability float64   `qbb:"probability" doc:"share of the ACKs that are used" source:"PINT, SIGCOMM 2020"`
	Window      bool      `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"HPCC, SIGCOMM 2019"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Target: 0.95, FastReact: true, LogBase: 1.05, Probability: 1, Window: true}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case !(p.Target > 0 && p.Target <= 2):
		return fmt.Errorf("hpcc-pint: target is %v; it must be above 0 and at most 2", p.Target)
	case p.MIThresh < 0:
		return fmt.Errorf("hpcc-pint: mi_thresh is %d; it must not be negative", p.MIThresh)
	case p.AI < 0 || p.MinRate < 0:
		return fmt.Errorf("hpcc-pint: ai and min_rate are %v and %v; neither may be negative", p.AI, p.MinRate)
	case !(p.LogBase >= minBase && p.LogBase <= 2):
		return fmt.Errorf("hpcc-pint: log_base is %v; it must be from %v, so that a digest fits 2 bytes, to 2", p.LogBase, minBase)
	case !(p.Probability > 0 && p.Probability <= 1):
		return fmt.Errorf("hpcc-pint: probability is %v; it must be above 0 and at most 1", p.Probability)
	}
	return nil
}
