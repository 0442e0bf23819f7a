package ibcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of InfiniBand congestion control.
type Params struct {
	Preset string `qbb:"preset" choice:"intel|gran|dcms" doc:"values to start from; intel is for 100 Gb/s and packets of 8 KB" source:"Intel Omni-Path fabric manager; Gran et al., IPDPS 2010; Mizero et al., 2016"`

	Threshold   int        `qbb:"threshold" range:"[0,15]" zero:"off" doc:"how early a port counts as congested: at (16-threshold)/16 of a lane's buffer" source:"Intel fabric manager: 8; the mapping is ours"`
	MarkingRate int        `qbb:"marking_rate" range:"[0,65535]" unit:"packets" doc:"mean number of packets between two with FECN" source:"Intel fabric manager: 0"`
	PacketSize  int        `qbb:"packet_size" range:"[0,255]" unit:"64 B" doc:"smaller packets are not marked" source:"Intel fabric manager: 0"`
	VictimMask  string     `qbb:"victim_mask" choice:"hosts|none|all" doc:"ports that are roots of congestion even without credits" source:"annex A10: meant for ports that face hosts"`
	Marking     string     `qbb:"marking" choice:"random|counter" doc:"each packet with probability 1/(marking_rate+1), or every so many" source:"annex A10 leaves it open; ours: random"`
	Buffer      core.Bytes `qbb:"buffer" zero:"of the credits, else 64KiB" doc:"buffer that threshold refers to" source:"ours"`

	Increase int    `qbb:"ccti_increase" range:"[0,255]" doc:"steps up the table for every BECN" source:"Intel fabric manager: 5"`
	Timer    int    `qbb:"ccti_timer" range:"[0,65535]" unit:"1.024 us" zero:"never" doc:"time between steps down the table" source:"Intel fabric manager: 10"`
	Limit    int    `qbb:"ccti_limit" range:"[0,65535]" unit:"index" zero:"127" doc:"last entry of the table" source:"Intel fabric manager: 127"`
	Min      int    `qbb:"ccti_min" range:"[0,255]" unit:"index" doc:"lowest index" source:"Intel fabric manager: 0"`
	BECN     string `qbb:"becn" choice:"ack|cn" doc:"BECN comes with the acknowledgement, or in a packet of its own" source:"annex A10: ack for reliable transports"`
	Scope    string `qbb:"scope" choice:"qp|sl" doc:"an index for every queue pair, or for all of a host's port and class" source:"annex A10, port_control; Mizero et al.: per flow"`

	Table    string        `qbb:"cct" choice:"linear|quadratic|list" doc:"rule that fills the table" source:"Intel fabric manager: linear"`
	MaxDelay core.Duration `qbb:"max_delay" range:"[0,1h]" doc:"gap at ccti_limit, linear and quadratic: the lowest rate is line/(1 + max_delay/Tp), Tp being a full packet's time" source:"Intel fabric manager: 8000 ns; dcms: ours"`
	Clock    float64       `qbb:"clock_tolerance" range:"[0,1000]" unit:"ppm" doc:"largest error of a sender's clock, by which it times gaps and steps; each has its own" source:"IEEE 802.3 demands 100 ppm of a link's clock; dcms: 100"`
	Entries  string        `qbb:"entries" doc:"cct=list: pairs shift:mult with blanks between them" source:"OpenSM cc_cct: none"`
}

// defaultLimit is the last entry of two blocks of the table.
const defaultLimit = 127

// timerUnit is the unit of CCTI_Timer.
const timerUnit = 1024 * core.Nanosecond

// Defaults returns the default parameters.
func Defaults() Params {
	p := Params{Preset: "intel"}
	p.UsePreset()
	return p
}

// UsePreset gives all parameters the values of the preset.
func (p *Params) UsePreset() {
	preset := p.Preset
	*p = Params{
		Preset: preset, Threshold: 8, VictimMask: "hosts", Marking: "random",
		Increase: 5, Timer: 10, Limit: defaultLimit, BECN: "ack", Scope: "qp",
		Table: "linear", MaxDelay: 8 * core.Microsecond,
	}
	switch preset {
	case "gran":
		p.Threshold, p.Increase, p.Timer = 15, 1, 150
	case "dcms":
		p.Threshold, p.MarkingRate, p.Increase, p.Timer, p.Limit = 15, 128, 1, 75, 0
		p.MaxDelay, p.Clock = 1600*core.Microsecond, 100
	}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams("ib-cc", p); err != nil {
		return err
	}
	switch {
	case p.Min > p.limit():
		return algorithms.WrongParam("ib-cc", "ccti_min", p.Min, "it must be at most ccti_limit, %d", p.limit())
	case p.Table == "list":
		_, err := parseEntries(p.Entries)
		return err
	case p.Entries != "":
		return algorithms.WrongParam("ib-cc", "entries", p.Entries, "it needs cct=list")
	}
	return nil
}

// limit is the largest index.
func (p *Params) limit() int {
	if p.Limit == 0 {
		return defaultLimit
	}
	return p.Limit
}
