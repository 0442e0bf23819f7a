package core

import (
	"math"
	"math/bits"
)

// Timing says how long a number of bytes occupies a link: the profile's arithmetic of time.
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
func NanosFromSeconds(x float64) Duration {
	const most = math.MaxInt64 / 1000 / 1e9 // seconds that fit
	switch {
	case !(x > 0):
		return 0
	case x >= most:
		return Duration(math.MaxInt64)
	}
	s := uint64(x)
	f := uint64((x - float64(s)) * (1 << 64)) // both operations are exact, and f is below 2^64
	hi, _ := bits.Mul64(f, 1e9)
	return Duration(s*1e9+hi) * Nanosecond
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
