package reproduce

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/qbb-sim/qbb/internal/spelling"
)

// Experiment is one published experiment, or several figures of one.
type Experiment struct {
	Name   string
	Brief  string
	Source string // paper, figure or table
	Takes  string // usual time of a run on one core
	Quick  string // the same for a quick run
	// cases returns the simulations.
	cases func(quick bool) []Case
	// measure turns the samples into measures and figures. It is called when all cases have run.
	measure func(r *Result)
}

// Experiments lists all, by paper.
func Experiments() []Experiment {
	return slices.Concat(mpcc(), dcqcn(), qcn(), netgauge(), dcms(), hpcc())
}

// Find returns the experiment with a name.
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
func (e *Experiment) Cases(quick bool) []Case { return e.cases(quick) }

// Run runs all cases, at most threads of them in parallel, and measures. tell, if set, is called when a case begins,
// with the number begun so far, one call at a time. An error is that of the context, or a scenario's.
func (e *Experiment) Run(ctx context.Context, quick bool, threads int, tell func(name string, begun, of int)) (*Result, error) {
	r := &Result{Experiment: e, Quick: quick, cases: e.Cases(quick), tracks: make(map[string]*track)}
	var mu sync.Mutex // guards what follows, and the tracks
	begun := 0
	begin := func(c *Case) {
		mu.Lock()
		defer mu.Unlock()
		begun++
		if tell != nil {
			tell(c.Name, begun, len(r.cases))
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for i := range r.cases {
		group.Go(func() error {
			c := &r.cases[i]
			begin(c)
			t, err := c.run(ctx)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", e.Name, c.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			r.tracks[c.Name] = t
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	e.measure(r)
	return r, r.complete()
}
