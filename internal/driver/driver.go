package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
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

// mostThreads is more than computers have processors.
const mostThreads = 250

// Threads returns how many of the threads that a user asks for there can be, one per processor.
func Threads(wanted int) (int, error) {
	if wanted < 1 || wanted > mostThreads {
		return 0, fmt.Errorf("%d must be from 1 to %d", wanted, mostThreads)
	}
	return min(wanted, runtime.GOMAXPROCS(0)), nil
}

// StartError is why a run did not begin: the user's options, or a folder that cannot be written.
type StartError struct{ Err error }

// Error returns the cause's text.
func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Progress is how far a run has come.
type Progress struct {
	Now                   core.Time // simulated
	Stop                  core.Time // end of the run, or core.Never
	Started, Ended, Total int       // flows
	Hops                  int64     // packets that have crossed a link
	HopsPerSecond         float64   // of wall-clock time, so far
	Wall                  time.Duration
	Remaining             time.Duration // a guess; 0: it is too early for one
	Memory                uint64        // bytes obtained from the operating system
}

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
	w := &watch{n: r.Network, began: time.Now(), tell: o.Progress, every: o.Every}
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
		w.look(false)
	}
	w.look(true)
	return r.Finish()
}

// Complete reports whether a folder has the outputs of a complete run of the scenario, as it is after Setup, by
// this version of the program, all of them ([Outputs]). Changes of the files that the scenario names, and of the
// outputs, go unnoticed.
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
		_, err := os.Stat(path)
		return err != nil
	})
}

// watch reports progress by the clock.
type watch struct {
	n     *sim.Network
	began time.Time
	told  time.Duration
	every time.Duration
	tell  func(Progress)
}

// look reads the clock and reports progress if it is time, or in any case.
func (w *watch) look(inAnyCase bool) {
	wall := time.Since(w.began)
	every := w.every
	if every <= 0 {
		every = 100 * time.Millisecond
	}
	if w.tell == nil || !inAnyCase && wall-w.told < every {
		return
	}
	w.told = wall
	n := w.n
	p := Progress{
		Now: n.Engine.Now(), Stop: n.Setup.Stop, Started: n.Started(), Ended: n.Ended(), Total: len(n.Setup.Flows),
		Hops: n.Engine.Hops(), Wall: wall,
	}
	if s := wall.Seconds(); s > 0 {
		p.HopsPerSecond = float64(p.Hops) / s
	}
	p.Remaining, p.Memory = remaining(&p), memory()
	w.tell(p)
}

// remaining guesses how long the run will go on, by the flows that have ended or by the time to
// its end, whichever is further along.
func remaining(p *Progress) time.Duration {
	done := float64(p.Ended) / float64(max(1, p.Total))
	if p.Stop != core.Never && p.Stop > 0 {
		done = max(done, float64(p.Now)/float64(p.Stop))
	}
	const enough = 0.02
	if done < enough || done > 1 {
		return 0
	}
	return time.Duration(float64(p.Wall) * (1 - done) / done)
}

// memory returns what runtime.MemStats.Sys holds, without stopping the program.
func memory() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
