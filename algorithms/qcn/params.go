package qcn

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of QCN and of its variants.
type Params struct {
	Preset string `qbb:"preset" choice:"scaled|mib" doc:"values to start from: scaled to the speed of ports above 10 Gb/s, or the standard's for every speed" source:"scaled: ours; mib: IEEE8021-CN-MIB"`

	CP           string     `qbb:"cp" choice:"plain|af|fqcn" doc:"who is told of congestion, and how much of it" source:"802.1Qau; AF-QCN, HotI 2010; FQCN, INFOCOM 2011"`
	SetPoint     core.Bytes `qbb:"set_point" zero:"26KB, or line * 20.8us if that is more" doc:"queue length aimed at (Qeq)" source:"IEEE8021-CN-MIB cpQueueSizeSetPoint: 26000"`
	Weight       int        `qbb:"weight" unit:"power of 2" doc:"weight of the queue's growth (w = 2^weight)" source:"IEEE8021-CN-MIB cpFeedbackWeight: 1"`
	SampleBase   core.Bytes `qbb:"sample_base" zero:"150KB, or line * 120us if that is more" doc:"bytes from sample to sample without congestion" source:"IEEE8021-CN-MIB cpMinSampleBase: 150000"`
	SampleJitter float64    `qbb:"sample_jitter" doc:"greatest random share by which that varies" source:"QCN pseudo code 2.2: 15 %"`
	FairGain     float64    `qbb:"fair_gain" doc:"cp=af: weight of the unfairness in the feedback" source:"ours; not published"`
	FairWindow   core.Bytes `qbb:"fair_window" zero:"4 sample_base" doc:"cp=af: bytes after which the flows' counts are halved" source:"ours; not published"`

	RP         string        `qbb:"rp" choice:"counters|adaptive|timer" doc:"what ends a cycle: bytes and a timer, bytes in proportion to the rate and a timer, a timer" source:"802.1Qau; Hayashi et al., ICDCSW 2011; QCN-T, Computer Networks 2017, our reconstruction"`
	ByteReset  core.Bytes    `qbb:"byte_reset" zero:"150KB, or line * 120us if that is more" doc:"rp=counters: bytes of a cycle" source:"IEEE8021-CN-MIB rpgByteReset: 150000"`
	ByteTime   core.Duration `qbb:"byte_time" doc:"rp=adaptive: time in which the current rate ends a byte cycle" source:"Hayashi et al., ICDCSW 2011: 24e-5 s"`
	TimeReset  core.Duration `qbb:"time_reset" doc:"time of a timer cycle; not used by rp=timer" source:"IEEE8021-CN-MIB rpgTimeReset: 15 ms"`
	Period     core.Duration `qbb:"period" zero:"ten byte_reset at the line rate" doc:"rp=timer: time of a cycle" source:"ours; not published"`
	HyperAfter int           `qbb:"hyper_after" doc:"rp=timer: cycles after which the increase is hyper-active; 0: never" source:"ours; not published"`
	Threshold  int           `qbb:"threshold" unit:"cycles" doc:"cycles of fast recovery" source:"IEEE8021-CN-MIB rpgThreshold: 5"`
	AI         core.Rate     `qbb:"ai" zero:"5Mbps, or line/2000 if that is more" doc:"active increase of the target per cycle" source:"IEEE8021-CN-MIB rpgAiRate: 5 Mb/s"`
	HAI        core.Rate     `qbb:"hai" zero:"50Mbps, or line/200 if that is more" doc:"hyper-active increase of the target per cycle" source:"IEEE8021-CN-MIB rpgHaiRate: 50 Mb/s"`
	Gd         int           `qbb:"gd" unit:"power of 1/2" doc:"decrease per unit of feedback (Gd = 2^-gd)" source:"IEEE8021-CN-MIB rpgGd: 7"`
	MinDecFac  float64       `qbb:"min_dec_fac" doc:"least factor of a decrease" source:"IEEE8021-CN-MIB rpgMinDecFac: 50 %"`
	MinRate    core.Rate     `qbb:"min_rate" zero:"5Mbps, or line/2000 if that is more" doc:"lowest rate" source:"IEEE8021-CN-MIB rpgMinRate: 5 Mb/s"`
	Jitter     float64       `qbb:"jitter" doc:"greatest random share by which a cycle varies" source:"QCN pseudo code 2.2: 15 %"`
	StageRule  string        `qbb:"stage_rule" choice:"pseudo|8021Q" doc:"fast recovery ends after the cycle that reaches the threshold, or before it" source:"QCN pseudo code 2.2; IEEE 802.1Q"`
	Halve      string        `qbb:"halve" choice:"active|hyper" doc:"cycles are halved in all increases, or in hyper-active ones" source:"QCN pseudo code 2.2; IEEE 802.1Q"`
	Target     string        `qbb:"target" choice:"cycle|stage|always" doc:"a decrease moves the target if a byte cycle has ended since the last, if any cycle has, always" source:"IEEE 802.1Q; DCQCN's simulator; QCN-T, equation 2"`

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
	if err := p.validateCP(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	if err := p.validateRP(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

func (p *Params) validateCP() error {
	switch {
	case p.SetPoint != 0 && p.SetPoint < 100:
		return fmt.Errorf("set_point is %v; it must be at least 100B", p.SetPoint)
	case p.Weight < -10 || p.Weight > 10:
		return fmt.Errorf("weight is %d; it must be from -10 to 10", p.Weight)
	case p.SampleBase != 0 && p.SampleBase < 10_000:
		return fmt.Errorf("sample_base is %v; it must be at least 10KB", p.SampleBase)
	case !(p.SampleJitter >= 0 && p.SampleJitter < 1):
		return fmt.Errorf("sample_jitter is %v; it must be at least 0 and below 1", p.SampleJitter)
	case !(p.FairGain >= 0 && p.FairGain <= 1):
		return fmt.Errorf("fair_gain is %v; it must be from 0 to 1", p.FairGain)
	case p.FairWindow < 0:
		return fmt.Errorf("fair_window is %v; it must not be negative", p.FairWindow)
	}
	return nil
}

func (p *Params) validateRP() error {
	switch {
	case p.ByteReset < 0:
		return fmt.Errorf("byte_reset is %v; it must not be negative", p.ByteReset)
	case p.ByteTime < core.Nanosecond || p.TimeReset < core.Microsecond:
		return fmt.Errorf("byte_time and time_reset are %v and %v; they must be at least 1ns and 1us", p.ByteTime, p.TimeReset)
	case p.Period != 0 && p.Period < core.Microsecond:
		return fmt.Errorf("period is %v; it must be at least 1us", p.Period)
	case p.Threshold < 1:
		return fmt.Errorf("threshold is %d; it must be at least 1", p.Threshold)
	case p.HyperAfter != 0 && p.HyperAfter < p.Threshold:
		return fmt.Errorf("hyper_after is %d; it must be 0 or at least threshold, %d", p.HyperAfter, p.Threshold)
	case p.AI < 0 || p.HAI < 0 || p.MinRate < 0:
		return fmt.Errorf("ai, hai and min_rate are %v, %v and %v; none may be negative", p.AI, p.HAI, p.MinRate)
	case p.Gd < 0 || p.Gd > 30:
		return fmt.Errorf("gd is %d; it must be from 0 to 30", p.Gd)
	case !(p.MinDecFac > 0 && p.MinDecFac <= 1):
		return fmt.Errorf("min_dec_fac is %v; it must be above 0 and at most 1", p.MinDecFac)
	case !(p.Jitter >= 0 && p.Jitter < 1):
		return fmt.Errorf("jitter is %v; it must be at least 0 and below 1", p.Jitter)
	}
	return nil
}
