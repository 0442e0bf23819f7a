package driver

import (
	"runtime/metrics"
	"time"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Progress is how far a run has come.
type Progress struct {
	Now                   core.Time // simulated
	Stop                  core.Time // end of the run, or core.Never
	Started, Ended, Total int       // flows
	Hops                  int64     // packets that have crossed a link, except those of flow control
	HopsPerSecond         float64   // of wall-clock time, so far
	Wall                  time.Duration
	Remaining             time.Duration // a guess; 0: it is too early for one
	Memory                uint64        // bytes obtained from the operating system
}

// progressMeter reports progress by the wall clock.
type progressMeter struct {
	n     *sim.Network
	began time.Time
	told  time.Duration // after began
	every time.Duration // least between reports; 0: 100 ms
	tell  func(Progress)
}

// update reads the clock and reports progress if it is time, or in any case.
func (m *progressMeter) update(inAnyCase bool) {
	wall := time.Since(m.began)
	every := m.every
	if every <= 0 {
		every = 100 * time.Millisecond
	}
	if m.tell == nil || !inAnyCase && wall-m.told < every {
		return
	}
	m.told = wall
	n := m.n
	p := Progress{
		Now: n.Engine.Now(), Stop: n.Setup.Stop, Started: n.Started(), Ended: n.Ended(), Total: len(n.Setup.Flows),
		Hops: n.Engine.Hops(), Wall: wall,
	}
	if s := wall.Seconds(); s > 0 {
		p.HopsPerSecond = float64(p.Hops) / s
	}
	p.Remaining, p.Memory = remaining(&p), memory()
	m.tell(p)
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
