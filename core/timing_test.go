package core

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Transmission times that NS-3 was observed to compute, in nanoseconds.
func TestFixedPointNanos(t *testing.T) {
	cases := []struct {
		rate  Rate
		bytes Bytes
		nanos int64
	}{
		{100 * Gbps, 1000, 79}, {100 * Gbps, 1048, 83}, {100 * Gbps, 1090, 87}, {100 * Gbps, 1125, 89},
		{100 * Gbps, 60, 4}, {100 * Gbps, 88, 7},
		{400 * Gbps, 1048, 20}, {400 * Gbps, 1000, 19}, {400 * Gbps, 60, 1},
		{25 * Gbps, 1048, 335}, {25 * Gbps, 60, 19},
		{Gbps, 1048, 8383}, {Gbps, 1000, 7999},
	}
	for _, c := range cases {
		if got := FixedPointNanos.TxTime(c.bytes, c.rate); got != Duration(c.nanos)*Nanosecond {
			t.Errorf("%d bytes at %v: got %v, want %d ns", c.bytes, c.rate, got, c.nanos)
		}
	}
}

// The conversion is floor(10^9 * trunc(2^64*frac(x)) / 2^64) + 10^9*floor(x).
func TestNanosFromSecondsAgainstBig(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		x := math.Ldexp(rng.Float64(), rng.IntN(60)-40)
		whole := math.Floor(x)
		f := new(big.Float).SetPrec(200).SetMantExp(big.NewFloat(x-whole), 64)
		n, _ := f.Int(nil)
		n.Mul(n, big.NewInt(1e9)).Rsh(n, 64)
		n.Add(n, new(big.Int).Mul(big.NewInt(int64(whole)), big.NewInt(1e9)))
		if got := NanosFromSeconds(x); got != Duration(n.Int64())*Nanosecond {
			t.Fatalf("%v s: got %v, want %v ns", x, got, n)
		}
	}
	for x, want := range map[float64]Duration{
		0: 0, -1: 0, math.Inf(-1): 0, 1e300: math.MaxInt64, math.Inf(1): math.MaxInt64, 9.3e6: math.MaxInt64, 9.2e6: 9.2e6 * Second,
	} {
		if got := NanosFromSeconds(x); got != want {
			t.Errorf("%v s: got %d, want %d", x, got, want)
		}
	}
	if got := NanosFromSeconds(math.NaN()); got != 0 {
		t.Errorf("NaN: got %v", got)
	}
}

// In NS-3's arithmetic, quantities with a fraction lose what its doubles cannot hold: durations by 64.64 fixed point,
// rates by the product of two doubles, both truncated. Exact timing keeps them as written.
func TestQuantitiesOfTiming(t *testing.T) {
	for _, c := range []struct {
		text         string
		fixed, exact Duration
	}{
		{"1000ns", 1000 * Nanosecond, Microsecond}, {"0.001ms", 1000 * Nanosecond, Microsecond}, {"1us", 1000 * Nanosecond, Microsecond},
		{"1.5us", 1500 * Nanosecond, 1500 * Nanosecond}, {"1.2us", 1199 * Nanosecond, 1200 * Nanosecond},
		{"0.0012ms", 1199 * Nanosecond, 1200 * Nanosecond}, {"0.009ms", 8999 * Nanosecond, 9 * Microsecond},
		{"0.0000012s", 1199 * Nanosecond, 1200 * Nanosecond}, {"1.7ns", Nanosecond, 1700}, {"2500ps", 2 * Nanosecond, 2500}, {"0", 0, 0},
	} {
		fixed, err1 := FixedPointNanos.ParseDuration(c.text)
		exact, err2 := Exact.ParseDuration(c.text)
		if err1 != nil || err2 != nil || fixed != c.fixed || exact != c.exact {
			t.Errorf("%s: got %v, %v and exactly %v, %v, want %v and %v", c.text, fixed, err1, exact, err2, c.fixed, c.exact)
		}
	}
	for text, want := range map[string]Rate{
		"100Gbps": 100 * Gbps, "2.5Gbps": 2_500_000_000, "4.1Gbps": 4_099_999_999, "1.001Gbps": 1_000_999_999, "4.1Mb/s": 4_099_999,
		"50.5Mbps": 50_500_000, "25000000001": 25_000_000_001, "0.3bps": 0, "40": 40, "-1Mb/s": -1_000_000,
	} {
		if got, err := FixedPointNanos.ParseRate(text); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, int64(got), err, int64(want))
		}
	}
	if got, err := Exact.ParseRate("4.1Gbps"); err != nil || got != 4100*Mbps {
		t.Errorf("4.1Gbps exactly: got %d, %v", int64(got), err)
	}
	if _, err := Exact.ParseRate("40"); err == nil {
		t.Error("exactly, 40 is a rate")
	}
	if exact, fixed := Exact.Cut(1999), FixedPointNanos.Cut(1999); exact != 1999 || fixed != 1000 {
		t.Errorf("1999 ps are %v exactly and %v in whole nanoseconds", exact, fixed)
	}
	for _, tm := range []Timing{Exact, FixedPointNanos} {
		if _, err := tm.ParseDuration("5"); err == nil {
			t.Errorf("timing %d: a duration without a unit passes", tm)
		}
		if _, err := tm.ParseRate("1e30Tbps"); err == nil {
			t.Errorf("timing %d: a rate out of range passes", tm)
		}
	}
}

