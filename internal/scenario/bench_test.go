package scenario

import (
	"io"
	"path/filepath"
	"runtime"
	"strconv"
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
	benchmarkRun(b, func() (*sim.Setup, error) { return fromConfig(c) })
}

// BenchmarkThreads runs a case on several threads.
func BenchmarkThreads(b *testing.B) {
	c, err := traces.LoadConfig(baselines + "/fat16-ws60-incast-hpcc/config.txt")
	if err != nil {
		b.Fatal(err)
	}
	for threads := 1; threads <= runtime.NumCPU(); threads *= 2 {
		b.Run(strconv.Itoa(threads), func(b *testing.B) {
			benchmarkRun(b, func() (*sim.Setup, error) {
				s, err := fromConfig(c)
				s.Threads = threads
				return s, err
			})
		})
	}
}

// BenchmarkFatTree runs WebSearch at 50 % for 0.5 ms on HPCC's network of 320 hosts, which has too many packets in
// flight for the second-level cache.
func BenchmarkFatTree(b *testing.B) {
	for _, profile := range []string{"ns3", "native"} {
		b.Run(profile, func(b *testing.B) {
			s := of(b, "topology", "fat-tree:hpcc", "cc", "hpcc", "load", "0.5", "duration", "500us", "profile", profile)
			benchmarkRun(b, s.Setup)
		})
	}
}

// benchmarkRun runs what setup describes.
func benchmarkRun(b *testing.B, setup func() (*sim.Setup, error)) {
	var hops, events int64
	var before, after runtime.MemStats
	var mallocs uint64
	for b.Loop() {
		b.StopTimer()
		n := buildQuiet(b, setup)
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

// buildQuiet builds a network and discards the texts of its run.
func buildQuiet(b *testing.B, setup func() (*sim.Setup, error)) *sim.Network {
	b.Helper()
	s, err := setup()
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
