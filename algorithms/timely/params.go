package timely

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of TIMELY.
type Params struct {
	TLow     core.Duration `qbb:"t_low" doc:"RTT below which the rate always grows" source:"HPCC authors' settings"`
	THigh    core.Duration `qbb:"t_high" doc:"RTT above which the rate always falls: more than the base round trip" source:"HPCC authors' settings"`
	MinRTT   core.Duration `qbb:"min_rtt" range:"(0,)" doc:"divisor of the RTT gradient" source:"HPCC authors' settings"`
	EWMA     float64       `qbb:"ewma" range:"(0,1]" doc:"weight of the newest RTT difference" source:"HPCC authors' settings"`
	Beta     float64       `qbb:"beta" range:"(0,1]" doc:"multiplicative decrease" source:"HPCC authors' settings; TIMELY authors' snippet"`
	HAIAfter int           `qbb:"hai_after" doc:"increases before hyper-active increase" source:"HPCC authors' settings; TIMELY authors' snippet: falling RTTs"`
	AI       core.Rate     `qbb:"ai" doc:"additive increase (delta)" none:"no increase" zero:"line/1000" source:"HPCC authors' settings; TIMELY authors' snippet: 10 Mb/s at 10 Gb/s"`
	HAI      core.Rate     `qbb:"hai" doc:"hyper-active increase" none:"no increase" zero:"line/200" source:"HPCC authors' settings: 50 Mb/s per 10 Gb/s"`
	MinRate  core.Rate     `qbb:"min_rate" doc:"lowest rate; if a link cannot carry its flows at that rate, the queue never empties" zero:"line/100" source:"HPCC authors' settings: 1 Gb/s at 100 Gb/s"`
	Window   bool          `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"HPCC authors' variant with a window"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{
		TLow:     50 * core.Microsecond,
		THigh:    500 * core.Microsecond,
		MinRTT:   20 * core.Microsecond,
		EWMA:     0.875,
		Beta:     0.8,
		HAIAfter: 5,
	}
}

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams("timely", p); err != nil {
		return err
	}
	if p.THigh < p.TLow {
		return algorithms.WrongParam("timely", "t_high", p.THigh, "it must not be below t_low, %v", p.TLow)
	}
	return nil
}
