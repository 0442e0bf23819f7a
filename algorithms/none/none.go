package none

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Params are the parameters; there are none.
type Params struct{}

// Defaults returns the default parameters.
func Defaults() Params { return Params{} }

type scheme struct{}

// New returns the scheme. The error is always nil.
func New(Params) (algorithms.Scheme, error) { return scheme{}, nil }

func (scheme) Traits() algorithms.Traits        { return algorithms.Traits{Name: "none"} }
func (scheme) NewSender() algorithms.Sender     { return sender{} }
func (scheme) NewReceiver() algorithms.Receiver { return nil }
func (scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct{}

func (sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never}
}

func (sender) Step(*algorithms.Signal, *algorithms.Control) {}
