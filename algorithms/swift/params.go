package swift

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of Swift.
type Params struct {
	BaseTarget     core.Duration `qbb:"base_target" doc:"fabric delay aimed at, without hops and flow scaling" zero:"20us, or the base round trip if that is more" source:"htsim: 20us; SIGCOMM 2020, section 5: 15 to 70us"`
	PerHop         core.Duration `qbb:"per_hop" doc:"fabric delay allowed for every link of the path" zero:"base_target/6.55" source:"htsim"`
	EndpointTarget core.Duration `qbb:"endpoint_target" range:"(0,)" doc:"delay of the receiving host aimed at" source:"SIGCOMM 2020, section 5.4: 100us"`
	AI             float64       `qbb:"ai" range:"(0,1000]" doc:"additive increase per round trip" unit:"packets" source:"htsim"`
	Beta           float64       `qbb:"beta" range:"(0,1]" doc:"multiplicative decrease" source:"htsim"`
	MaxMDF         float64       `qbb:"max_mdf" range:"(0,1)" doc:"largest part taken off by one decrease" source:"htsim"`
	FSRange        core.Duration `qbb:"fs_range" doc:"largest flow scaling of the target" zero:"5 base_target" source:"htsim"`
	FSMin          float64       `qbb:"fs_min" range:"(0,)" doc:"window up to which flow scaling is at its largest" unit:"packets" source:"htsim"`
	FSMax          float64       `qbb:"fs_max" range:"(0,)" doc:"window from which there is no flow scaling" unit:"packets" source:"htsim"`
	MinCwnd        float64       `qbb:"min_cwnd" range:"[1e-6,1e9]" doc:"least window" unit:"packets" source:"SIGCOMM 2020, section 3.4: 0.001"`
	MaxCwnd        float64       `qbb:"max_cwnd" range:"[1,1e9]" doc:"largest window" unit:"packets" zero:"1000, or a bandwidth-delay product if that is more" source:"htsim: 1000"`
	FirstCwnd      float64       `qbb:"first_cwnd" doc:"window of a new flow" unit:"packets" zero:"a bandwidth-delay product" source:"our choice: a start at line rate"`
	RetxReset      int           `qbb:"retx_reset" range:"[1,)" doc:"time-outs in a row that set the window to its least" source:"htsim"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{
		EndpointTarget: 100 * core.Microsecond,
		AI:             1,
		Beta:           0.8,
		MaxMDF:         0.5,
		FSMin:          0.1,
		FSMax:          100,
		MinCwnd:        0.001,
		RetxReset:      5,
	}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams("swift", p); err != nil {
		return err
	}
	switch {
	case !(p.FSMax > p.FSMin):
		return algorithms.WrongParam("swift", "fs_max", p.FSMax, "it must be above fs_min, %v", p.FSMin)
	case p.MaxCwnd != 0 && p.MaxCwnd < p.MinCwnd:
		return algorithms.WrongParam("swift", "max_cwnd", p.MaxCwnd, "it must not be below min_cwnd, %v", p.MinCwnd)
	}
	return nil
}
