package hpccpint

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exp2 and math.Pow agree to the last bit on the exponents that logarithms of the marker
// can add up to, and beyond.
func TestExp2EqualsPow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300_000 {
		y := (r.Float64() - 0.5) * 1999
		if r.IntN(2) == 0 {
			y = math.Trunc(y*logUnit) / logUnit
		}
		if got, want := exp2(y), math.Pow(2, y); got != want {
			t.Fatalf("exp2(%v) = %v, want %v", y, got, want)
		}
	}
}
