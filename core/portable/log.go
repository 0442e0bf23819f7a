package portable

import "math"

// Log returns the natural logarithm of a positive number.
func Log(x float64) float64 {
	const (
		high = 0x1.62e42fef8p-1 // ln 2, of which 33 bits are here: its products with exponents are exact
		low  = math.Ln2 - 0x1.62e42fef8p-1
	)
	f, exponent := mantissa(x)
	k := float64(exponent)
	half, rest := series(f)
	return float64(k*high) + (f - (half - (rest + float64(k*low))))
}

// Log2 returns the logarithm to base 2 of a positive number. It is exact for powers of 2.
func Log2(x float64) float64 {
	f, exponent := mantissa(x)
	half, rest := series(f)
	return float64(exponent) + float64((f-(half-rest))*math.Log2E)
}

// mantissa returns f and k with x = (1+f) 2^k, 1+f being between the roots of 1/2 and 2.
func mantissa(x float64) (f float64, k int) {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	return m - 1, k
}

// series returns the two parts of log(1+f) = f - (half - rest), half being f²/2. With s = f/(2+f),
// log(1+f) is 2s (1 + s²/3 + s⁴/5 + ...), and 2s is f - s f, which is f - half + s half.
func series(f float64) (half, rest float64) {
	s := f / (2 + f)
	s2 := s * s // at most 0.0295: ten terms are enough
	sum := 0.0
	for n := 10; n > 0; n-- {
		sum = float64(s2 * (2/float64(2*n+1) + sum))
	}
	half = float64(0.5 * f * f)
	return half, float64(s * (half + sum))
}
