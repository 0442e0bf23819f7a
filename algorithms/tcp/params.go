package tcp

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// RenoParams are the parameters of Reno.
type RenoParams struct {
	FirstWindow float64 `qbb:"first_window" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
}

// RenoDefaults returns the default parameters of Reno.
func RenoDefaults() RenoParams { return RenoParams{FirstWindow: firstWindow} }

// CubicParams are the parameters of CUBIC.
type CubicParams struct {
	FirstWindow     float64 `qbb:"first_window" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
	C               float64 `qbb:"c" doc:"steepness of the cubic" unit:"packets/s^3" source:"RFC 9438, section 5"`
	Beta            float64 `qbb:"beta" doc:"part of the window left by a loss" source:"RFC 9438, section 4.6"`
	FastConvergence bool    `qbb:"fast_convergence" doc:"give way to new flows sooner" source:"RFC 9438, section 4.7"`
}

// CubicDefaults returns the default parameters of CUBIC.
func CubicDefaults() CubicParams {
	return CubicParams{FirstWindow: firstWindow, C: 0.4, Beta: 0.7, FastConvergence: true}
}

// VegasParams are the parameters of Vegas.
type VegasParams struct {
	FirstWindow float64 `qbb:"first_window" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
	Alpha       float64 `qbb:"alpha" doc:"least packets of its own in the queue" unit:"packets" source:"SIGCOMM 1994; Linux"`
	Beta        float64 `qbb:"beta" doc:"most packets of its own in the queue" unit:"packets" source:"SIGCOMM 1994; Linux"`
	Gamma       float64 `qbb:"gamma" doc:"packets in the queue that end slow start" unit:"packets" source:"SIGCOMM 1994; Linux"`
}

// VegasDefaults returns the default parameters of Vegas.
func VegasDefaults() VegasParams {
	return VegasParams{FirstWindow: firstWindow, Alpha: 2, Beta: 4, Gamma: 1}
}

// DCTCPParams are the parameters of DCTCP.
type DCTCPParams struct {
	FirstWindow float64       `qbb:"first_window" doc:"window of a new flow" unit:"packets" source:"RFC 6928"`
	G           float64       `qbb:"g" doc:"gain of alpha" source:"RFC 8257: 1/16"`
	AckEvery    int           `qbb:"ack_every" doc:"packets to an ACK; 1 for no delayed ACKs" unit:"packets" source:"RFC 5681, section 4.2"`
	AckDelay    core.Duration `qbb:"ack_delay" doc:"longest time that an ACK is held back" source:"our choice: RFC 5681 allows 500 ms"`
	AckForm     string        `qbb:"ack_form" choice:"two|one" doc:"ACKs sent when the mark changes" source:"SIGCOMM 2010, section 3.2: two; RFC 8257, section 3.2: one"`
}

// DCTCPDefaults returns the default parameters of DCTCP.
func DCTCPDefaults() DCTCPParams {
	return DCTCPParams{FirstWindow: firstWindow, G: 1. / 16, AckEvery: 2, AckDelay: 100 * core.Microsecond, AckForm: "two"}
}

func checkFirst(scheme string, w float64) error {
	if !(w >= 1 && w <= 1e6) {
		return fmt.Errorf("%s: first_window is %v; it must be 1 to 1e6 packets", scheme, w)
	}
	return nil
}

// Validate reports the first parameter that is out of range.
func (p *RenoParams) Validate() error { return checkFirst("reno", p.FirstWindow) }

// Validate reports the first parameter that is out of range.
func (p *CubicParams) Validate() error {
	switch {
	case !(p.C > 0 && p.C <= 1e12):
		return fmt.Errorf("cubic: c is %v; it must be above 0 and at most 1e12", p.C)
	case !(p.Beta > 0 && p.Beta < 1):
		return fmt.Errorf("cubic: beta is %v; it must be above 0 and below 1", p.Beta)
	}
	return checkFirst("cubic", p.FirstWindow)
}

// Validate reports the first parameter that is out of range.
func (p *VegasParams) Validate() error {
	if !(p.Alpha > 0 && p.Beta >= p.Alpha && p.Gamma > 0) {
		return fmt.Errorf("vegas: alpha is %v, beta %v and gamma %v; all must be above 0, and beta not below alpha", p.Alpha, p.Beta, p.Gamma)
	}
	return checkFirst("vegas", p.FirstWindow)
}

// Validate reports the first parameter that is out of range.
func (p *DCTCPParams) Validate() error {
	switch {
	case !(p.G > 0 && p.G <= 1):
		return fmt.Errorf("dctcp-window: g is %v; it must be above 0 and at most 1", p.G)
	case p.AckEvery < 1:
		return fmt.Errorf("dctcp-window: ack_every is %d; it must be at least 1", p.AckEvery)
	case p.AckDelay <= 0:
		return fmt.Errorf("dctcp-window: ack_delay is %v; it must be above 0", p.AckDelay)
	case p.AckForm != "two" && p.AckForm != "one":
		return fmt.Errorf("dctcp-window: ack_form is %q; it must be two or one", p.AckForm)
	}
	return checkFirst("dctcp-window", p.FirstWindow)
}
