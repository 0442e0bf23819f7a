package results

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/slowdown"
)

// Estimate is a mean over seeds.
type Estimate struct {
	Mean float64
	// Half is half the width of the mean's 95 % confidence interval, by Student's t for independent
	// runs; 0 for fewer than two, which have no interval.
	Half float64
	N    int // seeds
}

// NewEstimate returns the estimate of some values, one of each seed.
func NewEstimate(values []float64) Estimate {
	n := len(values)
	if n == 0 {
		return Estimate{}
	}
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(n)
	if n == 1 {
		return Estimate{mean, 0, 1}
	}
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	return Estimate{mean, float64(studentT95(n-1) * math.Sqrt(squares/float64(n-1)/float64(n))), n}
}

// add appends a point for a quantity that is never below a floor, with its interval if there is one.
func (e *Estimate) add(s *figure.Series, x, floor float64) {
	if e.N > 1 {
		s.AddBand(x, e.Mean, e.low(floor), e.Mean+e.Half)
	} else {
		s.Add(x, e.Mean)
	}
}

// low is the lower end of the interval, for a quantity that is never below a floor.
func (e *Estimate) low(floor float64) float64 { return min(e.Mean, max(e.Mean-e.Half, floor)) }

// percentiles estimates the percentiles of slowdowns from those of every seed that has some.
func percentiles(seeds [][]float64) [len(slowdown.Percentiles)]Estimate {
	var of [len(slowdown.Percentiles)][]float64
	for _, values := range seeds {
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		for i, p := range slowdown.Percentiles {
			of[i] = append(of[i], slowdown.Percentile(values, p))
		}
	}
	var all [len(slowdown.Percentiles)]Estimate
	for i := range all {
		all[i] = NewEstimate(of[i])
	}
	return all
}

// studentT95 returns the t that a variable of Student's distribution with the given degrees of freedom exceeds in
// absolute value with probability 0.05: to 1e-8, so that all processors agree, although their elementary functions
// differ in the last bits.
func studentT95(freedom int) float64 {
	low, high := 0.0, 13.0 // 12.7 with one degree
	for range 30 {
		if t := (low + high) / 2; studentWithin(t, freedom) < 0.95 {
			low = t
		} else {
			high = t
		}
	}
	return high
}

// studentWithin is the probability that Student's variable lies between -t and t (Abramowitz and
// Stegun, 26.7.3 and 26.7.4).
func studentWithin(t float64, freedom int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(theta)
	first := 1 - freedom%2 // 1 for even degrees: 1 + cos²/2 + ...; 0 for odd ones: cos + 2/3 cos³ + ...
	term, sum := math.Pow(cos, float64(1-first)), 0.0
	for k := 2 - first; k <= freedom-1; k += 2 {
		sum += term
		term *= float64(cos * cos * float64(k) / float64(k+1))
	}
	if first == 1 {
		return sin * sum
	}
	return 2 / math.Pi * (theta + float64(sin*sum))
}
