package scenario

import (
	"io"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// BenchmarkBaseline runs the cases of the reference simulator, without reading their files and
// building their networks, and without packet traces. A hop is a packet that crosses a link.
func BenchmarkBaseline(b *testing.B) {
	cases, err := filepath.Glob(baselines + "/*/config.txt")
	if err != nil || len(cases) == 0 {
		b.Fatalf("no baselines: %v", err)
	}
	for _, config := range cases {
		b.Run(filepath.Base(filepath.Dir(config)), func(b *testing.B) { benchmarkConfig(b, config) })
	}
}

func benchmarkConfig(b *testing.B, config string) {
	c, err := traces.LoadConfig(config)
	if err != nil {
		b.Fatal(err)
	}
	var hops, events int64
	var before, after runtime.MemStats
	var mallocs uint64
	for b.Loop() {
		b.StopTimer()
		n := buildQuiet(b, c)
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		for n.Step(core.Never, 1<<20) {
		}
		b.StopTimer()
		runtime.ReadMemStats(&after)
		mallocs += after.Mallocs - before.Mallocs
		hops += n.Engine.Hops()
		events += n.Engine.Events()
		b.StartTimer()
	}
	ran := b.Elapsed()
	b.ReportMetric(float64(hops)/ran.Seconds(), "hops/s")
	b.ReportMetric(float64(ran.Nanoseconds())/float64(hops), "ns/hop")
	b.ReportMetric(float64(ran.Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(mallocs)/float64(hops), "allocs/hop")
}

// buildQuiet builds the network of a configuration and discards its texts.
func buildQuiet(b *testing.B, c *traces.Config) *sim.Network {
	b.Helper()
	s, err := fromConfig(c)
	if err != nil {
		b.Fatal(err)
	}
	s.Trace = nil
	n, err := sim.Build(s, &TextWriter{FCT: io.Discard, PFC: io.Discard, Queues: io.Discard})
	if err != nil {
		b.Fatal(err)
	}
	return n
}
