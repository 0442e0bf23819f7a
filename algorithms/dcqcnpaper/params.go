package dcqcnpaper

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of DCQCN as published.
type Params struct {
	Preset string `qbb:"preset" choice:"paper|connectx4|hpcc-sim" doc:"values to start from; with connectx4 and hpcc-sim switches mark as for dcqcn" source:"SIGCOMM 2015; ConnectX-4 as tabled beside DCQCN+; the HPCC authors' settings"`

	AlphaTimer   core.Duration `qbb:"alpha_timer" range:"[1ns,)" doc:"time without a notification after which alpha decays" source:"SIGCOMM 2015, by DCQCN+: 55 us"`
	RateTimer    core.Duration `qbb:"rate_timer" range:"[1ns,)" doc:"time of a timer cycle (T)" source:"SIGCOMM 2015, by table 1 of DCQCN+: 55 us"`
	ByteCounter  core.Bytes    `qbb:"byte_counter" zero:"off" doc:"bytes of a byte cycle (B)" source:"SIGCOMM 2015, at 40 Gb/s, by table 1 of DCQCN+: 10 MB"`
	G            float64       `qbb:"g" range:"(0,1]" doc:"gain of alpha" source:"SIGCOMM 2015: 1/256"`
	InitialAlpha float64       `qbb:"initial_alpha" range:"[0,1]" doc:"alpha of a new flow" source:"SIGCOMM 2015: 1"`
	FastRecovery int           `qbb:"fast_recovery" range:"[1,)" unit:"cycles" doc:"cycles at which fast recovery ends (F)" source:"SIGCOMM 2015: 5"`
	AI           core.Rate     `qbb:"ai" none:"no increase" zero:"line/5000" doc:"additive increase of the target" source:"SIGCOMM 2015, at 40 Gb/s, by table 1 of DCQCN+: 40 Mb/s"`
	HAI          core.Rate     `qbb:"hai" none:"no increase" zero:"line/500" doc:"hyper increase of the target, times the hyper cycle" source:"SIGCOMM 2015, at 40 Gb/s, by table 1 of DCQCN+: 100 Mb/s"`
	MinRate      core.Rate     `qbb:"min_rate" zero:"line/100" doc:"lowest rate" source:"ConnectX rpg_min_rate: 1 Mb/s; not in the paper"`
	AlphaFirst   bool          `qbb:"alpha_first" doc:"update alpha before the decrease that uses it" source:"SIGCOMM 2015: after it; its simulator: before it"`
	StageGE      bool          `qbb:"stage_ge" doc:"hyper increase begins when both counters reach fast_recovery, not beyond it" source:"SIGCOMM 2015: beyond it; its simulator: at it"`
	ClampTarget  bool          `qbb:"clamp_target" doc:"every decrease moves the target; otherwise only one that follows an increase" source:"SIGCOMM 2015, equation 1; ConnectX clamp_tgt_rate"`

	CNPInterval core.Duration `qbb:"cnp_interval" zero:"none" doc:"least time between two CNPs of a flow (N)" source:"SIGCOMM 2015, by table 1 of DCQCN+: 50 us"`
	CNPGap      core.Duration `qbb:"cnp_gap" zero:"none" doc:"least time between two CNPs of a NIC port; 1us for ConnectX-4, 333ns for ConnectX-5" source:"DCQCN+, section 6.1"`
	CNPDelay    core.Duration `qbb:"cnp_delay" zero:"none" doc:"time that a NIC takes to make a CNP" source:"ours"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	p := Params{Preset: "paper"}
	p.UsePreset()
	return p
}

// UsePreset gives all parameters the values of the preset.
func (p *Params) UsePreset() {
	switch p.Preset {
	case "connectx4":
		*p = connectX4()
	case "hpcc-sim":
		*p = hpccSim()
	default:
		*p = paper()
	}
}

func paper() Params {
	return Params{
		Preset:     "paper",
		AlphaTimer: 55 * core.Microsecond, RateTimer: 55 * core.Microsecond, ByteCounter: 10_000_000,
		G: 1.0 / 256, InitialAlpha: 1, FastRecovery: 5,
		AI: 40 * core.Mbps, HAI: 100 * core.Mbps, MinRate: core.Mbps,
		ClampTarget: true,
		CNPInterval: 50 * core.Microsecond,
	}
}

// connectX4 is the adapter as far as its knobs have a meaning here (DCQCN+, table 1 and
// appendix; its limit of CNPs: section 6.1).
func connectX4() Params {
	p := paper()
	p.Preset = "connectx4"
	p.AlphaTimer, p.RateTimer, p.ByteCounter = core.Microsecond, 300*core.Microsecond, 2_000_000
	p.AI, p.HAI = 5*core.Mbps, 40*core.Mbps
	p.ClampTarget = false
	p.CNPInterval, p.CNPGap = 0, core.Microsecond
	return p
}

// hpccSim is the HPCC authors' DCQCN; their period of decreases is the CNP interval here.
func hpccSim() Params {
	p := paper()
	p.Preset = "hpcc-sim"
	p.AlphaTimer, p.RateTimer, p.ByteCounter = core.Microsecond, 300*core.Microsecond, 0
	p.FastRecovery, p.AI, p.HAI, p.MinRate = 2, 0, 0, 0 // one cycle that leaves the target alone: their 1
	p.ClampTarget = false
	p.CNPInterval = 4 * core.Microsecond
	return p
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("dcqcn-paper", p) }
