package core

import (
	"math"
	"math/bits"
)

// Timing says how long a number of bytes occupies a link, and what a duration or a rate that is written with
// a fraction is: the profile's arithmetic.
type Timing uint8

const (
	// Exact computes in whole picoseconds, rounded up.
	Exact Timing = iota
	// FixedPointNanos computes as NS-3 does: seconds as a double, then whole
	// nanoseconds through 64.64 fixed point, truncating (an exact result often loses 1 ns).
	FixedPointNanos
)

// TxTime returns how long n bytes take at rate r > 0.
func (tm Timing) TxTime(n Bytes, r Rate) Duration {
	if tm == Exact {
		return exactTxTime(n, r)
	}
	return NanosFromSeconds(float64(n) * 8 / float64(r))
}

func exactTxTime(n Bytes, r Rate) Duration {
	hi, lo := bits.Mul64(uint64(n), 8*uint64(Second))
	lo, carry := bits.Add64(lo, uint64(r)-1, 0)
	hi += carry
	if hi >= uint64(r) {
		return Duration(math.MaxInt64)
	}
	q, _ := bits.Div64(hi, lo, uint64(r))
	if q > math.MaxInt64 {
		return Duration(math.MaxInt64)
	}
	return Duration(q)
}

// NanosFromSeconds converts seconds to whole nanoseconds through 64.64 fixed point,
// truncating, as NS-3's Seconds(double) does. Negative and absurd values saturate.
func NanosFromSeconds(x float64) Duration { return fixedPoint(x, 1e9) }

// NanosFromMicros is NanosFromSeconds of a number of microseconds.
func NanosFromMicros(x float64) Duration { return fixedPoint(x, 1e3) }

// fixedPoint is x units of so many nanoseconds.
func fixedPoint(x float64, unit uint64) Duration {
	most := math.MaxInt64 / 1000 / unit // units that fit
	switch {
	case !(x > 0):
		return 0
	case x >= float64(most):
		return Duration(math.MaxInt64)
	}
	s := uint64(x)
	f := uint64((x - float64(s)) * (1 << 64)) // both operations are exact, and f is below 2^64
	hi, _ := bits.Mul64(f, unit)
	return Duration(s*unit+hi) * Nanosecond
}

// Cut returns d as the clock counts it: in NS-3's arithmetic in whole nanoseconds.
func (tm Timing) Cut(d Duration) Duration {
	if tm == Exact {
		return d
	}
	return d - d%Nanosecond
}

// ParseDuration is [ParseDuration] in the profile's arithmetic of time: NS-3 converts a number of units
// like one of seconds, so 1.2us is 1199 ns.
func (tm Timing) ParseDuration(s string) (Duration, error) {
	d, err := ParseDuration(s)
	if tm == Exact || err != nil || d <= 0 {
		return d, err
	}
	if _, size, v, err := splitQuantity(s, "duration", timeUnits, 0); err == nil && size >= float64(Nanosecond) {
		return fixedPoint(v, uint64(size)/uint64(Nanosecond)), nil
	}
	return tm.Cut(d), nil
}

// ParseRate is [ParseRate] in the profile's arithmetic: NS-3 truncates the product of two doubles, so
// 4.1Gbps is 4099999999 bit/s, and takes every bare number for bit/s.
func (tm Timing) ParseRate(s string) (Rate, error) {
	if tm == Exact {
		return ParseRate(s)
	}
	r, err := parseRate(s)
	if err != nil || r < 0 {
		return r, err
	}
	_, size, v, err := splitQuantity(s, "rate", rateUnits, 1)
	return RateOf(v * size), err
}

// TxCache remembers the transmission times of the last few packet sizes of one port.
type TxCache struct {
	size   [4]int32
	time   [4]Duration
	rate   Rate
	timing Timing
}

// NewTxCache returns a cache for a port of the given rate.
func NewTxCache(tm Timing, r Rate) TxCache { return TxCache{timing: tm, rate: r} }

// Rate returns the rate of the port.
func (c *TxCache) Rate() Rate { return c.rate }

// TxTime returns how long n bytes occupy the port.
func (c *TxCache) TxTime(n int32) Duration {
	if i := n >> 2 & 3; c.size[i] == n {
		return c.time[i]
	}
	return c.fill(n)
}

func (c *TxCache) fill(n int32) Duration {
	i := n >> 2 & 3
	c.size[i], c.time[i] = n, c.timing.TxTime(Bytes(n), c.rate)
	return c.time[i]
}

// Scale returns r*x truncated to whole bit/s, computed in double precision.
func (r Rate) Scale(x float64) Rate { return RateOf(float64(r) * x) }

// Over returns r/x truncated to whole bit/s, computed in double precision.
func (r Rate) Over(x float64) Rate { return RateOf(float64(r) / x) }

// RateOf truncates x to a Rate. A value that no unsigned 64-bit integer holds gives 0 and
// NaN gives the largest rate, as the conversion to uint64 does on amd64, for the sake of
// profiles that must agree with programs compiled there.
func RateOf(x float64) Rate {
	switch {
	case x != x:
		return math.MaxInt64
	case x >= 1<<64:
		return 0
	case x >= 1<<63:
		return math.MaxInt64
	case x < 0:
		return 0
	}
	return Rate(x)
}
