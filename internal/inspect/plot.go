package inspect

import (
	"fmt"
	"math"
	"strings"
)

// eighths fill a character from below.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// plotRate draws the rate over columns of a given duration, each with its number of bytes.
func plotRate(b *strings.Builder, bytes [columns]int64, seconds float64) {
	var rate [columns]float64
	highest := 0.0
	for i, n := range bytes {
		rate[i] = float64(n) * 8 / seconds
		highest = max(highest, rate[i])
	}
	scale, unit := scaleOf(highest)
	top := roundUp(highest / scale)
	for row := rows - 1; row >= 0; row-- {
		label := ""
		switch row {
		case rows - 1:
			label = fmt.Sprintf("%g %s", top, unit)
		case rows/2 - 1:
			label = fmt.Sprintf("%g %s", top/2, unit)
		}
		fmt.Fprintf(b, "%9s ┤", label)
		for _, r := range rate {
			filled := int(math.Round(r / scale / top * rows * 8))
			b.WriteRune(eighths[max(0, min(8, filled-row*8))])
		}
		b.WriteByte('\n')
	}
}

// scaleOf chooses the unit of rates.
func scaleOf(highest float64) (float64, string) {
	switch {
	case highest >= 1e9:
		return 1e9, "Gb/s"
	case highest >= 1e6:
		return 1e6, "Mb/s"
	}
	return 1e3, "kb/s"
}

// roundUp returns the next power of ten times one of a few round numbers.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}
