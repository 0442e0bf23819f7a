package hpccpint

import "math"

// exp2 returns 2^y bit for bit as math.Pow(2, y) does, for |y| < 1000, in less time: powers of a base
// that is itself a power of two need no multiplications.
func exp2(y float64) float64 {
	size := math.Abs(y)
	whole := int(size)
	part := size - float64(whole)
	if part > 0.5 {
		part--
		whole++
	}
	r := 1.0
	if part != 0 {
		r = math.Exp(part * math.Ln2)
	}
	if y < 0 {
		r, whole = 1/r, -whole
	}
	return r * math.Float64frombits(uint64(1023+whole)<<52) // exact
}
