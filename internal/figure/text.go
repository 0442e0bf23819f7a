package figure

import (
	"math"
	"strconv"
	"strings"
)

// prefixes are the names of a unit's multiples, smallest first, each a thousand times the previous
// one.
var prefixes = map[Unit][]string{
	Bytes: {"B", "KB", "MB", "GB", "TB"},
	Time:  {"ns", "µs", "ms", "s"},
	Rate:  {"b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"},
	Count: {"", "k", "M", "G"},
}

// Text writes a value with its unit, with at most the given number of digits.
func (u Unit) Text(v float64, digits int) string {
	if u == Share {
		return shareText(v, digits)
	}
	names := prefixes[u]
	if names == nil || v == 0 {
		return short(v, digits)
	}
	i := 0
	for ; i+1 < len(names) && math.Abs(v) >= 999.5; i++ {
		v /= 1000
	}
	return strings.TrimSpace(short(v, digits) + " " + names[i])
}

// shareText writes a percentage. Close to 1 the digits after the nines matter; only 1 itself is 100
// %.
func shareText(v float64, digits int) string {
	if v > 0.9 && v < 1 {
		decimals := int(math.Ceil(-math.Log10(1-v))) - 1
		text := strconv.FormatFloat(100*v, 'f', decimals, 64)
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " %"
	}
	return short(100*v, digits) + " %"
}

// short writes at most a number of digits, without zeros at the end, and never an exponent.
func short(v float64, digits int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// ThreeDigits writes three digits, or all of those before the point: 1234, 123, 12.3, 1.23.
func ThreeDigits(v float64) string {
	decimals := 2
	for limit := 9.995; decimals > 0 && math.Abs(v) >= limit; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
