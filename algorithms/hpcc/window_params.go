package hpcc

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// WindowParams are the parameters of HPCC's window form.
type WindowParams struct {
	Target    float64    `qbb:"target" doc:"utilisation aimed at (eta)" source:"SIGCOMM 2019"`
	MaxStage  int        `qbb:"max_stage" doc:"additive steps before a multiplicative one" source:"SIGCOMM 2019"`
	AI        core.Bytes `qbb:"ai" doc:"additive increase per round trip (W_AI)" zero:"BDP (1-target)/flows" source:"SIGCOMM 2019"`
	Flows     float64    `qbb:"flows" doc:"expected flows at a bottleneck (N)" source:"our choice: 100 makes W_AI 81 B at 100 Gb/s and 13 us"`
	MinRate   core.Rate  `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"authors' simulation settings: 1 Gb/s at 100 Gb/s"`
	FastReact bool       `qbb:"fast_react" doc:"react to every ACK, not only once a round trip" source:"SIGCOMM 2019"`
}

// WindowDefaults returns the default parameters of the window form.
func WindowDefaults() WindowParams {
	return WindowParams{Target: 0.95, MaxStage: 5, Flows: 100, FastReact: true}
}

// Validate reports the first parameter that is out of range.
func (p *WindowParams) Validate() error {
	switch {
	case !(p.Target > 0 && p.Target <= 2):
		return fmt.Errorf("hpcc-window: target is %v; it must be above 0 and at most 2", p.Target)
	case p.Target >= 1 && p.AI == 0:
		return fmt.Errorf("hpcc-window: target is %v and ai 0; a target of 1 or more needs ai to be given", p.Target)
	case p.MaxStage < 0:
		return fmt.Errorf("hpcc-window: max_stage is %d; it must not be negative", p.MaxStage)
	case p.AI < 0:
		return fmt.Errorf("hpcc-window: ai is %v; it must not be negative", p.AI)
	case !(p.Flows >= 1):
		return fmt.Errorf("hpcc-window: flows is %v; it must be at least 1", p.Flows)
	case p.MinRate < 0:
		return fmt.Errorf("hpcc-window: min_rate is %v; it must not be negative", p.MinRate)
	}
	return nil
}
