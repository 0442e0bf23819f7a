package report

import (
	"math"
	"strconv"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
)

// scaled writes a value in the largest of ascending units of a thousand each that leaves it at
// least 1; whole numbers below the second unit have no decimals.
func scaled(v float64, units ...string) string {
	i := 0
	for ; i+1 < len(units) && math.Abs(v) >= 999.5; i++ {
		v /= 1000
	}
	text := figure.ThreeDigits(v)
	if i == 0 && v == math.Trunc(v) {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	if units[i] == "" {
		return text
	}
	return text + "\u00a0" + units[i] // never on two lines
}

func bytesText(v float64) string { return scaled(v, "B", "KB", "MB", "GB", "TB") }

func timeText(ns float64) string { return scaled(ns, "ns", "µs", "ms", "s") }

func countText(v float64) string { return scaled(v, "", "k", "M", "G") }

// none is written where there is no value.
const none = "–"

// ratioText writes a slowdown, or a dash if it is 0: there is none.
func ratioText(v float64) string {
	if v == 0 {
		return none
	}
	return figure.ThreeDigits(v)
}

// estimateText writes a mean, and with several seeds half the width of its confidence interval.
func estimateText(e results.Estimate, text func(float64) string) string {
	if e.N < 2 || e.Half == 0 {
		return text(e.Mean)
	}
	return text(e.Mean) + "\u00a0±\u00a0" + text(e.Half) // no line breaks at such a blank
}
