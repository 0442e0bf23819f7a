package nscc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of NSCC, by their names in the specification but for zero_qdelay.
type Params struct {
	TargetQDelay core.Duration `qbb:"target_qdelay" range:"(0,1000s]" doc:"queueing delay aimed at" zero:"the base round trip" source:"UE 1.0, section 3.6.13.3: 1.0 base round trips, and 0.75 where switches trim packets"`
	Gamma        float64       `qbb:"gamma" range:"(0,1]" doc:"multiplicative decrease" source:"htsim"`
	MaxMDJump    float64       `qbb:"max_md_jump" range:"(0,1)" doc:"least part of the window that a decrease leaves" source:"htsim"`
	Alpha        float64       `qbb:"alpha" range:"(0,1e18]" doc:"proportional increase, for a window of bytes whose delay is a second below the target" unit:"bytes/s" zero:"4 scaling_a scaling_b MTU/target_qdelay" source:"UE 1.0, section 3.6.13.3"`
	FI           core.Bytes    `qbb:"fi" doc:"fair increase, for a window of bytes" zero:"5 scaling_a MTU" source:"htsim"`
	FIScale      float64       `qbb:"fi_scale" range:"(0,1e6]" doc:"fast increase: part of the bytes that arrive" zero:"0.25 scaling_a" source:"htsim"`
	Eta          core.Bytes    `qbb:"eta" doc:"increase of every adjustment period" zero:"0.15 scaling_a MTU" source:"htsim"`
	ZeroQDelay   core.Duration `qbb:"zero_qdelay" doc:"queueing delay below which there is no queue" zero:"base round trip/12" source:"htsim: 1us, at a base round trip of 12us"`
	AdjustBytes  core.Bytes    `qbb:"adjust_bytes_threshold" doc:"bytes whose arrival applies the increases" zero:"8 MTU" source:"htsim"`
	AdjustPeriod core.Duration `qbb:"adjust_period_threshold" doc:"time that applies them too, and eta" zero:"the base round trip" source:"htsim"`
	QAThreshold  core.Duration `qbb:"qa_threshold" doc:"queueing delay that may trigger quick adapt" zero:"4 target_qdelay" source:"UE 1.0, section 3.6.13.3; where switches trim packets, longer than any"`
	QAGate       int           `qbb:"qa_gate" range:"[0,62]" doc:"quick adapt if less than max_wnd/2^qa_gate has arrived" source:"htsim"`
	DisableQA    bool          `qbb:"disable_quick_adapt" doc:"never quick adapt" source:"UE 1.0, section 3.6.13.6"`
	MaxWnd       core.Bytes    `qbb:"max_wnd" doc:"largest window, and that of a new flow" zero:"1.5 line rate times base round trip" source:"UE 1.0, section 3.6.13.6"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{Gamma: 0.8, MaxMDJump: 0.5, QAGate: 3} }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("nscc", p) }
