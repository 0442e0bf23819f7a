package reproduce

import (
	"context"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/internal/spelling"
)

// Experiment is one published experiment, or several figures of one.
type Experiment struct {
	Name   string
	Brief  string
	Source string // paper, figure or table
	Takes  string // usual time of a run on one core
	Quick  string // the same, quick
	// cases returns the simulations.
	cases func(quick bool) []Case
	// measure turns what was sampled into measures and figures. It is called when all cases have
	// run.
	measure func(r *Result)
}

// Experiments lists all, by paper.
func Experiments() []Experiment {
	return slices.Concat(mpcc(), dcqcn(), qcn(), netgauge(), dcmsExperiments(), hpcc())
}

// Find returns the experiment of a name.
func Find(name string) (*Experiment, error) {
	var names []string
	for _, e := range Experiments() {
		if e.Name == name {
			return &e, nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("unknown experiment %q: did you mean %s? qbb reproduce lists all", name, spelling.Nearest(name, names))
}

// Cases returns the simulations of an experiment.
func (e *Experiment) Cases(quick bool) []Case {
	if e.cases == nil {
		return nil
	}
	return e.cases(quick)
}

// Run runs all cases and measures. tell, if set, hears which case begins. An error is that of the
// context, or a scenario's.
func (e *Experiment) Run(ctx context.Context, quick bool, tell func(name string, i, of int)) (*Result, error) {
	r := &Result{Experiment: e, Quick: quick, tracks: make(map[string]*Track)}
	cases := e.Cases(quick)
	for i := range cases {
		c := &cases[i]
		if tell != nil {
			tell(c.Name, i, len(cases))
		}
		t, err := c.run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", e.Name, c.Name, err)
		}
		r.tracks[c.Name] = t
	}
	r.cases = cases
	e.measure(r)
	return r, r.complete()
}
