package core

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Time is an instant, in picoseconds since the start of the run.
type Time int64

// Duration is a span of time in picoseconds.
type Duration int64

// Rate is a transmission rate in bit/s.
type Rate int64

// Bytes counts octets.
type Bytes int64

// NodeID numbers the nodes of a topology from 0.
type NodeID int32

const (
	// Never is the deadline of a timer that is not armed. Time 0 is a valid instant.
	Never Time = math.MaxInt64
	// Unlimited is the window of a flow that has none.
	Unlimited Bytes = math.MaxInt64
)

// Spans of time.
const (
	Picosecond  Duration = 1
	Nanosecond           = 1000 * Picosecond
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Rates.
const (
	BitPerSecond Rate = 1
	Kbps              = 1000 * BitPerSecond
	Mbps              = 1000 * Kbps
	Gbps              = 1000 * Mbps
	Tbps              = 1000 * Gbps
)

// Add returns t+d, or Never if that is later than all instants. Adding to Never gives Never.
func (t Time) Add(d Duration) Time {
	if sum := t + Time(d); t != Never && sum >= t == (d >= 0) {
		return sum
	}
	return Never
}

// Sub returns t-u.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// Nanos returns t in whole nanoseconds, truncated.
func (t Time) Nanos() int64 { return int64(t) / int64(Nanosecond) }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Nanos returns d in nanoseconds. It is exact for whole nanoseconds below 2^53.
func (d Duration) Nanos() float64 { return float64(d) / float64(Nanosecond) }

// WholeNanos returns d in whole nanoseconds, truncated.
func (d Duration) WholeNanos() int64 { return int64(d / Nanosecond) }

// Seconds returns d in seconds.
func (d Duration) Seconds() float64 { return float64(d) / float64(Second) }

// BytesIn returns the whole bytes that r carries in d >= 0, or the largest Bytes.
func (r Rate) BytesIn(d Duration) Bytes {
	const unit = 8 * uint64(Second)
	hi, lo := bits.Mul64(uint64(r), uint64(d))
	if hi >= unit {
		return Unlimited
	}
	q, _ := bits.Div64(hi, lo, unit)
	return Bytes(min(q, math.MaxInt64))
}

// Truncate returns the whole part of x > -2^63, or the largest T if that does not fit or x is no number: what
// the conversion gives then is up to the processor.
func Truncate[T ~int64](x float64) T {
	if !(x < 1<<63) {
		return math.MaxInt64
	}
	return T(x)
}

// AtNanos returns the instant n nanoseconds after the start.
func AtNanos(n int64) Time { return Time(n) * Time(Nanosecond) }

type unit struct {
	name string
	size float64
}

var (
	timeUnits = []unit{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"min", 60e12}, {"h", 3600e12}, {"s", 1e12}}
	rateUnits = []unit{
		{"Tbps", 1e12}, {"Gbps", 1e9}, {"Mbps", 1e6}, {"Kbps", 1e3}, {"kbps", 1e3}, {"bps", 1},
		{"Tb/s", 1e12}, {"Gb/s", 1e9}, {"Mb/s", 1e6}, {"Kb/s", 1e3}, {"kb/s", 1e3}, {"b/s", 1},
		{"TB/s", 8e12}, {"GB/s", 8e9}, {"MB/s", 8e6}, {"KB/s", 8e3}, {"kB/s", 8e3}, {"B/s", 8},
		{"TBps", 8e12}, {"GBps", 8e9}, {"MBps", 8e6}, {"KBps", 8e3}, {"kBps", 8e3}, {"Bps", 8},
		{"Gib/s", 1 << 30}, {"Mib/s", 1 << 20}, {"Kib/s", 1 << 10}, {"GiB/s", 8 << 30}, {"MiB/s", 8 << 20}, {"KiB/s", 8 << 10},
		{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"K", 1e3}, {"k", 1e3},
	}
	byteUnits = []unit{
		{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"kB", 1e3}, {"B", 1},
		{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"K", 1e3}, {"k", 1e3},
	}
)

// ParseFloat reads a decimal number as strconv.ParseFloat does, but refuses Go's hexadecimal ones and underscores. The
// error is a *strconv.NumError.
func ParseFloat(text string) (float64, error) {
	if strings.ContainsAny(text, "xX_") {
		return 0, &strconv.NumError{Func: "ParseFloat", Num: text, Err: strconv.ErrSyntax}
	}
	return strconv.ParseFloat(text, 64)
}

// parseQuantity reads a decimal number and the longest unit of the table that ends s.
// The result is exact for whole numbers, and where the number times the unit is an integer
// below 2^53.
func parseQuantity(s, what string, units []unit, bare float64) (int64, error) {
	num, size, v, err := splitQuantity(s, what, units, bare)
	if err != nil {
		return 0, err
	}
	if n, ok := wholeTimes(num, int64(size)); ok {
		return n, nil
	}
	r := math.Round(v * size)
	if math.Abs(r) >= math.MaxInt64 {
		return 0, outOfRange(s, what)
	}
	return int64(r), nil
}

