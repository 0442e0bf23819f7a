package hpccpint

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of HPCC-PINT.
type Params struct {
	Target      float64   `qbb:"target" range:"(0,2]" doc:"utilisation aimed at (eta)" source:"HPCC, SIGCOMM 2019"`
	MIThresh    int       `qbb:"mi_thresh" doc:"additive steps before a multiplicative one (maxStage)" source:"HPCC authors' settings; 5 in the paper"`
	AI          core.Rate `qbb:"ai" doc:"additive increase per round trip" none:"no increase" zero:"line/2500" source:"HPCC authors' settings: 10 Mb/s per 25 Gb/s"`
	MinRate     core.Rate `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"HPCC authors' settings: 1 Gb/s at 100 Gb/s"`
	FastReact   bool      `qbb:"fast_react" doc:"react to every ACK, not only once a round trip" source:"HPCC, SIGCOMM 2019"`
	LogBase     float64   `qbb:"log_base" range:"[1.0002,2]" doc:"base of the digest's logarithm" source:"HPCC authors' settings: 1.05 for 1 byte, 1.01 for 2"`
	Probability float64   `qbb:"probability" range:"[0,1]" doc:"share of the ACKs that are used" source:"PINT, SIGCOMM 2020"`
	Window      bool      `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"HPCC, SIGCOMM 2019"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Target: 0.95, FastReact: true, LogBase: 1.05, Probability: 1, Window: true}
}

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if !(p.LogBase >= minBase) {
		return algorithms.WrongParam("hpcc-pint", "log_base", p.LogBase, "it must be from %v, so that a digest fits 2 bytes, to 2", minBase)
	}
	return algorithms.CheckParams("hpcc-pint", p)
}
