package mpcc

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of MPCC.
type Params struct {
	Horizon     int           `qbb:"horizon" doc:"control steps looked ahead (P)" unit:"ACKs" source:"Zheng 2024, section 5.2.2: 3 to 20 make no difference"`
	WQ          float64       `qbb:"wq" doc:"weight of the squared queue" source:"Zheng 2024, section 5.2.1: ratios of 1 to 100 to wr"`
	WR          float64       `qbb:"wr" doc:"weight of the squared distance from the fair window" source:"Zheng 2024, section 5.2.2: 10 with wq 1"`
	Every       int           `qbb:"every" doc:"ACKs from one control action to the next" unit:"ACKs" source:"Zheng 2024, section 3.1: 1"`
	Delay       bool          `qbb:"delay" doc:"predict the queue past the delay of input and feedback" source:"Zheng 2024, section 3.3"`
	DtUsesQueue bool          `qbb:"dt_uses_queue" doc:"the control step contains the queueing delay" source:"our choice: eq. A.1 takes the RTT, and does not say which"`
	Idle        string        `qbb:"idle" choice:"keep|fair|probe" doc:"window when all queues are empty: unchanged, the fair one, or one packet nearer to it" source:"our choice: keep, as in Zheng 2024, section 3.4, never grows again after a flow has left"`
	MinWindow   core.Bytes    `qbb:"min_window" doc:"lowest window, wire bytes" zero:"one packet" source:"our choice: the paper's 0 leaves the control step undefined"`
	Header      core.Bytes    `qbb:"header" doc:"headers of a packet without telemetry" source:"Zheng 2024, appendix A.2"`
	Pace        bool          `qbb:"pace" doc:"also pace at line * W/BDP" source:"Zheng 2024, section 3.2: the model's input rate"`
	FlowTimeout core.Duration `qbb:"flow_timeout" doc:"a flow is counted until it has been silent for so long" zero:"twice the largest base RTT" source:"our choice: Zheng 2024, appendix A.1 gives none"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Horizon: 5, WQ: 1, WR: 10, Every: 1, Delay: true, Idle: "fair", Header: 48, Pace: true}
}

// maxHorizon bounds the work of one step.
const maxHorizon = 64

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	switch {
	case p.Horizon < 1 || p.Horizon > maxHorizon:
		return fmt.Errorf("mpcc: horizon is %d; it must be 1 to %d", p.Horizon, maxHorizon)
	case !(p.WQ > 0 && p.WQ <= maxWeight) || !(p.WR > 0 && p.WR <= maxWeight):
		return fmt.Errorf("mpcc: wq is %v and wr %v; both must be above 0 and at most %v", p.WQ, p.WR, maxWeight)
	case p.Every < 1:
		return fmt.Errorf("mpcc: every is %d; it must be at least 1", p.Every)
	case p.Idle != "keep" && p.Idle != "fair" && p.Idle != "probe":
		return fmt.Errorf("mpcc: idle is %q; it must be keep, fair or probe", p.Idle)
	case p.MinWindow < 0 || p.Header < 0:
		return fmt.Errorf("mpcc: min_window is %v and header %v; neither may be negative", p.MinWindow, p.Header)
	case p.FlowTimeout < 0:
		return fmt.Errorf("mpcc: flow_timeout is %v; it must not be negative", p.FlowTimeout)
	}
	return nil
}

// maxWeight keeps the ratio of the weights far from overflow.
const maxWeight = 1e12
