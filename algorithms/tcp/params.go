package tcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// RenoParams are the parameters of Reno.
type RenoParams struct {
	FirstWindow float64 `qbb:"first_window" range:"[1,1e6]" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
}

// RenoDefaults returns the default parameters of Reno.
func RenoDefaults() RenoParams { return RenoParams{FirstWindow: firstWindow} }

// CubicParams are the parameters of CUBIC.
type CubicParams struct {
	FirstWindow     float64 `qbb:"first_window" range:"[1,1e6]" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
	C               float64 `qbb:"c" range:"(0,1e12]" doc:"steepness of the cubic" unit:"packets/s^3" source:"RFC 9438, section 5"`
	Beta            float64 `qbb:"beta" range:"(0,1)" doc:"part of the window left by a loss" source:"RFC 9438, section 4.6"`
	FastConvergence bool    `qbb:"fast_convergence" doc:"give way to new flows sooner" source:"RFC 9438, section 4.7"`
}

// CubicDefaults returns the default parameters of CUBIC.
func CubicDefaults() CubicParams {
	return CubicParams{FirstWindow: firstWindow, C: 0.4, Beta: 0.7, FastConvergence: true}
}

// VegasParams are the parameters of Vegas.
type VegasParams struct {
	FirstWindow float64 `qbb:"first_window" range:"[1,1e6]" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
	Alpha       float64 `qbb:"alpha" range:"(0,)" doc:"least packets of its own in the queue" unit:"packets" source:"SIGCOMM 1994; Linux"`
	Beta        float64 `qbb:"beta" doc:"most packets of its own in the queue" unit:"packets" source:"SIGCOMM 1994; Linux"`
	Gamma       float64 `qbb:"gamma" range:"(0,)" doc:"packets in the queue that end slow start" unit:"packets" source:"SIGCOMM 1994; Linux"`
}

// VegasDefaults returns the default parameters of Vegas.
func VegasDefaults() VegasParams {
	return VegasParams{FirstWindow: firstWindow, Alpha: 2, Beta: 4, Gamma: 1}
}

// DCTCPParams are the parameters of DCTCP.
type DCTCPParams struct {
	FirstWindow float64       `qbb:"first_window" range:"[1,1e6]" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
	G           float64       `qbb:"g" range:"(0,1]" doc:"gain of alpha" source:"RFC 8257: 1/16"`
	AckEvery    int           `qbb:"ack_every" range:"[1,)" doc:"packets to an ACK; 1 for no delayed ACKs" unit:"packets" source:"RFC 5681, section 4.2"`
	AckDelay    core.Duration `qbb:"ack_delay" range:"(0,)" doc:"longest time that an ACK is held back" source:"our choice: RFC 5681 allows 500 ms"`
	AckForm     string        `qbb:"ack_form" choice:"two|one" doc:"ACKs sent when the mark changes" source:"SIGCOMM 2010, section 3.2: two; RFC 8257, section 3.2: one"`
}

// DCTCPDefaults returns the default parameters of DCTCP.
func DCTCPDefaults() DCTCPParams {
	return DCTCPParams{FirstWindow: firstWindow, G: 1. / 16, AckEvery: 2, AckDelay: 100 * core.Microsecond, AckForm: "two"}
}

// Validate reports the first parameter that is out of range.
func (p *RenoParams) Validate() error { return algorithms.CheckParams("reno", p) }

// Validate reports the first parameter that is out of range.
func (p *CubicParams) Validate() error { return algorithms.CheckParams("cubic", p) }

// Validate reports the first parameter that is out of range.
func (p *VegasParams) Validate() error {
	if err := algorithms.CheckParams("vegas", p); err != nil {
		return err
	}
	if p.Beta < p.Alpha {
		return algorithms.WrongParam("vegas", "beta", p.Beta, "it must not be below alpha, %v", p.Alpha)
	}
	return nil
}

// Validate reports the first parameter that is out of range.
func (p *DCTCPParams) Validate() error { return algorithms.CheckParams("dctcp-window", p) }
