package mpcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of MPCC.
type Params struct {
	Horizon     int           `qbb:"horizon" range:"[1,64]" doc:"control steps looked ahead (P)" unit:"ACKs" source:"Zheng 2024, section 5.2.2: 3 to 20 make no difference"`
	WQ          float64       `qbb:"wq" range:"(0,1e12]" doc:"weight of the squared queue" source:"Zheng 2024, section 5.2.1: ratios of 1 to 100 to wr"`
	WR          float64       `qbb:"wr" range:"(0,1e12]" doc:"weight of the squared distance from the fair window" source:"Zheng 2024, section 5.2.2: 10 with wq 1"`
	Every       int           `qbb:"every" range:"[1,)" doc:"ACKs from one control action to the next" unit:"ACKs" source:"Zheng 2024, section 3.1: 1"`
	Delay       bool          `qbb:"delay" doc:"predict the queue past the delay of input and feedback" source:"Zheng 2024, section 3.3"`
	DtUsesQueue bool          `qbb:"dt_uses_queue" doc:"the control step contains the queueing delay" source:"our choice: off; Zheng 2024, eqs. A.1 and 2.2: on"`
	Idle        string        `qbb:"idle" choice:"keep|fair|probe" doc:"window when all queues are empty: unchanged, the fair one, or one packet more, up to the fair one" source:"our choice: keep, as in Zheng 2024, section 3.4, never grows again after a flow has left"`
	MinWindow   core.Bytes    `qbb:"min_window" doc:"lowest window, wire bytes" zero:"one packet" source:"our choice: the paper's 0 leaves the control step undefined"`
	Header      core.Bytes    `qbb:"header" doc:"headers of a packet without telemetry" zero:"those of the host" source:"our choice: Zheng 2024, appendix A.2, has 48B, as its hosts"`
	Pace        bool          `qbb:"pace" doc:"also pace at line * W/BDP" source:"Zheng 2024, section 3.2: the model's input rate"`
	FlowTimeout core.Duration `qbb:"flow_timeout" doc:"a flow is counted until it has been silent for so long" zero:"twice the largest base RTT" source:"our choice: Zheng 2024, appendix A.1 gives none"`
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{Horizon: 5, WQ: 1, WR: 10, Every: 1, Delay: true, Idle: "fair", Pace: true}
}

// maxHorizon bounds the work of one step; the range of horizon ends there.
const maxHorizon = 64

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("mpcc", p) }