// splitQuantity returns the number of s as it is written, the size of its unit, and its value.
func splitQuantity(s, what string, units []unit, bare float64) (num string, size, v float64, err error) {
	s = strings.TrimSpace(s)
	num, size = s, bare
	longest := -1
	for _, u := range units {
		if strings.HasSuffix(s, u.name) && len(u.name) > longest {
			longest, size, num = len(u.name), u.size, strings.TrimSpace(strings.TrimSuffix(s, u.name))
		}
	}
	v, err = ParseFloat(num)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		err = fmt.Errorf("%q is not a %s (a number and a unit such as %s)", s, what, exampleOf(what))
	case size == 0:
		err = fmt.Errorf("%q has no unit; write a %s such as %s", s, what, exampleOf(what))
	}
	return num, size, v, err
}

func outOfRange(s, what string) error { return fmt.Errorf("%q is out of range for a %s", s, what) }

// wholeTimes multiplies a number written in decimal digits by a unit, if the result is in range.
func wholeTimes(num string, size int64) (int64, bool) {
	n, err := strconv.ParseInt(num, 10, 64)
	if most := (math.MaxInt64 - 1) / size; err != nil || n > most || n < -most {
		return 0, false
	}
	return n * size, true
}

func exampleOf(what string) string {
	switch what {
	case "duration":
		return "5us, 1.5ms or 2s"
	case "rate":
		return "100Gbps or 40Mb/s"
	default:
		return "300KB or 64MiB"
	}
}

// ParseDuration reads a duration with a unit: ps, ns, us, ms, s, min, h.
func ParseDuration(s string) (Duration, error) {
	if strings.TrimSpace(s) == "0" {
		return 0, nil
	}
	v, err := parseQuantity(s, "duration", timeUnits, 0)
	return Duration(v), err
}

// ParseRate reads a rate with a unit, all of NS-3's among them: 100Gbps, 100Gb/s, 12.5GB/s, 12.5GBps, 1GiB/s,
// 100G; a bare number is bit/s. Between 0 and 1000 it is more likely to lack its unit.
func ParseRate(s string) (Rate, error) {
	if v, err := ParseFloat(strings.TrimSpace(s)); err == nil && v > 0 && v < 1000 {
		return 0, fmt.Errorf("%q has no unit; write a rate such as %[1]sGbps, or %[1]sbps if that is meant", strings.TrimSpace(s))
	}
	return parseRate(s)
}

func parseRate(s string) (Rate, error) {
	v, err := parseQuantity(s, "rate", rateUnits, 1)
	return Rate(v), err
}

// ParseBytes reads a size with a unit: B, KB (1000), KiB (1024), MB, MiB, GB, GiB, TB, TiB; a bare number is bytes.
// Bytes are whole, other units are rounded to whole bytes: 1.5KB, but not 1000.5.
func ParseBytes(s string) (Bytes, error) {
	if _, size, v, err := splitQuantity(s, "size", byteUnits, 1); err == nil && size == 1 && v != math.Trunc(v) {
		return 0, fmt.Errorf("%q is not a whole number of bytes (such as 1000, or 1.5KB)", s)
	}
	v, err := parseQuantity(s, "size", byteUnits, 1)
	return Bytes(v), err
}

// formatQuantity writes v with the largest unit that leaves no fraction, so that parsing gives v back.
func formatQuantity(v int64, units []unit) string {
	best := unit{}
	for _, u := range units {
		size := int64(u.size)
		if v%size == 0 && u.size > best.size {
			best = u
		}
	}
	return strconv.FormatInt(v/int64(best.size), 10) + best.name
}

var (
	timeOut = []unit{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}
	rateOut = []unit{{"bps", 1}, {"Kbps", 1e3}, {"Mbps", 1e6}, {"Gbps", 1e9}, {"Tbps", 1e12}}
	byteOut = []unit{{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}
)

// String writes d so that ParseDuration gives it back: 1500ns, 5us.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	return formatQuantity(int64(d), timeOut)
}

// String writes t as a Duration since the start, or "never".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return Duration(t).String()
}

// String writes r so that ParseRate gives it back: 100Gbps.
func (r Rate) String() string {
	if r == 0 {
		return "0bps"
	}
	return formatQuantity(int64(r), rateOut)
}

// String writes b so that ParseBytes gives it back: 300KB.
func (b Bytes) String() string {
	switch b {
	case 0:
		return "0B"
	case Unlimited:
		return "unlimited"
	}
	return formatQuantity(int64(b), byteOut)
}
