package rocc

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of RoCC.
type Params struct {
	Period        core.Duration `qbb:"period" range:"[1ns,)" doc:"time from one fair rate to the next (T)" source:"CoNEXT 2020: 1 to 2 round trips"`
	MinRate       core.Rate     `qbb:"min_rate" range:"[10Mbps,)" doc:"lowest fair rate (Fmin); links that are no faster are not controlled" source:"CoNEXT 2020"`
	QRef          core.Bytes    `qbb:"q_ref" doc:"queue aimed at" zero:"50KB + line * 20us" source:"CoNEXT 2020: 75KB at 10Gbps, 150KB at 40Gbps, 300KB at 100Gbps"`
	QMid          core.Bytes    `qbb:"q_mid" doc:"growth of the queue in a period that halves the rate" zero:"2 q_ref" source:"CoNEXT 2020, at all rates"`
	QMax          core.Bytes    `qbb:"q_max" doc:"queue that sets the lowest rate" zero:"q_mid + 60KB" source:"CoNEXT 2020, at all rates"`
	Alpha         float64       `qbb:"alpha" range:"[0,1e6]" doc:"gain on the queue, 10 Mb/s per 600 B" zero:"0.3 up to 40Gbps, 0.45 above" source:"CoNEXT 2020"`
	Beta          float64       `qbb:"beta" range:"[0,1e6]" doc:"gain on its growth, 10 Mb/s per 600 B" zero:"1.5 up to 40Gbps, 2.25 above" source:"CoNEXT 2020"`
	FlowTimeout   core.Duration `qbb:"flow_timeout" doc:"silence after which a flow is no longer sent the rate" zero:"while it has a packet in the queue" source:"CoNEXT 2020, section 3.4: the first of its flow tables; a time-out makes it the second"`
	RecoveryTimer core.Duration `qbb:"recovery_timer" doc:"time without a notification, more than a period, that doubles a flow's rate" zero:"5 period" source:"our choice: not published"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{
		Period:  40 * core.Microsecond,
		MinRate: 100 * core.Mbps,
	}
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	if err := algorithms.CheckParams("rocc", p); err != nil {
		return err
	}
	if p.RecoveryTimer != 0 && p.RecoveryTimer <= p.Period {
		return algorithms.WrongParam("rocc", "recovery_timer", p.RecoveryTimer, "it must be above period, %v", p.Period)
	}
	return nil
}

// recovery is the time without a notification that doubles a rate.
func (p *Params) recovery() core.Duration {
	return cmp.Or(p.RecoveryTimer, core.Truncate[core.Duration](5*float64(p.Period)))
}

// Units of the paper's integers.
const (
	rateUnit  = 10 * core.Mbps
	queueUnit = 600 // bytes
)
