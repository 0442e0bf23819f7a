package results

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/figure"
)

// The quantiles agree with published tables of Student's distribution.
func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 10: 2.228, 29: 2.045, 30: 2.042, 120: 1.980, 100_000: 1.960} {
		if got := studentT95(freedom); math.Abs(got-want) > 0.0006 {
			t.Errorf("%d degrees of freedom: %.4f, want %.3f", freedom, got, want)
		}
	}
}

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		values     []float64
		mean, half float64
	}{
		{nil, 0, 0},
		{[]float64{7}, 7, 0},
		{[]float64{3, 3, 3}, 3, 0},
		{[]float64{1, 2, 3, 4, 5}, 3, 2.7764451 * math.Sqrt(2.5/5)},
	} {
		e := NewEstimate(c.values)
		if e.Mean != c.mean || !(math.Abs(e.Half-c.half) <= 1e-6) || e.N != len(c.values) {
			t.Errorf("%v: got %+v, want %v ± %v", c.values, e, c.mean, c.half)
		}
	}
}

// Seeds without values do not count.
func TestPercentiles(t *testing.T) {
	for _, e := range percentiles([][]float64{nil, {4}, {}, {8}}) {
		if e.Mean != 6 || e.N != 2 {
			t.Errorf("got %+v, want the mean of 4 and 8", e)
		}
	}
}

// An interval is cut at the floor, but not above the mean; one seed has none, beside points that have some or without.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		e         Estimate
		low, high figure.Num
	}{
		{Estimate{3, 1, 2}, 2, 4},
		{Estimate{1.5, 1, 3}, 1, 2.5},
		{Estimate{0.5, 0.25, 2}, 0.5, 0.75},
		{Estimate{3, 0, 2}, 3, 3}, // two seeds that agree
	} {
		one := NewEstimate([]float64{5})
		var with, without figure.Series
		one.add(&without, 6, 1)
		one.add(&with, 6, 1)
		c.e.add(&with, 7, 1)
		one.add(&with, 8, 1)
		if with.X[1] != 7 || with.Y[1] != figure.Num(c.e.Mean) || with.Low[1] != c.low || with.High[1] != c.high {
			t.Errorf("%+v: got %+v, want %v to %v", c.e, with, c.low, c.high)
		}
		text, err := json.Marshal(with)
		if want := fmt.Sprintf(`"x":[6,7,8],"y":[5,%v,5],"low":[null,%v,null],"high":[null,%v,null]}`, c.e.Mean, c.low, c.high); err != nil || !strings.HasSuffix(string(text), want) {
			t.Errorf("%+v between single seeds: got %s, %v, want %s", c.e, text, err, want)
		}
		if without.Y[0] != 5 || without.Low != nil || without.High != nil {
			t.Errorf("one seed: got %+v", without)
		}
	}
}
