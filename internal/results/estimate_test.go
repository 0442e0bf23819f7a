package results

import (
	"math"
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

// An interval is cut at the floor, but not above the mean; none is drawn unless asked for.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		e         Estimate
		low, high figure.Num
	}{
		{Estimate{Mean: 3, Half: 1}, 2, 4},
		{Estimate{Mean: 1.5, Half: 1}, 1, 2.5},
		{Estimate{Mean: 0.5, Half: 0.25}, 0.5, 0.75},
	} {
		var with, without figure.Series
		c.e.add(&with, 7, 1, true)
		c.e.add(&without, 7, 1, false)
		if with.X[0] != 7 || with.Y[0] != figure.Num(c.e.Mean) || with.Low[0] != c.low || with.High[0] != c.high {
			t.Errorf("%+v: got %+v, want %v to %v", c.e, with, c.low, c.high)
		}
		if without.Y[0] != figure.Num(c.e.Mean) || without.Low != nil || without.High != nil {
			t.Errorf("%+v without its interval: got %+v", c.e, without)
		}
	}
}
