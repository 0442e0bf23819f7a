package series

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// However many samples come, the bins hold every extreme and the exact means of all samples, in
// bounded memory.
func TestTrack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, bins := range []int{1, 2, 7, 64} {
		for _, samples := range []int{0, 1, 2, 63, 64, 65, 1000, 4097} {
			track := NewTrack(2, bins)
			var all [2][]float64
			var peaks []float64
			for range samples {
				v, w := float64(random.IntN(1000)), random.NormFloat64()
				peak := v + float64(random.IntN(10))
				all[0], all[1], peaks = append(all[0], v), append(all[1], w), append(peaks, peak)
				s := track.Next()
				s[0].AddPeak(v, peak)
				s[1].Add(w)
			}
			if got := track.Bins(); got > max(bins, 2) || samples > 0 && got == 0 || samples >= bins && got < bins/2 {
				t.Fatalf("%d samples, limit %d: %d bins", samples, bins, got)
			}
			seen := 0
			for b := range track.Bins() {
				n, before := track.Samples(b)
				if before != seen || n == 0 {
					t.Fatalf("bin %d has %d samples after %d, not %d", b, n, before, seen)
				}
				check(t, track, b, 0, all[0][seen:seen+n], peaks[seen:seen+n])
				check(t, track, b, 1, all[1][seen:seen+n], all[1][seen:seen+n])
				seen += n
			}
			if seen != samples {
				t.Fatalf("%d of %d samples are in bins", seen, samples)
			}
		}
	}
}

func check(t *testing.T, track *Track, bin, quantity int, values, peaks []float64) {
	t.Helper()
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	low, mean, high := track.At(bin, quantity)
	if low != slices.Min(values) || high != slices.Max(peaks) || math.Abs(mean-sum/float64(len(values))) > 1e-9 {
		t.Fatalf("bin %d: %v %v %v", bin, low, mean, high)
	}
}

func TestZero(t *testing.T) {
	track := NewTrack(2, 4)
	for i := range 9 {
		s := track.Next()
		s[0].Add(0)
		s[1].AddPeak(0, float64(i/8))
	}
	if !track.Zero(0) || track.Zero(1) {
		t.Errorf("zero: %v %v", track.Zero(0), track.Zero(1))
	}
}
