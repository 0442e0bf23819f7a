package dcqcnplus

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of DCQCN+.
type Params struct {
	CNPGap    core.Duration `qbb:"cnp_gap" range:"[1ns,)" doc:"time in which a NIC port can make one CNP (Tgen); 333ns for ConnectX-5" source:"DCQCN+, section 6.1: ConnectX-4 makes one per us"`
	CNPHold   core.Duration `qbb:"cnp_hold" doc:"time since a flow's last CNP that must pass before the next" source:"its authors' later simulator: 45 us"`
	FlowHold  core.Duration `qbb:"flow_hold" doc:"time since a flow's last CNP after which the receiver forgets it" source:"its authors' later simulator: 200 us"`
	MinPeriod core.Duration `qbb:"min_period" range:"[1ns,)" doc:"least CNP period that a sender assumes" source:"DCQCN+, table 1: CNP interval 50 us"`
	Lambda    float64       `qbb:"lambda" range:"[0.01,1000]" doc:"increase timer as a multiple of the CNP period" source:"its authors' later simulator; not published"`
	G         float64       `qbb:"g" range:"(0,1]" doc:"gain of alpha" source:"DCQCN, SIGCOMM 2015: 1/256; not published"`
	Recovery  int           `qbb:"fast_recovery" range:"[1,)" unit:"cycles" doc:"cycles without raising the target (F); those up to 4F are additive" source:"DCQCN+, section 4.3: 5"`
	Step      string        `qbb:"step" choice:"published|simulator" doc:"bounds of the increase steps" source:"DCQCN+, section 4.3; its authors' later simulator"`
	MinRate   core.Rate     `qbb:"min_rate" zero:"line/1000" doc:"lowest rate; on links of 100 Mb/s and below, where every marked packet halves the rate, flows stay at it for seconds: write a tenth of the links' rate there" source:"ours; not published"`

	Rescale    bool `qbb:"rescale" doc:"whenever it starts, the increase timer takes the current rate, not that of the last CNP" source:"DCQCN+, section 4.3, leaves it open; its authors' later simulator: that of the last CNP"`
	AlphaFirst bool `qbb:"alpha_first" doc:"update alpha before the decrease that uses it" source:"DCQCN+, section 4.3: after it; its authors' later simulator: before it"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{
		CNPGap: core.Microsecond, CNPHold: 45 * core.Microsecond, FlowHold: 200 * core.Microsecond,
		MinPeriod: 50 * core.Microsecond, Lambda: 2, G: 1.0 / 256, Recovery: 5,
		Step: "published",
	}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams("dcqcn-plus", p); err != nil {
		return err
	}
	if p.FlowHold < p.CNPHold {
		return algorithms.WrongParam("dcqcn-plus", "flow_hold", p.FlowHold, "it must not be below cnp_hold, %v", p.CNPHold)
	}
	return nil
}
