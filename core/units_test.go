package core

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// A quantity that is written and read again is the same, whatever its size.
func TestQuantitiesReadBack(t *testing.T) {
	check := func(v int64) {
		t.Helper()
		if got, err := ParseDuration(Duration(v).String()); err != nil || got != Duration(v) {
			t.Errorf("duration %d is written %v and read as %d, %v", v, Duration(v), got, err)
		}
		if got, err := ParseRate(Rate(v).String()); err != nil || got != Rate(v) {
			t.Errorf("rate %d is written %v and read as %d, %v", v, Rate(v), got, err)
		}
		if got, err := ParseBytes(Bytes(v).String()); err != nil || got != Bytes(v) {
			t.Errorf("size %d is written %v and read as %d, %v", v, Bytes(v), got, err)
		}
	}
	for _, v := range []int64{0, 1, 999, 1000, 1001, 1 << 53, 1<<53 + 1, 9_000_000e12, math.MaxInt64 - 1, -1, -1500} {
		check(v)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		v := rng.Int64() >> rng.IntN(63)
		for range rng.IntN(4) {
			if v < math.MaxInt64/1000 {
				v *= 1000
			}
		}
		check(min(v, math.MaxInt64-1))
	}
}

func FuzzParseQuantities(f *testing.F) {
	for _, s := range []string{"5us", "1.5ms", "-2s", "100Gbps", "12.5GB/s", "64MiB", "1e400", "0x10", "", "9223372036854775807ps", "never", "1 ns", "0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDuration(s); err == nil {
			if again, err := ParseDuration(d.String()); err != nil || again != d {
				t.Errorf("%q is %d, written %v, read as %d, %v", s, d, d, again, err)
			}
		}
		if r, err := ParseRate(s); err == nil {
			if again, err := ParseRate(r.String()); err != nil || again != r {
				t.Errorf("%q is %d, written %v, read as %d, %v", s, r, r, again, err)
			}
		}
		if b, err := ParseBytes(s); err == nil && b != Unlimited {
			if again, err := ParseBytes(b.String()); err != nil || again != b {
				t.Errorf("%q is %d, written %v, read as %d, %v", s, b, b, again, err)
			}
		}
	})
}

func TestParse(t *testing.T) {
	durations := map[string]Duration{
		"0": 0, "0s": 0, "5us": 5 * Microsecond, " 1.5 ms ": 1500 * Microsecond, "2s": 2 * Second, "3ps": 3,
		"0.0001ns": 0, "1min": 60 * Second, "2h": 7200 * Second, "-1ns": -Nanosecond, "1e3ns": Microsecond,
	}
	for s, want := range durations {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", s, got, err, want)
		}
	}
	rates := map[string]Rate{
		"100Gbps": 100 * Gbps, "40Mb/s": 40 * Mbps, "12.5GB/s": 100 * Gbps, "0.2TB/s": 1600 * Gbps, "100G": 100 * Gbps, "1.6Tbps": 1600 * Gbps,
		"10Mbps": 10 * Mbps, "0": 0, "40bps": 40, "1000": Kbps, "1e3": Kbps, "25000000000": 25 * Gbps, "1kbps": Kbps, "8B/s": 64,
		"12.5GBps": 100 * Gbps, "3MBps": 24 * Mbps, "3KBps": 24 * Kbps, "3kBps": 24 * Kbps, "3Bps": 24, "3kB/s": 24 * Kbps,
		"3Kib/s": 3072, "3Mib/s": 3145728, "3Gib/s": 3221225472, "3KiB/s": 24576, "3MiB/s": 25165824, "3GiB/s": 25769803776,
	}
	for s, want := range rates {
		if got, err := ParseRate(s); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", s, got, err, want)
		}
	}
	sizes := map[string]Bytes{
		"300KB": 300_000, "64MiB": 64 << 20, "1.5GB": 1_500_000_000, "7": 7, "4KiB": 4096, "2k": 2000, "9B": 9, "1GiB": 1 << 30, "1.5TB": 1_500_000_000_000, "2TiB": 2 << 40, "1T": 1e12,
		"1000.0": 1000, "1e3": 1000, "1.5KB": 1500, "0.1MiB": 104858,
	}
	for s, want := range sizes {
		if got, err := ParseBytes(s); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", s, got, err, want)
		}
	}
}

// SI's prefixes are powers of 1000, and K may be written small; a byte has 8 bits.
func TestPrefixes(t *testing.T) {
	for i, prefix := range []string{"k", "K", "M", "G", "T"} {
		size := int64(math.Pow10(3 * max(1, i)))
		for unit, bits := range map[string]int64{"": 1, "bps": 1, "b/s": 1, "Bps": 8, "B/s": 8} {
			if got, err := ParseRate("3" + prefix + unit); err != nil || got != Rate(3*bits*size) {
				t.Errorf("3%s%s: got %v, %v", prefix, unit, got, err)
			}
		}
		for _, unit := range []string{"", "B"} {
			if got, err := ParseBytes("3" + prefix + unit); err != nil || got != Bytes(3*size) {
				t.Errorf("3%s%s: got %v, %v", prefix, unit, got, err)
			}
		}
	}
}

