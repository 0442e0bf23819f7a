package driver

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
)

// While no flow runs the index of fairness is 1.
func TestFairnessOfIdleTime(t *testing.T) {
	dir := t.TempDir()
	flows := filepath.Join(dir, "flows.csv")
	write(t, flows, "src,dst,bytes,start_ns\n0,2,100000,0\n1,2,300000,1000\n0,2,100000,1000000\n")
	runInto(t, of(t, "topology", "star:n=3", "flows", flows, "series.fairness", "10us"), Options{Dir: dir})
	all := loadSeries(t, dir)
	idle, unequal := 0, 0
	for _, r := range all[seriesKey{"fairness", -1, -1, -1}] {
		switch {
		case r.TimeNs > 300e3 && r.TimeNs+r.SpanNs < 1000e3:
			if idle++; r.Min != 1 || r.Mean != 1 || r.Max != 1 {
				t.Errorf("idle: %+v", r)
			}
		case r.Min < 1:
			unequal++
		}
	}
	if idle < 10 || unequal == 0 {
		t.Errorf("%d points are idle, %d below 1", idle, unequal)
	}
}

// The index of fairness covers what flows got since the last sample: if one got half of what another did, it is 0.9.
func TestFairnessOfHalf(t *testing.T) {
	dir := t.TempDir()
	flows, net := filepath.Join(dir, "flows.csv"), filepath.Join(dir, "net")
	write(t, flows, "src,dst,bytes,start_ns\n0,1,12500000,0\n2,3,100000000,550000\n")
	write(t, net, "5 1 4\n4\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 4 50Gbps 1us 0\n3 4 50Gbps 1us 0\n")
	for _, between := range [][]string{{"series.fairness", "100us"}, {"series.fairness", "1us", "series.interval", "100us"}} { // at least the interval
		runInto(t, of(t, append(between, "topology", net, "flows", flows, "cc", "none", "stop", "1ms")...), Options{Dir: dir})
		points := loadSeries(t, dir)[seriesKey{"fairness", -1, -1, -1}]
		if len(points) != 10 {
			t.Fatalf("%v: %d points", between, len(points))
		}
		for i, p := range points {
			want := 1.0
			if i >= 6 {
				want = 0.9 // (2+1)² / (2 (2²+1²))
			}
			if math.Abs(p.Mean-want) > 0.001 {
				t.Errorf("%v: from %v ns: %v, want %v", between, p.TimeNs, p.Mean, want)
			}
		}
	}
}

// Flows that start at a sample have run for the whole time at the next one, as with incast at the start of a run.
func TestFairnessFromTheStart(t *testing.T) {
	dir := t.TempDir()
	flows, net := filepath.Join(dir, "flows.csv"), filepath.Join(dir, "net")
	write(t, net, "5 1 4\n4\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 4 50Gbps 1us 0\n3 4 50Gbps 1us 0\n")
	for start, want := range map[int][]float64{0: {0.9, 0.9, 0.9}, 100_000: {1, 0.9, 0.9}, 100_001: {1, 1, 0.9}} {
		write(t, flows, fmt.Sprintf("src,dst,bytes,start_ns\n0,1,100000000,0\n2,3,100000000,%d\n", start))
		runInto(t, of(t, "topology", net, "flows", flows, "cc", "none", "stop", "300us", "series.fairness", "100us"), Options{Dir: dir})
		points := loadSeries(t, dir)[seriesKey{"fairness", -1, -1, -1}]
		if len(points) != len(want) {
			t.Fatalf("%d points", len(points))
		}
		for i, p := range points {
			if math.Abs(p.Mean-want[i]) > 0.02 { // except for what was under way
				t.Errorf("start %d: from %v ns: %v, want %v", start, p.TimeNs, p.Mean, want[i])
			}
		}
	}
}
