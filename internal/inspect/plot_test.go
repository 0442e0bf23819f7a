package inspect

import (
	"fmt"
	"testing"
)

// Rates have the unit that keeps them short, and the axis ends at the next round number.
func TestScale(t *testing.T) {
	for rate, want := range map[float64]string{999: "1 kb/s", 1e3: "1 kb/s", 390e3: "400 kb/s", 1e6: "1 Mb/s", 1.1e8: "120 Mb/s", 1e9: "1 Gb/s", 9e10: "100 Gb/s"} {
		scale, unit := scaleOf(rate)
		if got := fmt.Sprintf("%g %s", roundUp(rate/scale), unit); got != want {
			t.Errorf("%g bit/s: an axis up to %s, want %s", rate, got, want)
		}
	}
	for v, want := range map[float64]float64{0: 1, 1: 1, 1.01: 1.2, 1.3: 1.6, 17: 20, 0.21: 0.25, 2.6: 3, 31: 40, 4.5: 5, 55: 60, 7: 8, 8.1: 10} {
		if got := roundUp(v); got != want {
			t.Errorf("%g: %g, want %g", v, got, want)
		}
	}
}
