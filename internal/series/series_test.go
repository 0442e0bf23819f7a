package series

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// However many ticks pass, the bins hold every extreme and the exact means of all samples, each
// weighted by the ticks that it stands for, in bounded memory and with few samples.
func TestTrack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, bins := range []int{1, 2, 7, 64} {
		for _, ticks := range []int{0, 1, 2, 63, 64, 65, 1000, 4097, 100_000} {
			track := NewTrack(2, bins)
			var all [2][]float64 // by tick
			var peaks []float64
			samples := 0
			for len(peaks) < ticks {
				v, w := float64(random.IntN(1000)), random.NormFloat64()
				peak := v + float64(random.IntN(10))
				for range track.Step() {
					all[0], all[1], peaks = append(all[0], v), append(all[1], w), append(peaks, peak)
				}
				s := track.Next()
				s.SetPeak(0, v, peak)
				s.Set(1, w)
				samples++
			}
			limit := max(bins/2*2, 2)
			if got := track.Bins(); got > limit || ticks <= limit && got != ticks || ticks > limit && got < limit/2 {
				t.Fatalf("%d ticks, limit %d: %d bins", ticks, limit, got)
			}
			if most := 2 * fine * limit * (2 + int(math.Log2(float64(ticks+1)))); samples > most {
				t.Fatalf("%d ticks, limit %d: %d samples", ticks, limit, samples)
			}
			seen := 0
			for b := range track.Bins() {
				n, before := track.Span(b)
				if before != seen || n == 0 {
					t.Fatalf("bin %d has %d ticks after %d, not %d", b, n, before, seen)
				}
				check(t, track, b, 0, all[0][seen:seen+n], peaks[seen:seen+n])
				check(t, track, b, 1, all[1][seen:seen+n], all[1][seen:seen+n])
				seen += n
			}
			if seen != len(peaks) {
				t.Fatalf("%d of %d ticks are in bins", seen, len(peaks))
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
	track := NewTrack(3, 4)
	for i := range 9 {
		s := track.Next()
		s.Set(0, 0)
		s.SetPeak(1, 0, float64(i/8))
		s.SetPeak(2, -float64(i/8), 0)
	}
	if !track.Zero(0) || track.Zero(1) || track.Zero(2) {
		t.Errorf("zero: %v %v %v", track.Zero(0), track.Zero(1), track.Zero(2))
	}
}

// What is added to a copy does not appear in the original, nor the other way round.
func TestClone(t *testing.T) {
	set := func(track *Track, v float64) {
		s := track.Next()
		s.Set(0, v)
	}
	track := NewTrack(1, 2)
	set(track, 1)
	set(track, 2)
	clone := track.Clone()
	set(clone, 9) // halves it
	set(track, 5)
	for want, of := range map[float64]*Track{9: clone, 5: track} {
		low, mean, high := of.At(0, 0)
		if _, _, last := of.At(1, 0); low != 1 || mean != 1.5 || high != 2 || last != want {
			t.Errorf("%v %v %v, then %v, want %v", low, mean, high, last, want)
		}
	}
}
