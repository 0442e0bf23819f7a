package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces/tables"
)

// Options say what a run writes and how it reports progress.
type Options struct {
	// Dir is the folder of the outputs; empty: nothing is written.
	Dir string
	// Progress, if set, is called now and then, and at the end.
	Progress func(Progress)
	// Every is the least time between calls of Progress; 0: 100 ms.
	Every time.Duration
	// Slice is the number of events between looks at the clock and the context; 0: 131072,
	// or 8192 if packets are recorded.
	// Results do not depend on it.
	Slice int
	// Threads is the most threads that run parts of the network in parallel; 0: one. Results do not
	// depend on it. Some runs cannot be cut into parts: see sim.Setup.
	Threads int
}

// Threads returns how many of the threads that a user asks for there can be, one per processor. A number that few
// computers have is refused where there are fewer processors: it is hardly meant.
func Threads(wanted int) (int, error) {
	const few = 250
	processors := runtime.GOMAXPROCS(0)
	if most := max(few, processors); wanted < 1 || wanted > most {
		return 0, fmt.Errorf("%d must be from 1 to %d", wanted, most)
	}
	return min(wanted, processors), nil
}

// StartError is why a run did not begin: the user's options, or a folder that cannot be written.
type StartError struct{ Err error }

// Error returns the cause's text.
func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Setup makes the run that a scenario describes ([scenario.Scenario.Setup]); its flows may come from a
// Parquet file.
func Setup(sc *scenario.Scenario) (*sim.Setup, error) {
	sc.ReadFlows = tables.LoadFlows
	return sc.Setup()
}

// Run runs a scenario, whose Setup s is, and writes its outputs. If the context ends, so does
// the run: the outputs hold what it has, and the summary says so. The error is one of writing,
// or a [StartError].
func Run(ctx context.Context, sc *scenario.Scenario, s *sim.Setup, o Options) (*Summary, error) {
	s.Threads = o.Threads
	r, err := Start(sc, s, o.Dir, nil)
	if err != nil {
		return nil, err
	}
	defer r.Abort()
	meter := &progressMeter{n: r.Network, began: time.Now(), tell: o.Progress, every: o.Every}
	slice := o.Slice
	switch traced := s.Trace != nil || s.Capture; {
	case slice > 0:
	case traced:
		slice = 1 << 13 // the records of a slice wait in memory
	default:
		slice = 1 << 17
	}
	for more := true; more && ctx.Err() == nil; {
		if more, err = r.Step(core.Never, slice); err != nil {
			return nil, err
		}
		meter.update(false)
	}
	meter.update(true)
	return r.Finish()
}

// Complete reports whether a folder has the outputs of a complete run of the scenario, as it is after Setup, by
// this version of the program, all of them ([Outputs]), with the tables that say so, too: one may be empty after a loss of
// power. Changes of the files that the scenario names, and other ones of the outputs, go unnoticed.
func Complete(sc *scenario.Scenario, dir string) bool {
	text, err := os.ReadFile(under(dir, beside(sc, dir, summaryFile)))
	if err != nil {
		return false
	}
	var sum Summary
	if json.Unmarshal(text, &sum) != nil || sum.StoppedEarly || sum.Version != scenario.Version() || sum.Scenario != sc.Record() {
		return false
	}
	return !slices.ContainsFunc(Outputs(sc, dir), func(path string) bool {
		if filepath.Ext(path) == ".parquet" {
			of, err := tables.Value(path, "scenario")
			return err != nil || of != sum.Scenario
		}
		_, err := os.Stat(path)
		return err != nil
	})
}
