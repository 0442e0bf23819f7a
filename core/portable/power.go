package portable

import "math"

// Power returns x^n, for results that are neither above 1e300 nor below 1e-270. It is nearly always
// the nearest number to the true power.
func Power(x float64, n uint64) float64 {
	result, square := double{1, 0}, double{x, 0}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = result.times(square)
		}
		if n > 1 {
			square = square.times(square)
		}
	}
	return result.high
}

// double is the sum of two numbers, of which the second is what the first has lost to rounding.
type double struct{ high, low float64 }

func (a double) times(b double) double {
	p := float64(a.high * b.high)
	lost := math.FMA(a.high, b.high, -p) + (float64(a.high*b.low) + float64(a.low*b.high))
	high := p + lost
	return double{high, lost - (high - p)}
}

// Cbrt returns the cube root of x.
func Cbrt(x float64) float64 {
	if x == 0 {
		return x
	}
	m, e := math.Frexp(math.Abs(x))
	for e%3 != 0 {
		m, e = m/2, e+1
	}
	root := 0.5 + float64(0.5*m) // of m, at least 1/8 and below 1: at most 0.07 off
	for range 5 {
		root -= (root - m/(root*root)) / 3 // Newton's method, which squares the error
	}
	return math.Copysign(math.Ldexp(root, e/3), x)
}
