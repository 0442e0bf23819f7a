package swift

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of Swift.
type Params struct {
	BaseTarget     core.Duration `qbb:"base_target" doc:"fabric delay aimed at, without hops and flow scaling" source:"htsim"`
	PerHop         core.Duration `qbb:"per_hop" doc:"fabric delay allowed for every link of the path" zero:"base_target/6.55" source:"htsim"`
	EndpointTarget core.Duration `qbb:"endpoint_target" doc:"delay of the receiving host aimed at" source:"our choice: the paper's is a constant not known to us"`
	AI             float64       `qbb:"ai" doc:"additive increase per round trip" unit:"packets" source:"htsim"`
	Beta           float64       `qbb:"beta" doc:"multiplicative decrease" source:"htsim"`
	MaxMDF         float64       `qbb:"max_mdf" doc:"largest part taken off by one decrease" source:"htsim"`
	FSRange        core.Duration `qbb:"fs_range" doc:"largest flow scaling of the target" zero:"5 base_target" source:"htsim"`
	FSMin          float64       `qbb:"fs_min" doc:"window up to which flow scaling is at its largest" unit:"packets" source:"htsim"`
	FSMax          float64       `qbb:"fs_max" doc:"window from which there is no flow scaling" unit:"packets" source:"htsim"`
	MinCwnd        float64       `qbb:"min_cwnd" doc:"least window" unit:"packets" source:"our choice"`
	MaxCwnd        float64       `qbb:"max_cwnd" doc:"greatest window" unit:"packets" source:"htsim"`
	FirstCwnd      float64       `qbb:"first_cwnd" doc:"window of a new flow; 0 for a bandwidth-delay product" unit:"packets" source:"our choice: a start at line rate"`
	RetxReset      int           `qbb:"retx_reset" doc:"time-outs in a row that set the window to its least" source:"htsim"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{
		BaseTarget:     20 * core.Microsecond,
		EndpointTarget: 100 * core.Microsecond,
		AI:             1,
		Beta:           0.8,
		MaxMDF:         0.5,
		FSMin:          0.1,
		FSMax:          100,
		MinCwnd:        0.001,
		MaxCwnd:        1000,
		RetxReset:      5,
	}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case p.BaseTarget <= 0 || p.PerHop < 0 || p.EndpointTarget <= 0:
		return fmt.Errorf("swift: base_target is %v, per_hop %v and endpoint_target %v; the targets must be above 0 and per_hop not negative", p.BaseTarget, p.PerHop, p.EndpointTarget)
	case !(p.AI > 0 && p.AI <= 1000):
		return fmt.Errorf("swift: ai is %v; it must be above 0 and at most 1000", p.AI)
	case !(p.Beta > 0 && p.Beta <= 1):
		return fmt.Errorf("swift: beta is %v; it must be above 0 and at most 1", p.Beta)
	case !(p.MaxMDF > 0 && p.MaxMDF < 1):
		return fmt.Errorf("swift: max_mdf is %v; it must be above 0 and below 1", p.MaxMDF)
	case p.FSRange < 0:
		return fmt.Errorf("swift: fs_range is %v; it must not be negative", p.FSRange)
	case !(p.FSMin > 0 && p.FSMax > p.FSMin):
		return fmt.Errorf("swift: fs_min is %v and fs_max %v; fs_min must be above 0 and fs_max above fs_min", p.FSMin, p.FSMax)
	case !(p.MinCwnd >= 1e-6 && p.MaxCwnd >= 1 && p.MaxCwnd >= p.MinCwnd && p.MaxCwnd <= 1e9):
		return fmt.Errorf("swift: min_cwnd is %v and max_cwnd %v; min_cwnd must be at least 1e-6 and max_cwnd at least 1 and min_cwnd, at most 1e9", p.MinCwnd, p.MaxCwnd)
	case !(p.FirstCwnd >= 0):
		return fmt.Errorf("swift: first_cwnd is %v; it must not be negative", p.FirstCwnd)
	case p.RetxReset < 1:
		return fmt.Errorf("swift: retx_reset is %d; it must be at least 1", p.RetxReset)
	}
	return nil
}
