package qcn

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of QCN and of its variants.
type Params struct {
	Preset string `qbb:"preset" choice:"scaled|mib" doc:"values to start from: scaled to the speed of ports above 10 Gb/s, or the standard's for every speed" source:"scaled: ours; mib: IEEE8021-CN-MIB"`

	CP           string     `qbb:"cp" choice:"plain|af|fqcn" doc:"who is notified of congestion, and of how much" source:"802.1Qau; AF-QCN, HotI 2010; FQCN, INFOCOM 2011"`
	SetPoint     core.Bytes `qbb:"set_point" range:"[100B,)" zero:"26KB, or line * 20.8us if that is more" doc:"queue length aimed at (Qeq)" source:"IEEE8021-CN-MIB cpQueueSizeSetPoint: 26000"`
	Weight       int        `qbb:"weight" range:"[-10,10]" unit:"power of 2" doc:"weight of the queue's growth (w = 2^weight)" source:"IEEE8021-CN-MIB cpFeedbackWeight: 1"`
	SampleBase   core.Bytes `qbb:"sample_base" range:"[10KB,)" zero:"150KB, or line * 120us if that is more" doc:"bytes between samples without congestion" source:"IEEE8021-CN-MIB cpMinSampleBase: 150000"`
	SampleJitter float64    `qbb:"sample_jitter" range:"[0,1)" doc:"largest random variation of the sampling interval, as a share" source:"QCN pseudo code 2.2: 15 %"`
	FairGain     float64    `qbb:"fair_gain" range:"[0,1]" doc:"cp=af: weight of the unfairness in the feedback" source:"ours; not published"`
	FairWindow   core.Bytes `qbb:"fair_window" zero:"4 sample_base" doc:"cp=af: bytes after which the flows' counts are halved" source:"ours; not published"`

	RP         string        `qbb:"rp" choice:"counters|adaptive|timer" doc:"what ends a cycle: bytes and a timer, bytes in proportion to the rate and a timer, or a timer" source:"802.1Qau; Hayashi et al., ICDCSW 2011; QCN-T, Computer Networks 2017, our reconstruction"`
	ByteReset  core.Bytes    `qbb:"byte_reset" zero:"150KB, or line * 120us if that is more" doc:"rp=counters: bytes of a cycle" source:"IEEE8021-CN-MIB rpgByteReset: 150000"`
	ByteTime   core.Duration `qbb:"byte_time" range:"[1ns,)" doc:"rp=adaptive: time in which the current rate completes a byte cycle" source:"Hayashi et al., ICDCSW 2011: 24e-5 s"`
	TimeReset  core.Duration `qbb:"time_reset" range:"[1us,)" doc:"time of a timer cycle; not used by rp=timer" source:"IEEE8021-CN-MIB rpgTimeReset: 15 ms"`
	Period     core.Duration `qbb:"period" range:"[1us,)" zero:"ten byte_reset at the line rate" doc:"rp=timer: time of a cycle" source:"ours; not published"`
	HyperAfter int           `qbb:"hyper_after" doc:"rp=timer: cycles after which the increase is hyper-active" zero:"never" source:"ours; not published"`
	Threshold  int           `qbb:"threshold" range:"[1,)" unit:"cycles" doc:"cycles of fast recovery" source:"IEEE8021-CN-MIB rpgThreshold: 5"`
	AI         core.Rate     `qbb:"ai" none:"no increase" zero:"5Mbps, or line/2000 if that is more" doc:"active increase of the target per cycle" source:"IEEE8021-CN-MIB rpgAiRate: 5 Mb/s"`
	HAI        core.Rate     `qbb:"hai" none:"no increase" zero:"50Mbps, or line/200 if that is more" doc:"hyper-active increase of the target per cycle" source:"IEEE8021-CN-MIB rpgHaiRate: 50 Mb/s"`
	Gd         int           `qbb:"gd" range:"[0,30]" unit:"power of 1/2" doc:"decrease per unit of feedback (Gd = 2^-gd)" source:"IEEE8021-CN-MIB rpgGd: 7"`
	MinDecFac  float64       `qbb:"min_dec_fac" range:"(0,1]" doc:"least factor of a decrease" source:"IEEE8021-CN-MIB rpgMinDecFac: 50 %"`
	MinRate    core.Rate     `qbb:"min_rate" zero:"5Mbps, or line/2000 if that is more" doc:"lowest rate" source:"IEEE8021-CN-MIB rpgMinRate: 5 Mb/s"`
	Jitter     float64       `qbb:"jitter" range:"[0,1)" doc:"largest random variation of a cycle, as a share" source:"QCN pseudo code 2.2: 15 %"`
	StageRule  string        `qbb:"stage_rule" choice:"pseudo|8021Q" doc:"fast recovery ends after the cycle that reaches the threshold, or before it" source:"QCN pseudo code 2.2; IEEE 802.1Q"`
	Halve      string        `qbb:"halve" choice:"active|hyper" doc:"cycles are halved in all increases, or only in hyper-active ones" source:"QCN pseudo code 2.2; IEEE 802.1Q"`
	Target     string        `qbb:"target" choice:"cycle|stage|always" doc:"a decrease moves the target: if a byte cycle has ended since the last one, if any cycle has, or always" source:"IEEE 802.1Q; DCQCN's simulator; QCN-T, equation 2"`

	name string
}

