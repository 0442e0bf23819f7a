package rocc

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of RoCC.
type Params struct {
	Period        core.Duration `qbb:"period" doc:"time from one fair rate to the next (T)" source:"CoNEXT 2020"`
	MinRate       core.Rate     `qbb:"min_rate" doc:"lowest fair rate (Fmin)" source:"CoNEXT 2020"`
	QRef          core.Bytes    `qbb:"q_ref" doc:"queue aimed at" zero:"150KB up to 40Gbps, 300KB above" source:"CoNEXT 2020"`
	QMid          core.Bytes    `qbb:"q_mid" doc:"growth of the queue in a period that halves the rate" zero:"300KB up to 40Gbps, 600KB above" source:"CoNEXT 2020"`
	QMax          core.Bytes    `qbb:"q_max" doc:"queue that sets the lowest rate" zero:"360KB up to 40Gbps, 660KB above" source:"CoNEXT 2020"`
	Alpha         float64       `qbb:"alpha" doc:"gain on the queue, 10 Mb/s per 600 B; 0 for 0.3 up to 40Gbps, 0.45 above" source:"CoNEXT 2020"`
	Beta          float64       `qbb:"beta" doc:"gain on its growth, 10 Mb/s per 600 B; 0 for 1.5 up to 40Gbps, 2.25 above" source:"CoNEXT 2020"`
	FlowTimeout   core.Duration `qbb:"flow_timeout" doc:"a flow is told the rate until it has been silent for so long" source:"our choice: not published"`
	RecoveryTimer core.Duration `qbb:"recovery_timer" doc:"time without a notification that doubles a flow's rate" source:"our choice: not published"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{
		Period:        40 * core.Microsecond,
		MinRate:       100 * core.Mbps,
		FlowTimeout:   200 * core.Microsecond,
		RecoveryTimer: 200 * core.Microsecond,
	}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case p.Period < core.Nanosecond:
		return fmt.Errorf("rocc: period is %v; it must be at least 1ns", p.Period)
	case p.MinRate < rateUnit:
		return fmt.Errorf("rocc: min_rate is %v; it must be at least %v", p.MinRate, rateUnit)
	case p.QRef < 0 || p.QMid < 0 || p.QMax < 0:
		return fmt.Errorf("rocc: q_ref, q_mid and q_max are %v, %v and %v; none may be negative", p.QRef, p.QMid, p.QMax)
	case !(p.Alpha >= 0 && p.Alpha <= 1e6) || !(p.Beta >= 0 && p.Beta <= 1e6):
		return fmt.Errorf("rocc: alpha is %v and beta %v; both must be 0 to 1e6", p.Alpha, p.Beta)
	case p.FlowTimeout <= 0:
		return fmt.Errorf("rocc: flow_timeout is %v; it must be above 0", p.FlowTimeout)
	case p.RecoveryTimer <= 0:
		return fmt.Errorf("rocc: recovery_timer is %v; it must be above 0", p.RecoveryTimer)
	}
	return nil
}

// Units of the paper's integers.
const (
	rateUnit  = 10 * core.Mbps
	queueUnit = 600 // bytes
)
