package report

import (
	"math"
	"strconv"
)

// digits writes three digits: 1234, 123, 12.3, 1.23.
func digits(v float64) string {
	decimals := 2
	for limit := 9.995; decimals > 0 && math.Abs(v) >= limit; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// scaled writes a value in the largest of ascending units of a thousand each that leaves it at
// least 1; whole numbers below the second unit have no decimals.
func scaled(v float64, units ...string) string {
	i := 0
	for ; i+1 < len(units) && math.Abs(v) >= 999.5; i++ {
		v /= 1000
	}
	text := digits(v)
	if i == 0 && v == math.Trunc(v) {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	if units[i] == "" {
		return text
	}
	return text + "\u00a0" + units[i] // never on two lines
}

func bytesText(v int64) string { return scaled(float64(v), "B", "KB", "MB", "GB", "TB") }

func timeText(ns float64) string { return scaled(ns, "ns", "µs", "ms", "s") }

func countText(v int64) string { return scaled(float64(v), "", "k", "M", "G") }

// ratioText writes a slowdown; a dash stands for none.
func ratioText(v float64) string {
	if v == 0 {
		return "–"
	}
	return digits(v)
}
