package dcqcn

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of DCQCN.
type Params struct {
	Preset string `qbb:"preset" choice:"hpcc-sim|connectx4|paper" doc:"values to start from" source:"the HPCC authors' settings; ConnectX documentation; the HPCC authors' settings of DCQCN's paper"`

	AlphaTimer    core.Duration `qbb:"alpha_timer" range:"[1ns,)" doc:"period of alpha's update" source:"ConnectX dce_tcp_rtt"`
	DecreaseTimer core.Duration `qbb:"decrease_timer" range:"[1ns,)" doc:"period of the rate decrease" source:"ConnectX rate_reduce_monitor_period"`
	IncreaseTimer core.Duration `qbb:"increase_timer" range:"[1ns,)" doc:"period of the rate increase" source:"ConnectX rpg_time_reset"`
	G             float64       `qbb:"g" range:"[0,1]" doc:"gain of alpha" source:"SIGCOMM 2015 and HPCC authors' settings: 1/256"`
	Alpha         string        `qbb:"alpha" choice:"double|fixed10" doc:"arithmetic of alpha" source:"fixed10: ConnectX dce_tcp_g, initial_alpha_value"`
	FastRecovery  int           `qbb:"fast_recovery" doc:"increases without raising the target" source:"ConnectX rpg_threshold; 5 in the paper"`
	AI            core.Rate     `qbb:"ai" doc:"additive increase of the target" none:"no increase" zero:"line/5000" source:"HPCC authors' settings: 5 Mb/s per 25 Gb/s"`
	HAI           core.Rate     `qbb:"hai" doc:"hyper increase of the target" none:"no increase" zero:"line/500" source:"HPCC authors' settings: 50 Mb/s per 25 Gb/s"`
	MinRate       core.Rate     `qbb:"min_rate" doc:"lowest rate" zero:"line/100" source:"HPCC authors' settings: 1 Gb/s at 100 Gb/s"`
	ClampTarget   bool          `qbb:"clamp_target" doc:"every decrease lowers the target" source:"ConnectX clamp_tgt_rate"`
	FirstRate     float64       `qbb:"first_rate" range:"(0,1]" doc:"factor applied to the rate by the first notification" source:"HPCC authors' settings; ConnectX rate_to_set_on_first_cnp"`
	Window        bool          `qbb:"window" doc:"also limit the bytes in flight to rate times base round trip" source:"HPCC authors' variant with a window"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	p := Params{Preset: "hpcc-sim"}
	p.UsePreset()
	return p
}

// UsePreset gives all parameters the values of the preset.
func (p *Params) UsePreset() {
	preset := p.Preset
	*p = Params{
		Preset:        preset,
		AlphaTimer:    1 * core.Microsecond,
		DecreaseTimer: 4 * core.Microsecond,
		IncreaseTimer: 300 * core.Microsecond,
		G:             1.0 / 256,
		Alpha:         "double",
		FastRecovery:  1,
		FirstRate:     1,
	}
	switch preset {
	case "connectx4":
		p.G, p.Alpha = 5.0/1024, "fixed10" // dce_tcp_g 1019
		p.AI, p.HAI, p.MinRate = 5*core.Mbps, 50*core.Mbps, core.Mbps
	case "paper":
		p.AlphaTimer, p.DecreaseTimer = 50*core.Microsecond, 50*core.Microsecond
		p.IncreaseTimer = 55 * core.Microsecond
	}
}

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("dcqcn", p) }
