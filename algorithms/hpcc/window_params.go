package hpcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// WindowParams are the parameters of HPCC's window form.
type WindowParams struct {
	Target    float64    `qbb:"target" range:"(0,2]" doc:"utilisation aimed at (eta)" source:"SIGCOMM 2019"`
	MaxStage  int        `qbb:"max_stage" doc:"additive steps before a multiplicative one" source:"SIGCOMM 2019"`
	AI        core.Bytes `qbb:"ai" doc:"additive increase per round trip (W_AI)" none:"no increase" zero:"BDP (1-target)/flows" source:"SIGCOMM 2019"`
	Flows     float64    `qbb:"flows" range:"[1,)" doc:"expected flows at a bottleneck (N)" source:"our choice: 100 makes W_AI 81 B at 100 Gb/s and 13 us"`
	MinRate   core.Rate  `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"authors' simulation settings: 1 Gb/s at 100 Gb/s"`
	FastReact bool       `qbb:"fast_react" doc:"react to every ACK, not only once a round trip" source:"SIGCOMM 2019"`
}

// WindowDefaults returns the default parameters of the window form.
func WindowDefaults() WindowParams {
	return WindowParams{Target: 0.95, MaxStage: 5, Flows: 100, FastReact: true}
}

// Validate reports the first parameter that is out of range.
func (p *WindowParams) Validate() error {
	if err := algorithms.CheckParams("hpcc-window", p); err != nil {
		return err
	}
	if p.Target >= 1 && p.AI == 0 {
		return algorithms.WrongParam("hpcc-window", "target", p.Target, "from 1 on it needs ai to be given")
	}
	return nil
}
