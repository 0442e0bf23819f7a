package algotest

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Factory makes a scheme from its default parameters and the given changes.
type Factory func(params map[string]string) (algorithms.Scheme, error)

// NewFactory makes a factory of a scheme's Defaults and New.
func NewFactory[P any](defaults func() P, build func(P) (algorithms.Scheme, error)) Factory {
	return func(params map[string]string) (algorithms.Scheme, error) {
		p := defaults()
		if err := algorithms.SetParams(&p, params); err != nil {
			return nil, err
		}
		return build(p)
	}
}

// Make returns a scheme's New of parameters that must be right.
func Make[P any](tb testing.TB, build func(P) (algorithms.Scheme, error), p P) algorithms.Scheme {
	tb.Helper()
	s, err := build(p)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Plain returns the scheme with its default parameters.
func (f Factory) Plain(tb testing.TB) algorithms.Scheme {
	tb.Helper()
	return Make(tb, f, nil)
}

// NewFlow returns a flow as a host would describe it: 100 Gb/s, 13 us, full-resolution INT,
// streams of its own.
func NewFlow(id int32) *algorithms.Flow {
	random := core.NewStream(1, core.StreamFlow, uint64(id))
	return &algorithms.Flow{
		ID: id, Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, Window: 162500,
		MTU: 1000, Size: 1 << 40, Hops: 5, INT: core.FullINT(5), Random: random, Shared: random,
	}
}

// newPort returns a port as a host would describe it.
func newPort() *algorithms.Port {
	random := core.NewStream(1, core.StreamMarker, 0)
	return &algorithms.Port{
		Port: 1, Line: 100 * core.Gbps, MaxRTT: 13 * core.Microsecond, MTU: 1000,
		Random: random, Shared: random,
	}
}