// Defaults returns the parameters of QCN as standardised.
func Defaults() Params {
	return Params{
		name:   "qcn",
		Preset: "scaled",
		CP:     "plain", Weight: 1, SampleJitter: 0.15, FairGain: 0.5,
		RP: "counters", ByteTime: 240 * core.Microsecond, TimeReset: 15 * core.Millisecond, HyperAfter: 10,
		Threshold: 5, Gd: 7, MinDecFac: 0.5, Jitter: 0.15,
		StageRule: "pseudo", Halve: "active", Target: "cycle",
	}
}

// AFDefaults returns the parameters of AF-QCN.
func AFDefaults() Params {
	p := Defaults()
	p.name, p.CP = "af-qcn", "af"
	return p
}

// FQCNDefaults returns the parameters of FQCN.
func FQCNDefaults() Params {
	p := Defaults()
	p.name, p.CP = "fqcn", "fqcn"
	return p
}

// AdaptiveDefaults returns the parameters of QCN with the adaptive byte counter.
func AdaptiveDefaults() Params {
	p := Defaults()
	p.name, p.RP = "qcn-abc", "adaptive"
	return p
}

// TimerDefaults returns the parameters of QCN-T, as far as we could reconstruct it.
func TimerDefaults() Params {
	p := Defaults()
	p.name, p.RP = "qcn-t", "timer"
	return p
}

// UsePreset sets the parameters that depend on the speed.
func (p *Params) UsePreset() {
	p.SetPoint, p.SampleBase, p.ByteReset = 0, 0, 0
	p.AI, p.HAI, p.MinRate = 0, 0, 0
	if p.Preset == "mib" {
		p.SetPoint, p.SampleBase, p.ByteReset = setPoint, sampleBase, byteReset
		p.AI, p.HAI, p.MinRate = ai, hai, minRate
	}
}

// Defaults of IEEE8021-CN-MIB, for a port of baseLine.
const (
	baseLine              = 10 * core.Gbps
	setPoint   core.Bytes = 26_000
	sampleBase core.Bytes = 150_000
	byteReset  core.Bytes = 150_000
	ai                    = 5 * core.Mbps
	hai                   = 50 * core.Mbps
	minRate               = 5 * core.Mbps
)

// scaled returns own or, if that is 0, the base value times the port's speed over baseLine,
// where that is above 1: time constants are then those of a port of baseLine.
func scaled[T core.Bytes | core.Rate](own, base T, line core.Rate) T {
	if own != 0 {
		return own
	}
	return T(float64(base) * max(1, float64(line)/float64(baseLine)))
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams(p.name, p); err != nil {
		return err
	}
	if p.HyperAfter != 0 && p.HyperAfter < p.Threshold {
		return algorithms.WrongParam(p.name, "hyper_after", p.HyperAfter, "it must be 0 or at least threshold, %d", p.Threshold)
	}
	return nil
}