// Exact times are the quotient rounded up, at any size, and they saturate.
func TestExactAgainstBig(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	check := func(n Bytes, r Rate) {
		t.Helper()
		q := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(8*int64(Second)))
		q.Add(q, big.NewInt(int64(r)-1)).Div(q, big.NewInt(int64(r)))
		want := Duration(math.MaxInt64)
		if q.IsInt64() {
			want = Duration(q.Int64())
		}
		if got := Exact.TxTime(n, r); got != want {
			t.Errorf("%d bytes at %d bit/s: got %d, want %d", n, r, got, want)
		}
	}
	for _, n := range []Bytes{0, 1, 60, 1048, 1 << 40, math.MaxInt64} {
		for _, r := range []Rate{1, 3, 10 * Mbps, 100 * Gbps, 1600 * Gbps, math.MaxInt64} {
			check(n, r)
		}
	}
	for range 20000 {
		check(Bytes(rng.Int64()>>rng.IntN(63)), Rate(1+rng.Int64()>>(1+rng.IntN(61))))
	}
	if got := Exact.TxTime(1048, 100*Gbps); got != 83_840 {
		t.Errorf("1048 bytes at 100 Gb/s: got %v, want 83.84 ns", got)
	}
}

func TestTxCacheIsTxTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, tm := range []Timing{Exact, FixedPointNanos} {
		for _, r := range []Rate{10 * Mbps, 40*Gbps + 7, 400 * Gbps} {
			c := NewTxCache(tm, r)
			for range 20000 {
				n := []int32{0, 1, 60, 64, 1048, 1090, rng.Int32N(9000), rng.Int32()}[rng.IntN(8)]
				if got, want := c.TxTime(n), tm.TxTime(Bytes(n), r); got != want {
					t.Fatalf("timing %d, %v, %d bytes: got %v, want %v", tm, r, n, got, want)
				}
			}
		}
	}
}

func TestRateOf(t *testing.T) {
	for x, want := range map[float64]Rate{
		0: 0, 0.99: 0, 1.5: 1, 99_999_999_999.9: 99_999_999_999, -1: 0, -0.5: 0, math.Inf(-1): 0,
		1 << 62: 1 << 62, 1 << 63: math.MaxInt64, math.Nextafter(1<<64, 0): math.MaxInt64, 1 << 64: 0, math.Inf(1): 0,
	} {
		if got := RateOf(x); got != want {
			t.Errorf("%v: got %d, want %d", x, int64(got), int64(want))
		}
	}
	if got := RateOf(math.NaN()); got != math.MaxInt64 {
		t.Errorf("NaN: got %d", int64(got))
	}
	if got := (100 * Gbps).Scale(0.3333333333333333); got != 33_333_333_333 {
		t.Errorf("a third of 100 Gb/s: got %d", int64(got))
	}
	if got := (100 * Gbps).Over(1.05); got != 95_238_095_238 {
		t.Errorf("100 Gb/s over 1.05: got %d", int64(got))
	}
}
