package native

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// Version returns the version of the simulator.
func Version() string { return scenario.Version() }

// Keys describes the keys of a scenario as JSON.
func Keys() string { return asJSON(scenario.Keys()) }

// Schemas describes the files as JSON.
func Schemas() string { return asJSON(traces.Schemas()) }

// Schemes describes the congestion-control schemes as JSON.
func Schemes() string {
	type described struct {
		Name, Doc, Source string
		Aliases           []string
		Params            []algorithms.Param
	}
	var list []described
	for _, e := range catalog.All() {
		list = append(list, described{e.Name, e.Doc, e.Source, append([]string{}, e.Aliases...), e.Params()})
	}
	return asJSON(list)
}

// ParseTime reads a time such as 3ms, in picoseconds.
func ParseTime(text string) (int64, error) {
	d, err := core.ParseDuration(text)
	return int64(d), err
}

// ParseRate reads a rate such as 100Gbps, in bit/s.
func ParseRate(text string) (int64, error) {
	r, err := core.ParseRate(text)
	return int64(r), err
}

// ParseBytes reads a size such as 300KB, in bytes.
func ParseBytes(text string) (int64, error) {
	b, err := core.ParseBytes(text)
	return int64(b), err
}