// Numbers are decimal: not all that Go takes for one.
func TestParseFloat(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "1.5": 1.5, "+.5": 0.5, "-1e3": -1000, "2E-1": 0.2, "inf": math.Inf(1), "-Infinity": math.Inf(-1)} {
		if got, err := ParseFloat(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "0x10", "0x1p4", "-0X1P-20", "1_000", "0x_1p4", "1e1_0", "1,5"} {
		_, err := ParseFloat(text)
		if wrong, ok := errors.AsType[*strconv.NumError](err); !ok || wrong.Err != strconv.ErrSyntax || wrong.Num != text {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ParseFloat("1e400"); !errors.Is(err, strconv.ErrRange) {
		t.Errorf("1e400: %v", err)
	}
}

// An error names the mistake and what would be right.
func TestParseErrors(t *testing.T) {
	cases := []struct {
		text, want string
		parse      func(string) error
	}{
		{"5", "has no unit", durationError},
		{"five us", "is not a duration", durationError},
		{"", "is not a duration", durationError},
		{"NaNs", "is not a duration", durationError},
		{"infs", "is not a duration", durationError},
		{"0x1p4us", "is not a duration", durationError},
		{"1_000us", "is not a duration", durationError},
		{"0X1p4Gbps", "is not a rate", rateError},
		{"0x1p4", "is not a size", bytesError},
		{"9223372036854775808ps", "out of range", durationError},
		{"1e300h", "out of range", durationError},
		{"3000h", "out of range", durationError}, {"-3000h", "out of range", durationError},
		{"fastGbps", "is not a rate", rateError},
		{"40", `"40" has no unit; write a rate such as 40Gbps, or 40bps if that is meant`, rateError}, {" 0.5", `"0.5" has no unit`, rateError}, {"999.9", "has no unit", rateError},
		{"1e30Tbps", "out of range", rateError},
		{"KB", "is not a size", bytesError},
		{"1000.5", "is not a whole number of bytes", bytesError}, {"0.5 B", "is not a whole number of bytes", bytesError}, {"1e-3", "is not a whole number of bytes", bytesError},
		{"10000000PB", "is not a size", bytesError},
		{"9223372037GB", "out of range", bytesError}, {"10000000TB", "out of range", bytesError},
	}
	for _, c := range cases {
		err := c.parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got error %v, want one with %q", c.text, err, c.want)
		}
	}
}

func durationError(s string) error { _, err := ParseDuration(s); return err }
func rateError(s string) error     { _, err := ParseRate(s); return err }
func bytesError(s string) error    { _, err := ParseBytes(s); return err }

func TestNever(t *testing.T) {
	if Never.Add(Second) != Never {
		t.Errorf("Never + 1 s = %v", Never.Add(Second))
	}
	if got := (Never - 5).Add(6); got != Never {
		t.Errorf("1 ps after the last instant: %v", got)
	}
	if got := Time(7).Add(-8); got != -1 {
		t.Errorf("7 ps - 8 ps = %v", got)
	}
	if Time(7).Add(0) != 7 || Never.Add(0) != Never {
		t.Errorf("7 ps + 0 = %v, Never + 0 = %v", Time(7).Add(0), Never.Add(0))
	}
	if Never.Add(-Second) != Never || (Never-5).Add(4) != Never-1 {
		t.Errorf("Never - 1 s = %v, Never - 5 ps + 4 ps = %v", Never.Add(-Second), (Never - 5).Add(4))
	}
	if Never.String() != "never" || Unlimited.String() != "unlimited" {
		t.Errorf("written %v and %v", Never, Unlimited)
	}
	if got := AtNanos(7).Add(500 * Picosecond); got != 7500 || got.Nanos() != 7 || got.Sub(AtNanos(7)) != 500 || got.String() != "7500ps" {
		t.Errorf("7.5 ns: %d ps, %d ns, %v", got, got.Nanos(), got)
	}
}

func TestBytesIn(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		time Duration
		want Bytes
	}{
		{100 * Gbps, Microsecond, 12_500},
		{100 * Gbps, 80 * Picosecond, 1},
		{100 * Gbps, 80*Picosecond - 1, 0},
		{100 * Gbps, 100 * Millisecond, 1_250_000_000}, // the product is above 2^63
		{math.MaxInt64, Second, math.MaxInt64 / 8},
		{math.MaxInt64, math.MaxInt64, Unlimited},
		{Gbps, 0, 0},
	} {
		if got := c.rate.BytesIn(c.time); got != c.want {
			t.Errorf("%v in %v: %v, want %v", c.rate, c.time, got, c.want)
		}
	}
	if got := Rate(1 << 62).BytesIn(4 * 8 * Second); got != Unlimited { // 2^64 bytes, the first product that has no quotient
		t.Errorf("2^64 bytes: %v", got)
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want Bytes
	}{
		{0, 0}, {1.99, 1}, {-1.99, -1}, {1 << 62, 1 << 62}, {math.Nextafter(1<<63, 0), 1<<63 - 1024},
		{1 << 63, Unlimited}, {1e300, Unlimited}, {math.Inf(1), Unlimited}, {math.NaN(), Unlimited},
	} {
		if got := Truncate[Bytes](c.x); got != c.want {
			t.Errorf("%v: %d, want %d", c.x, got, c.want)
		}
	}
}
