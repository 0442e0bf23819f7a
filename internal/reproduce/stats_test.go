package reproduce

import (
	"math"
	"testing"
)

func TestStats(t *testing.T) {
	x := []float64{4, 1, 3, 2}
	for name, c := range map[string][2]float64{
		"jain of equals":     {jain([]float64{2, 2, 2}), 1},
		"jain of one of 4":   {jain([]float64{0, 0, 5, 0}), 0.25},
		"jain of nothing":    {jain([]float64{0, 0}), 1},
		"mean":               {mean(x), 2.5},
		"mean of nothing":    {mean(nil), 0},
		"mean of one":        {mean(x[:1]), 4},
		"deviation":          {deviation(x), math.Sqrt(1.25)},
		"most":               {most(x), 4},
		"most of nothing":    {most(nil), 0},
		"median":             {percentile(x, 50), 2},
		"p95":                {percentile(x, 95), 4},
		"p0":                 {percentile(x, 0), 1},
		"slope":              {slope([]float64{0, 1, 2}, []float64{5, 8, 11}), 3},
		"lasts":              {lasts([]float64{1, 2, 3, 4, 5}, []float64{1, 0, 1, 2, 0}, 1, 2), 3},
		"never lasts":        {lasts([]float64{1, 2, 3, 4}, []float64{1, 0, 1, 1}, 1, 3), math.Inf(1)},
		"first above":        {firstAbove([]float64{1, 2, 3}, []float64{0, 0, 4}, 0), 3},
		"never above":        {firstAbove([]float64{1, 2, 3}, []float64{0, 0, 0}, 0), math.Inf(1)},
		"settled":            {settled([]float64{1, 2, 3, 4}, []float64{9, 1, 5, 4}, 5), 4},
		"settled all along":  {settled([]float64{1, 2}, []float64{4, 1}, 5), 1},
		"never settled":      {settled([]float64{1, 2}, []float64{4, 5}, 5), math.Inf(1)},
		"first below":        {firstBelow([]float64{1, 2, 3, 4}, []float64{0, 9, 5, 4}, 2, 5), 4},
		"never below":        {firstBelow([]float64{1, 2, 3}, []float64{0, 9, 5}, 2, 5), math.Inf(1)},
		"share of a CDF":     {queueAt([]float64{10, 20}, []float64{0.6, 1}, 95), 20},
		"edge of a CDF":      {queueAt([]float64{10, 20}, []float64{0.5, 1}, 50), 10},
		"least bin of a CDF": {queueAt([]float64{10, 20}, []float64{0.6, 1}, 50), 10},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

// A trapezoid of slopes 3 and -1, flat at 30.
func TestEdges(t *testing.T) {
	var x, q []float64
	for at := range 200 {
		x = append(x, float64(at))
		q = append(q, max(0, min(30, 3*float64(at-5), float64(180-at))))
	}
	rise, fall, flat := edges(x, q)
	if math.Abs(rise-3) > 0.1 || math.Abs(fall+1) > 0.1 || flat != 30 {
		t.Errorf("rise %v, fall %v, flat %v", rise, fall, flat)
	}
}

// Three pulses, 4 us apart, with a trembling top; one pulse has no frequency.
func TestFrequency(t *testing.T) {
	var x, q []float64
	for at := range 12 {
		x, q = append(x, 1e3*float64(at)), append(q, []float64{0, 8, 6, 8}[at%4])
	}
	if got := frequency(x, q, 4); got != 250e3 {
		t.Errorf("%v Hz, want 250000", got)
	}
	if got := frequency(x[:4], q[:4], 4); got != 0 {
		t.Errorf("%v Hz of one pulse", got)
	}
}

func TestTrack(t *testing.T) {
	tr := &track{Times: []float64{0, 10, 20, 30, 40}, Acked: [][]float64{{0, 10, 20, 40, 60}}, Sent: []float64{0, 5, 10, 15, 20}}
	x, y := tr.flowRates(0, 2)
	if len(x) != 2 || x[1] != 40 || y[0] != 8e9 || y[1] != 16e9 {
		t.Errorf("rates %v at %v", y, x)
	}
	if _, y := tr.sentRates(4); len(y) != 1 || y[0] != 4e9 {
		t.Errorf("sent %v", y)
	}
	if got := tr.between(tr.Sent, 10, 30); len(got) != 3 || got[0] != 5 || got[2] != 15 {
		t.Errorf("between: %v", got)
	}
	if got := tr.growth(tr.Acked[0], 5, 35); got != 1.5 { // from the sample at 10 ns to that at 30 ns
		t.Errorf("growth %v", got)
	}
	if got := tr.between(tr.Sent, 100, 200); len(got) != 0 {
		t.Errorf("after the end: %v", got)
	}
	if got := tr.drained([]float64{0, 3, 9, 0, 1}); got != 30 {
		t.Errorf("drained at %v", got)
	}
	if got := tr.drained([]float64{0, 3, 9, 1, 1}); !math.IsInf(got, 1) {
		t.Errorf("drained at %v", got)
	}
	for most, q := range map[float64][]float64{0: {0, 3, 9, 0, 0}, 2: {0, 3, 0, 2, 1}, math.Inf(1): {0, 3, 9, 1, 1}} {
		if got := tr.afterDrained(q); got != most {
			t.Errorf("%v: once it has been empty it holds %v, want %v", q, got, most)
		}
	}
}

// The rate over the last half of a run is right whatever the number of samples.
func TestLateRate(t *testing.T) {
	times, sent := []float64{0, 10, 20, 30, 40}, []float64{0, 5, 10, 30, 50}
	for n := 4; n <= 5; n++ {
		if got := lateRate(&track{Times: times[:n], Sent: sent[:n]}); got != 16e9 {
			t.Errorf("%d samples: %v bit/s, want 16e9", n, got)
		}
	}
}

func TestNotBelow(t *testing.T) {
	v := map[string][]float64{"a": {1, 5, 3}, "b": {2, 4, 3}, "c": {9, 9, 9}}
	if n := notBelow(v, "a", []string{"b", "c"}, 0, 10); n != 2 { // the second, and the tie of the third
		t.Errorf("%d bins, want 2", n)
	}
	if n := notLeast(map[string][3]float64{"a": {1, 5, 3}, "b": {2, 4, 3}, "c": {9, 3, 3}}, "a"); n != 1 {
		t.Errorf("%d values, want 1", n)
	}
}

// The numerical model of QCN keeps the link full and the queue near its set point, and its senders
// become fair.
func TestQCNModel(t *testing.T) {
	m := newQCNModel(1, usualStep, []float64{0.9e9, 0.1e9})
	if at := m.run(); math.IsInf(at, 0) || at <= 0 {
		t.Errorf("fair after %v ns", at)
	}
	total, queue := 0.0, 0.0
	const steps = 20_000
	for range steps {
		m.step()
		total += m.senders[0].rate + m.senders[1].rate
		queue += m.queue
	}
	if rate := total / steps; math.Abs(rate-modelLine) > 0.02*modelLine {
		t.Errorf("the senders send %v bit/s", rate)
	}
	if q := queue / steps; q < setPoint/4 || q > 2*setPoint {
		t.Errorf("the queue is %v B on average", q)
	}
}
