package hpcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of HPCC.
type Params struct {
	Target         float64   `qbb:"target" range:"(0,2]" doc:"utilisation aimed at (eta)" source:"SIGCOMM 2019"`
	MIThresh       int       `qbb:"mi_thresh" doc:"additive steps before a multiplicative one (maxStage)" source:"authors' simulation settings; 5 in the paper"`
	AI             core.Rate `qbb:"ai" doc:"additive increase per round trip" none:"no increase" zero:"line/2500" source:"authors' simulation settings: 10 Mb/s per 25 Gb/s"`
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

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("hpcc", p) }
