package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps is how far a result is from the true value, in units of its last place.
func ulps(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	unit := math.Nextafter(math.Abs(nearest), math.Inf(1)) - math.Abs(nearest)
	d := new(big.Float).Sub(big.NewFloat(got).SetPrec(200), want)
	off, _ := d.Quo(d, big.NewFloat(unit)).Float64()
	return math.Abs(off)
}

// root returns 2^(i/128), by square roots.
func root(i int) *big.Float {
	r, s := big.NewFloat(1).SetPrec(200), big.NewFloat(2).SetPrec(200)
	for bit := 64; bit > 0; bit >>= 1 {
		s = new(big.Float).SetPrec(200).Sqrt(s)
		if i&bit != 0 {
			r.Mul(r, s)
		}
	}
	return r
}

var ln2, _ = new(big.Float).SetPrec(200).SetString("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863327")

// exp2 returns 2^y by the series of e^x.
func exp2(y float64) *big.Float {
	whole := math.Trunc(y)
	x := new(big.Float).SetPrec(200).Mul(big.NewFloat(y-whole), ln2)
	term, sum := big.NewFloat(1).SetPrec(200), big.NewFloat(1).SetPrec(200)
	for n := 1; n < 60; n++ {
		term.Mul(term, x).Quo(term, big.NewFloat(float64(n)))
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, int(whole))
}

// log2 returns the logarithm of x to base 2, by one step of Newton's method.
func log2(x float64) *big.Float {
	y := math.Log2(x)
	d := new(big.Float).Quo(big.NewFloat(x).SetPrec(200), exp2(y))
	d.Sub(d, big.NewFloat(1)).Quo(d, ln2)
	return d.Add(d, big.NewFloat(y))
}

func TestRoots(t *testing.T) {
	for i, got := range roots {
		if want, _ := root(i).Float64(); got != want {
			t.Errorf("root %d is %x, want %x", i, got, want)
		}
	}
}

func TestExp2(t *testing.T) {
	for k := -900; k <= 900; k += 7 {
		if got, want := Exp2(float64(k)), math.Ldexp(1, k); got != want {
			t.Errorf("2^%d = %v", k, got)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	worst := 0.0
	for range 5000 {
		y := (r.Float64() - 0.5) * 2 * []float64{1e-12, 1, 60, 900}[r.IntN(4)]
		worst = max(worst, ulps(Exp2(y), exp2(y)))
	}
	t.Logf("off by %.3f", worst)
	if worst > 1.02 {
		t.Errorf("off by %.2f units in the last place", worst)
	}
}

func TestLog(t *testing.T) {
	for k := -1000; k <= 1000; k++ {
		if got := Log2(math.Ldexp(1, k)); got != float64(k) {
			t.Errorf("log2 of 2^%d = %v", k, got)
		}
	}
	r := rand.New(rand.NewPCG(2, 2))
	natural, binary := 0.0, 0.0
	for range 5000 {
		x := math.Exp((r.Float64() - 0.5) * []float64{1e-4, 1, 60, 1300}[r.IntN(4)])
		want := log2(x)
		binary = max(binary, ulps(Log2(x), want))
		natural = max(natural, ulps(Log(x), want.Mul(want, ln2)))
	}
	t.Logf("off by %.3f and %.3f", natural, binary)
	if natural > 1 || binary > 2 {
		t.Errorf("off by %.2f units in the last place, to base 2 by %.2f", natural, binary)
	}
}

func TestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 5000 {
		x, n := 1+0.2*r.Float64(), r.Uint64N(3000)
		want := big.NewFloat(1).SetPrec(200)
		for range n {
			want.Mul(want, big.NewFloat(x))
		}
		if nearest, _ := want.Float64(); Power(x, n) != nearest {
			t.Errorf("%v^%d = %v, want %v", x, n, Power(x, n), nearest)
		}
	}
	if Power(0, 0) != 1 || Power(7, 1) != 7 || Power(0, 3) != 0 {
		t.Error("powers of 0 and 1")
	}
}

func TestCbrt(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 20000 {
		x := math.Ldexp(r.Float64()-0.5, r.IntN(600)-300)
		root := Cbrt(x)
		b := big.NewFloat(root).SetPrec(200)
		cube := new(big.Float).Mul(b, new(big.Float).Mul(b, b))
		off, _ := cube.Sub(cube, big.NewFloat(x)).Quo(cube, big.NewFloat(x)).Float64()
		if math.Abs(off) > 3*2.3e-16 {
			t.Errorf("cube of the root of %v is %v off", x, off)
		}
	}
	for _, x := range []float64{0, 1, 8, -27, 1e-300, 1 << 30} {
		if got := Cbrt(x); got != math.Cbrt(x) {
			t.Errorf("cube root of %v: %v", x, got)
		}
	}
}

func TestTanh(t *testing.T) {
	for x := -25.0; x < 25; x += 0.001 {
		if got := Tanh(x); math.Abs(got-math.Tanh(x)) > 1e-15 {
			t.Errorf("tanh %v = %v, want %v", x, got, math.Tanh(x))
		}
	}
	for _, x := range []float64{500, 1e300, math.Inf(1)} { // beyond what Exp2 takes
		if Tanh(x) != 1 || Tanh(-x) != -1 {
			t.Errorf("tanh %v = %v, of the negative %v", x, Tanh(x), Tanh(-x))
		}
	}
}

// The values that every processor must give, to the bit.
func TestSameEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	sum := uint64(0)
	for range 100000 {
		x := 1 + float64(100*r.Float64())
		for _, v := range []float64{Exp2(x - 50), Log(x), Log2(x), Power(1.05, uint64(x)), Cbrt(x), Tanh(x - 50)} {
			sum = sum*0x9e3779b97f4a7c15 + math.Float64bits(v)
		}
	}
	if want := uint64(0xce72c5f34c43a1fb); sum != want {
		t.Errorf("the sum of all bits is %#x, want %#x", sum, want)
	}
}

func BenchmarkExp2(b *testing.B) {
	x := 0.0
	for i := range b.N {
		x += Exp2(float64(i&1023) * 0.01)
	}
	_ = x
}
