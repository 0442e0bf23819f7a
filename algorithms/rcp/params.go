package rcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters of RCP.
type Params struct {
	Alpha     float64       `qbb:"alpha" range:"(0,10]" doc:"gain on the spare rate" source:"reported of IWQoS 2005: 0.4"`
	Beta      float64       `qbb:"beta" range:"[0,10]" doc:"gain on the queue" source:"reported of IWQoS 2005: 0.226"`
	Period    core.Duration `qbb:"period" range:"[1ns,)" doc:"time from one rate to the next (T)" zero:"the largest base round trip (d)" source:"our choice: at most d"`
	MinRate   core.Rate     `qbb:"min_rate" doc:"lowest rate of a port" zero:"a packet in d with window, else line/1000" source:"our choice: at lower rates flows hear of a new one too late"`
	FirstRate core.Rate     `qbb:"first_rate" doc:"rate of a flow until its first ACK; 1kbps makes its first packet the handshake" zero:"line rate" source:"our choice: the paper's comes with a handshake"`
	Window    bool          `qbb:"window" doc:"limit the bytes in flight to rate times base round trip" source:"our choice"`
}

// Defaults returns the default parameters.
func Defaults() Params { return Params{Alpha: 0.4, Beta: 0.226, Window: true} }

// OwnWindow implements algorithms.Windowed.
func (p *Params) OwnWindow() *bool { return &p.Window }

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error { return algorithms.CheckParams("rcp", p) }
