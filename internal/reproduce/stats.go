package reproduce

// Products that are added are rounded first, float64(v*v): processors that fuse the two operations would give other
// digits.

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/internal/slowdown"
)

// jain is the fairness index of Jain, Chiu and Hawe (1984): 1 for equal shares, 1/n if one has all.
func jain(x []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum, squares = sum+v, squares+float64(v*v)
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(x)) * squares)
}

// mean returns the mean, 0 for no values.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(max(1, len(x)))
}

// deviation is the standard deviation.
func deviation(x []float64) float64 {
	m, squares := mean(x), 0.0
	for _, v := range x {
		squares += float64((v - m) * (v - m))
	}
	return math.Sqrt(squares / float64(max(1, len(x))))
}

// most returns the maximum, 0 for no values.
func most(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x)
}

// percentile uses the nearest rank; 0 for no values.
func percentile(x []float64, p float64) float64 {
	return slowdown.Percentile(slices.Sorted(slices.Values(x)), p)
}

// slope is the slope of the least-squares line through the points.
func slope(x, y []float64) float64 {
	mx, my, sxx, sxy := mean(x), mean(y), 0.0, 0.0
	for i := range x {
		sxx += float64((x[i] - mx) * (x[i] - mx))
		sxy += float64((x[i] - mx) * (y[i] - my))
	}
	return sxy / sxx
}

// lasts returns the first x at which y is at least as large as bound, n times in a row from there on;
// infinite if it never is.
func lasts(x, y []float64, bound float64, n int) float64 {
	run := 0
	for i := range y {
		if run++; y[i] < bound {
			run = 0
		}
		if run == n {
			return x[i-n+1]
		}
	}
	return math.Inf(1)
}

func lastHalf(x []float64) []float64 { return x[len(x)/2:] }

// Shares are fair from this index on, over windows of fairWindow milliseconds, lasting of them in a
// row.
const fairEnough, fairWindow, lasting = 0.95, 10, 10

// fairnessOver returns the fairness of the sums over n values at a time, and the ends of these
// periods.
func fairnessOver(x []float64, rates [][]float64, n int) (times, fair []float64) {
	for i := n; i <= len(x); i += n {
		var sums []float64
		for _, y := range rates {
			sums = append(sums, mean(y[i-n:i]))
		}
		times, fair = append(times, x[i-1]), append(fair, jain(sums))
	}
	return times, fair
}

// notBelow counts the bins in which a scheme is not below all of the others.
func notBelow(values map[string][]float64, scheme string, others []string, from, to int) (n int) {
	for i := from; i < min(to, len(values[scheme])); i++ {
		if slices.ContainsFunc(others, func(o string) bool { return i < len(values[o]) && values[scheme][i] >= values[o][i] }) {
			n++
		}
	}
	return n
}
