package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/internal/figure"
)

// ratio writes a slowdown; a dash stands for none.
func ratio(v float64) string {
	if v == 0 {
		return "-"
	}
	if v >= 1e6 { // more digits than the columns have
		return strings.Replace(strconv.FormatFloat(v, 'e', 1, 64), "e+0", "e", 1)
	}
	return figure.ThreeDigits(v)
}

// exact writes a number with all its digits.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// share writes a share as a percentage, with three digits at most or all of those before the point: 1234%, 12.3%, 0.00311%.
func share(v float64) string {
	if math.Abs(v) >= 1 {
		return strconv.FormatFloat(100*v, 'f', 0, 64) + "%"
	}
	percent, err := strconv.ParseFloat(strconv.FormatFloat(100*v, 'g', 3, 64), 64)
	if err != nil {
		panic(err) // it is a number
	}
	return exact(percent) + "%"
}

func signedShare(v float64) string { return signed(v, share(v)) }

// signedNanos writes a difference of times, to the picosecond.
func signedNanos(v float64) string { return signed(v, exact(math.Round(1000*v)/1000)+" ns") }

func signed(v float64, text string) string {
	if v >= 0 {
		return "+" + text
	}
	return text
}

// change writes by how much b differs from a: +1.2%, x25.0, = for equal, a dash if one is missing.
func change(a, b float64) string {
	switch {
	case a == 0 || b == 0:
		return "-"
	case a == b:
		return "="
	}
	d := 100 * (b - a) / a
	if math.Abs(d) < 0.05 {
		return "<0.1%"
	}
	switch {
	case d < 0:
		return strconv.FormatFloat(d, 'f', 1, 64) + "%"
	case d < 99.5:
		return "+" + strconv.FormatFloat(d, 'f', 1, 64) + "%"
	case d < 999:
		return "+" + strconv.FormatFloat(d, 'f', 0, 64) + "%"
	}
	return "x" + figure.ThreeDigits(b/a)
}

// kilobytes writes a size: 0 KB, 0.34 KB, 12.3 KB, 4500 KB.
func kilobytes(bytes int64) string {
	if bytes == 0 {
		return "0 KB"
	}
	return figure.ThreeDigits(float64(bytes)/1e3) + " KB"
}

// count writes a number of things: 950, 3.40 k, 12.3 M.
func count(v float64) string {
	switch {
	case v < 1e3:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v < 1e6:
		return figure.ThreeDigits(v/1e3) + " k"
	}
	return figure.ThreeDigits(v/1e6) + " M"
}

// simulated writes a simulated time in nanoseconds.
func simulated(ns float64) string {
	switch {
	case ns < 1e6:
		return figure.ThreeDigits(ns/1e3) + " us"
	case ns < 1e9:
		return figure.ThreeDigits(ns/1e6) + " ms"
	}
	return figure.ThreeDigits(ns/1e9) + " s"
}

// seconds writes a time of the clock on the wall.
func seconds(s float64) string {
	switch {
	case s < 0.1:
		return figure.ThreeDigits(1e3*s) + " ms"
	case s < 100:
		return figure.ThreeDigits(s) + " s"
	case s < 2*3600:
		return figure.ThreeDigits(s/60) + " min"
	}
	return figure.ThreeDigits(s/3600) + " h"
}
