package reproduce

import (
	"fmt"
	"math"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// level is a run whose queue has a constant length in its last half; before, it is much longer.
func level(bytes float64) *track {
	t := &track{Queue: make([][]float64, 1)}
	for i := range 401 {
		t.Times, t.Sent = append(t.Times, 50e3*float64(i)), append(t.Sent, 62.5e3*float64(i)) // 10 Gb/s
		queue := bytes
		if i < 200 {
			queue = 5e6
		}
		t.Queue[0] = append(t.Queue[0], queue)
	}
	return t
}

// A run does not converge if the median queue of its last half is above 200 KB.
func TestConvergence(t *testing.T) {
	r := &Result{Experiment: &Experiment{Name: "dcqcn-convergence"}, tracks: make(map[string]*track)}
	for _, n := range failureFlows() {
		r.tracks[fmt.Sprintf("10G-%d", n)] = level(2500 * float64(n)) // 200 KB of 80 flows
		r.tracks[fmt.Sprintf("40G-%d", n)] = level(100)
	}
	convergence(r)
	if r.ours["fails.10G"] != 160 || !math.IsInf(r.ours["fails.40G"], 1) {
		t.Errorf("measured %v, want 160 flows and none", r.ours)
	}
}

// DCQCN+ is compared with DCQCN by mean queue, latency, and the largest number of flows with which
// each converges.
func TestPlusClaims(t *testing.T) {
	r := &Result{Experiment: &Experiment{Name: "dcqcnplus-scale"}, tracks: make(map[string]*track)}
	put := func(scheme, rate string, n int, bytes float64) *track {
		tr := level(bytes)
		r.tracks[plusName(scheme, rate, n)] = tr
		return tr
	}
	for _, rate := range []string{"10G", "40G"} {
		for _, n := range plusFlows() {
			put("dcqcn-plus", rate, n, 100*float64(n)) // 200 KB of 2000 flows
		}
		put("dcqcn-paper", rate, 800, 4e6)
	}
	put("dcqcn-plus", "40G", 2000, 300e3)
	for _, n := range failureFlows() {
		put("dcqcn-paper", "10G", n, 1000*float64(n)) // 160 KB of 160 flows
	}
	for scheme, latency := range map[string]core.Duration{"dcqcn-paper": 600, "dcqcn-plus": 50} {
		tr := put(scheme, "10G", manyFlows, 300e3)
		tr.Ended = []sim.FlowRecord{probe(0, "probe", latency*core.Microsecond)}
	}
	plus(r)
	for measure, want := range map[string]float64{
		"queue.10G": 50, "queue.40G": 50, "converged.10G": 4, "converged.40G": 3, "latency": 12, "capacity": 2000. / 160,
	} {
		if got := r.ours[measure]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", measure, got, want)
		}
	}
	for _, row := range r.extra {
		if want := map[string]float64{"use.10G.800": 10, "queue.10G.800": 80e3, "latency.dcqcn-plus": 25}[row.Measure]; want != 0 && math.Abs(row.Ours-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", row.Measure, row.Ours, want)
		}
	}
}

// The tables have the largest of the buffer's readings in the later part, its maximum in the first half of the time
// until then, and the latency.
func TestScaleClaims(t *testing.T) {
	r := &Result{Experiment: &Experiment{Name: "dcqcn-scale"}, Quick: true, tracks: make(map[string]*track)}
	for _, v := range scaleVariants() {
		for _, n := range scaleFlows() {
			tr := &track{Queue: make([][]float64, 1), Ended: []sim.FlowRecord{probe(3, "probe", 60*core.Microsecond)}}
			for i := range 341 { // from 20 ms on it is read every 2 ms
				queue := 100e3
				switch i {
				case 30:
					queue = 400e3
				case 150:
					queue = 800e3 // is in neither part
				case 240:
					queue = 151e3
				case 250:
					queue = 900e3 // is between two readings
				}
				tr.Times, tr.Queue[0] = append(tr.Times, 1e5*float64(i)), append(tr.Queue[0], queue)
			}
			r.tracks[fmt.Sprintf("%s-%d", v.name, n)] = tr
		}
	}
	scale(r)
	for _, v := range scaleVariants() {
		for _, n := range scaleFlows() {
			for what, want := range map[string]float64{"buffer": 151, "start": 400, "latency": 30} {
				if got := r.ours[fmt.Sprintf("%s.%s.%d", v.name, what, n)]; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, %d flows, %s: %v, want %v", v.name, n, what, got, want)
				}
			}
		}
	}
	// With 80 flows the last sample of 200 KB is the one at 25 ms; with 480 the least, after the starts, is 100 KB.
	if got := r.ours["dcqcn.settled.80"]; math.Abs(got-25.1e-3) > 1e-9 {
		t.Errorf("below 200 KB from %v s on, want 0.0251", got)
	}
	if got := r.ours["dcqcn.least.480"]; got != 100 {
		t.Errorf("least buffer %v KB, want 100", got)
	}
	for _, row := range r.extra {
		if row.Measure == "dcqcn.most.80" && row.Ours != 900 {
			t.Errorf("most of the buffer is %v KB, want 900", row.Ours)
		}
	}
	if y := r.Figures[1].Series; len(y) != 4 || y[0].Y[0] != 30e3 || y[1].Y[0] == y[0].Y[0] {
		t.Errorf("latencies %+v", y)
	}
}

// The thesis simulates DCQCN with the simulator of its first author (section 3.2), which updates alpha before the
// decrease and begins hyper increase at 5 cycles of both counters.
func TestDCQCNOfTheSimulator(t *testing.T) {
	for _, c := range append(convergenceCases(true), plusCases(true)...) {
		sc, err := c.scenario()
		if err != nil {
			t.Fatal(err)
		}
		p := sc.CC.Params
		if sc.CC.Name == "dcqcn-paper" && (p["preset"] != "connectx4" || p["alpha_first"] != "true" || p["stage_ge"] != "true") {
			t.Errorf("%s: %v", c.Name, p)
		}
	}
}
