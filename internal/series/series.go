// Package series holds quantities that are sampled at equal distances of time, in memory that
// does not grow with time: a [Track] has a bounded number of bins, and when all are full, pairs
// of them become one. What is kept of the samples in a bin is their least, mean and largest
// value, so that a peak is never lost, only its place within the bin.
package series

import "math"

// Stat is what is kept of the samples of one quantity in one bin.
type Stat struct{ Min, Max, Sum float64 }

var none = Stat{Min: math.Inf(1), Max: math.Inf(-1)}

// Add takes a sample.
func (s *Stat) Add(v float64) { s.AddPeak(v, v) }

// AddPeak takes a sample v of a quantity that has been as high as peak since the last sample.
func (s *Stat) AddPeak(v, peak float64) {
	s.Min, s.Max, s.Sum = min(s.Min, v), max(s.Max, peak), s.Sum+v
}

func (s *Stat) merge(o Stat) {
	s.Min, s.Max, s.Sum = min(s.Min, o.Min), max(s.Max, o.Max), s.Sum+o.Sum
}

// Track holds some quantities that are sampled together.
type Track struct {
	width int    // number of quantities
	limit int    // number of bins, even
	per   int    // samples in a full bin
	last  int    // samples in the last bin
	stats []Stat // by bin, then by quantity
}

// NewTrack returns a track of so many quantities and at most so many bins, at least 2.
func NewTrack(width, bins int) *Track {
	return &Track{width: width, limit: max(bins/2*2, 2), per: 1}
}

// Next begins the next sample and returns the bin's quantities, to each of which one sample must
// be added. The slice is valid until the next call.
func (t *Track) Next() []Stat {
	if t.last == t.per && len(t.stats) == t.limit*t.width {
		t.halve()
	}
	if t.last == t.per || len(t.stats) == 0 {
		for range t.width {
			t.stats = append(t.stats, none)
		}
		t.last = 0
	}
	t.last++
	return t.stats[len(t.stats)-t.width:]
}

// halve makes one bin of every two.
func (t *Track) halve() {
	half := len(t.stats) / 2
	for to := 0; to < half; to += t.width {
		for k := range t.width {
			s := t.stats[2*to+k]
			s.merge(t.stats[2*to+t.width+k])
			t.stats[to+k] = s
		}
	}
	t.stats = t.stats[:half]
	t.per *= 2
	t.last = t.per
}

// Bins returns the number of bins.
func (t *Track) Bins() int { return len(t.stats) / t.width }

// Samples returns the number of samples in a bin, and how many came before.
func (t *Track) Samples(bin int) (n, before int) {
	if bin == t.Bins()-1 {
		return t.last, bin * t.per
	}
	return t.per, bin * t.per
}

// At returns least, mean and largest value of a quantity in a bin.
func (t *Track) At(bin, quantity int) (low, mean, high float64) {
	s := t.stats[bin*t.width+quantity]
	n, _ := t.Samples(bin)
	return s.Min, s.Sum / float64(n), s.Max
}

// Zero reports whether a quantity has always been zero.
func (t *Track) Zero(quantity int) bool {
	for i := quantity; i < len(t.stats); i += t.width {
		if s := t.stats[i]; s.Min != 0 || s.Max != 0 {
			return false
		}
	}
	return true
}
