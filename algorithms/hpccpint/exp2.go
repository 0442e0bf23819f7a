package hpccpint

import "math"

// exp2 returns 2^y bit for bit as math.Pow(2, y) does, for finite y, in less time: powers of
// a base that is itself a power of two need no multiplications.
func exp2(y float64) float64 {
	whole, part := math.Modf(math.Abs(y))
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
	return math.Ldexp(r, int(whole))
}
