package reproduce

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// ended is a flow that has ended, with the given slowdown.
func ended(bytes int64, slowdown float64) sim.FlowRecord {
	return sim.FlowRecord{Flow: &sim.Flow{Bytes: bytes}, FCT: core.Duration(1000 * slowdown), Ideal: 1000, Finished: true}
}

// Bins have equal numbers of the flows of all runs, by size, and are labelled with their largest size; unfinished flows
// do not count, and if there are more bins than flows some bins are left out.
func TestBySize(t *testing.T) {
	late := ended(1, 99)
	late.Finished = false
	runs := []*track{
		{Ended: []sim.FlowRecord{ended(50, 5), ended(10, 1), late, ended(30, 3)}},
		{Ended: []sim.FlowRecord{ended(60, 6), ended(20, 2), ended(40, 4), ended(70, 9)}},
	}
	for _, c := range []struct {
		bins             int
		percent          float64
		sizes, slowdowns []float64
	}{
		{1, 50, []float64{70}, []float64{4}},
		{2, 50, []float64{30, 70}, []float64{2, 5}},
		{2, 95, []float64{30, 70}, []float64{3, 9}},
		{3, 99, []float64{20, 40, 70}, []float64{2, 4, 9}},
		{14, 50, []float64{10, 20, 30, 40, 50, 60, 70}, []float64{1, 2, 3, 4, 5, 6, 9}},
	} {
		sizes, slowdowns := bySize(runs, c.bins, c.percent)
		if !slices.Equal(sizes, c.sizes) || !slices.Equal(slowdowns, c.slowdowns) {
			t.Errorf("p%v of %d bins: %v at %v, want %v at %v", c.percent, c.bins, slowdowns, sizes, c.slowdowns, c.sizes)
		}
	}
}

// A queue that grows by 10 Gb/s for 80 us has all lengths up to 100 KB equally often. It is one of three, and the
// others are empty, so that 95 % of all samples lie below 85 KB. A second run without a queue halves the share of long
// queues.
func TestQueueCurve(t *testing.T) {
	c := Case{Name: "c", Set: []string{
		"topology", "star:n=3,rate=10Gbps,delay=0s", "workload", "none", "cc", "none", "host.window", "off", "stop", "80us", "queue_sampling.interval", "100ns",
	}}
	var runs []*track
	for senders := 2; senders >= 1; senders-- {
		c.Flows = nil
		for src := range senders {
			c.Flows = append(c.Flows, flow(src, 2, 1e6, 0, "flow"))
		}
		run := c
		tr, err := run.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, tr)
	}
	for _, want := range []struct {
		runs    []*track
		percent float64
		at      float64
	}{{runs[:1], 50, 1e3}, {runs[:1], 95, 85e3}, {runs[1:], 99, 2e3}, {runs, 95, 70e3}} {
		edges, shares := queueCurve(want.runs)
		if got := queueAt(edges, shares, want.percent); got < want.at-2e3 || got > want.at+2e3 {
			t.Errorf("%d runs: %v %% of the samples are below %v B, want %v", len(want.runs), want.percent, got, want.at)
		}
		if n := len(edges); edges[0] != 1e3 || edges[n-1] != 1e3*float64(n) || shares[n-1] != 1 {
			t.Errorf("edges from %v to %v of %d, where the share is %v", edges[0], edges[n-1], n, shares[n-1])
		}
	}
}

// The claims on slowdowns are judged by the p95 of ten bins: MPCC against TIMELY and DCQCN in all of them, against HPCC
// and DCTCP in the five of small flows.
func TestTreeClaims(t *testing.T) {
	// By scheme: the two slowdowns of every bin, of small and of large flows. By the p50 MPCC is below all others in
	// all bins.
	slowdowns := map[string][2][2]float64{
		"mpcc": {{1, 4}, {1, 6}}, "hpcc": {{2, 5}, {2, 2}}, "dctcp": {{2, 5}, {2, 2}}, "dcqcn": {{2, 7}, {2, 7}}, "timely": {{2, 7}, {2, 6}},
	}
	r := &Result{Experiment: &Experiment{Name: "mpcc-websearch"}, tracks: make(map[string]*track)}
	for scheme, of := range slowdowns {
		tr := new(track)
		for bin := range 10 {
			for _, s := range of[bin/5] {
				tr.Ended = append(tr.Ended, ended(int64(1000*(bin+1)), s))
			}
		}
		if scheme == "dctcp" { // not above MPCC in the first bin
			tr.Ended[1] = ended(1000, 4)
		}
		r.tracks[seedName("30-"+scheme, 1)] = tr
	}
	panel := treePanels()[0]
	panel.slowdowns(r)
	if r.ours["slower.30"] != 5 || r.ours["small.30"] != 1 {
		t.Errorf("measured %v", r.ours)
	}
	values := make(map[string]float64)
	for _, row := range r.extra {
		values[row.Measure] = row.Ours
	}
	for measure, want := range map[string]float64{
		"slower50.30": 0, "small50.30": 0, "slower99.30": 5, "small99.30": 1, "p95.30.mpcc": 4, "p95large.30.mpcc": 6, "p95.30.dctcp": 4.8,
	} {
		if got, ok := values[measure]; !ok || got != want {
			t.Errorf("%s: %v, want %v", measure, got, want)
		}
	}
	if len(r.Figures) != 1 || len(r.Figures[0].Series) != 5 || r.Figures[0].Series[0].Y[0] != 4 {
		t.Errorf("figures: %+v", r.Figures)
	}
}
