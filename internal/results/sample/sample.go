// Package sample makes folders of short runs for tests.
package sample

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// Run makes the folder of a short run under a scheme, with an incast into a small buffer, pauses,
// and series of ports and flows, and returns it.
func Run(t testing.TB, dir, scheme string) string { return Seed(t, dir, scheme, 1) }

// Seed makes the folder of such a run with a seed.
func Seed(t testing.TB, dir, scheme string, seed uint64) string {
	t.Helper()
	return run(t, dir, scheme, seed, nil)
}

// Lossy makes the folder of such a run over links that lose packets, and with them PFC frames.
func Lossy(t testing.TB, dir, scheme string) string {
	t.Helper()
	return run(t, dir, scheme, 1, func(sc *scenario.Scenario) { sc.Loss = 0.02 })
}

// Failing makes the folder of such a run in which links fail while they are paused, and return.
func Failing(t testing.TB, dir, scheme string) string {
	t.Helper()
	return run(t, dir, scheme, 1, func(sc *scenario.Scenario) {
		for at := 60 * core.Microsecond; at < 140*core.Microsecond; at += 20 * core.Microsecond {
			for host := range 16 {
				sc.Links = append(sc.Links, scenario.LinkChange{At: core.Time(at), Down: fmt.Sprintf("%d-%d", host, 16+host/4)})
			}
			for host := range 16 {
				sc.Links = append(sc.Links, scenario.LinkChange{At: core.Time(at + core.Microsecond), Up: fmt.Sprintf("%d-%d", host, 16+host/4)})
			}
		}
	})
}

func run(t testing.TB, dir, scheme string, seed uint64, change func(sc *scenario.Scenario)) string {
	t.Helper()
	sc := scenario.Default()
	sc.Seed = seed
	sc.Duration, sc.Load, sc.Incast, sc.Buffer = 200*core.Microsecond, 0.7, "12x300KB@50us", 2e6
	sc.CC = scenario.CC{Name: scheme}
	sc.Series.Interval, sc.Series.Flows, sc.Series.Fairness = core.Microsecond, "largest:3", 20*core.Microsecond
	if change != nil {
		change(sc)
	}
	setup, err := driver.Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := driver.Run(t.Context(), sc, setup, driver.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if sum.PFC.PausesSent == 0 {
		t.Fatalf("%s: the run has no pauses", scheme)
	}
	return dir
}

// Of makes the folder of a run with keys and values, and returns it.
func Of(t testing.TB, pairs ...string) string {
	t.Helper()
	sc, dir := scenario.Default(), t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		if err := sc.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	setup, err := driver.Setup(sc)
	if err == nil {
		_, err = driver.Run(t.Context(), sc, setup, driver.Options{Dir: dir})
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Two makes the folders of two runs that differ in their scheme: hpcc and dcqcn.
func Two(t testing.TB) []string {
	t.Helper()
	dir := t.TempDir()
	return []string{Run(t, filepath.Join(dir, "hpcc"), "hpcc"), Run(t, filepath.Join(dir, "dcqcn"), "dcqcn")}
}
