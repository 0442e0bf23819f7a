package timelypaper

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of timely-paper.
type Params struct {
	TLow      core.Duration `qbb:"t_low" doc:"RTT below which the rate always grows" source:"authors' snippet: 0 with packet pacing"`
	THigh     core.Duration `qbb:"t_high" doc:"RTT above which the rate always falls: more than the base round trip" source:"authors' snippet"`
	MinRTT    core.Duration `qbb:"min_rtt" range:"(0,)" doc:"divisor of the RTT gradient and of the time between evaluations" source:"HPCC authors' settings; the authors' snippet leaves it open"`
	EWMA      float64       `qbb:"ewma" range:"(0,1]" doc:"weight of the newest RTT difference (alpha)" source:"authors' snippet"`
	Beta      float64       `qbb:"beta" range:"(0,1]" doc:"multiplicative decrease" source:"authors' snippet"`
	HAIAfter  int           `qbb:"hai_after" doc:"falling RTTs in a row before hyper-active increase" source:"authors' snippet"`
	AI        core.Rate     `qbb:"ai" doc:"additive increase (delta)" none:"no increase" zero:"line/1000" source:"authors' snippet: 10 Mb/s at 10 Gb/s"`
	MinRate   core.Rate     `qbb:"min_rate" doc:"lowest rate; if a link cannot carry its flows at that rate, the queue never empties" zero:"line/100" source:"our choice"`
	FirstRate core.Rate     `qbb:"first_rate" doc:"rate of a new flow" zero:"line rate" source:"our choice: the paper shares the line among the flows of a host"`
	Segment   core.Bytes    `qbb:"segment" doc:"payload acknowledged from one evaluation to the next" source:"our choice, of the 16 to 64 KB of SIGCOMM 2015"`
	Window    bool          `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"our choice: no window, as in the paper"`
}

// Defaults returns the default parameters of timely-paper.
func Defaults() Params {
	return Params{
		THigh:    core.Millisecond,
		MinRTT:   20 * core.Microsecond,
		EWMA:     0.02,
		Beta:     0.8,
		HAIAfter: 5,
		Segment:  16_000,
	}
}

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams("timely-paper", p); err != nil {
		return err
	}
	if p.THigh < p.TLow {
		return algorithms.WrongParam("timely-paper", "t_high", p.THigh, "it must not be below t_low, %v", p.TLow)
	}
	return nil
}

// PatchedParams are the parameters of timely-patched.
type PatchedParams struct {
	TLow      core.Duration `qbb:"t_low" range:"(0,)" doc:"RTT below which the rate always grows, and the RTT aimed at: more than the base round trip" source:"HPCC authors' settings of TIMELY"`
	THigh     core.Duration `qbb:"t_high" doc:"RTT above which the rate always falls" source:"HPCC authors' settings of TIMELY"`
	MinRTT    core.Duration `qbb:"min_rtt" range:"(0,)" doc:"divisor of the RTT gradient" source:"HPCC authors' settings of TIMELY"`
	EWMA      float64       `qbb:"ewma" range:"(0,1]" doc:"weight of the newest RTT difference (alpha)" source:"HPCC authors' settings of TIMELY"`
	Beta      float64       `qbb:"beta" range:"(0,1]" doc:"multiplicative decrease above t_high" source:"TIMELY authors' snippet"`
	BetaP     float64       `qbb:"beta_p" range:"(0,1]" doc:"multiplicative decrease below t_high" source:"CoNEXT 2016, by a public implementation"`
	AI        core.Rate     `qbb:"ai" doc:"additive increase (delta)" none:"no increase" zero:"line/1000" source:"TIMELY authors' snippet: 10 Mb/s at 10 Gb/s"`
	MinRate   core.Rate     `qbb:"min_rate" doc:"lowest rate; if a link cannot carry its flows at that rate, the queue never empties" zero:"line/100" source:"our choice"`
	FirstRate core.Rate     `qbb:"first_rate" doc:"rate of a new flow" zero:"line rate" source:"our choice: the paper shares the line among the flows of a host"`
	Segment   core.Bytes    `qbb:"segment" doc:"payload acknowledged from one evaluation to the next; below 16KB per 10Gbps the rates of two or a few flows oscillate" source:"CoNEXT 2016, by a public implementation: 16 KB"`
	Window    bool          `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"our choice: no window, as in the paper"`
}

// PatchedDefaults returns the default parameters of timely-patched.
func PatchedDefaults() PatchedParams {
	return PatchedParams{
		TLow:    50 * core.Microsecond,
		THigh:   500 * core.Microsecond,
		MinRTT:  20 * core.Microsecond,
		EWMA:    0.875,
		Beta:    0.8,
		BetaP:   0.008,
		Segment: 16_000,
	}
}

// OwnWindow implements algorithms.Windowed.
func (p *PatchedParams) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *PatchedParams) Validate() error {
	if err := algorithms.CheckParams("timely-patched", p); err != nil {
		return err
	}
	if p.THigh < p.TLow {
		return algorithms.WrongParam("timely-patched", "t_high", p.THigh, "it must not be below t_low, %v", p.TLow)
	}
	return nil
}

// common are the parameters of both.
type common struct {
	tLow, tHigh, minRTT core.Duration
	ewma, beta          float64
	ai, minRate, first  core.Rate
	segment             core.Bytes
	window              bool
}

func (p *Params) common() common {
	return common{p.TLow, p.THigh, p.MinRTT, p.EWMA, p.Beta, p.AI, p.MinRate, p.FirstRate, p.Segment, p.Window}
}

func (p *PatchedParams) common() common {
	return common{p.TLow, p.THigh, p.MinRTT, p.EWMA, p.Beta, p.AI, p.MinRate, p.FirstRate, p.Segment, p.Window}
}
