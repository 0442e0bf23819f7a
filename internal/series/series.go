// Package series holds quantities that are sampled over time, at a cost and in memory that hardly
// grow with time: a [Track] has a bounded number of bins, and when all are full, pairs of them are
// merged. For the samples in a bin it keeps the minimum, mean and maximum, so that a peak is never
// lost, only its place within the bin. From a certain length of the bins on samples become rarer,
// too.
package series

import (
	"math"
	"slices"
)

// fine is the number of samples in a bin from which on samples are taken less often.
const fine = 8

// stat is the summary of one quantity's samples in one bin; sum is weighted by time.
type stat struct{ low, high, sum float64 }

var none = stat{low: math.Inf(1), high: math.Inf(-1)}

func (s *stat) merge(o stat) {
	s.low, s.high, s.sum = min(s.low, o.low), max(s.high, o.high), s.sum+o.sum
}

// Track holds some quantities that are sampled together. Time is counted in ticks.
type Track struct {
	width int    // number of quantities
	limit int    // number of bins, even
	per   int    // ticks of a full bin
	last  int    // ticks of the last bin
	stats []stat // by bin, then by quantity
}

// NewTrack returns a track with a number of quantities and at most a number of bins, at least 2.
func NewTrack(width, bins int) *Track {
	return &Track{width: width, limit: max(bins/2*2, 2), per: 1}
}

// Clone returns a copy.
func (t *Track) Clone() *Track {
	c := *t
	c.stats = slices.Clone(t.stats)
	return &c
}

// Step returns the ticks that the next sample covers: those since the previous one.
func (t *Track) Step() int {
	if t.last == t.per && len(t.stats) == t.limit*t.width {
		t.halve()
	}
	return max(1, t.per/fine)
}

// Sample is one sample; every quantity must be set once.
type Sample struct {
	stats []stat
	ticks float64
}

// Set gives a quantity its value.
func (s *Sample) Set(quantity int, v float64) { s.SetPeak(quantity, v, v) }

// SetPeak gives a value to a quantity that has been as high as peak since the last sample.
func (s *Sample) SetPeak(quantity int, v, peak float64) {
	q := &s.stats[quantity]
	q.low, q.high, q.sum = min(q.low, v), max(q.high, peak), q.sum+float64(v*s.ticks)
}

// Next begins the sample that is due Step ticks after the previous one.
func (t *Track) Next() Sample {
	step := t.Step()
	if t.last == t.per || len(t.stats) == 0 {
		for range t.width {
			t.stats = append(t.stats, none)
		}
		t.last = 0
	}
	t.last += step
	return Sample{t.stats[len(t.stats)-t.width:], float64(step)}
}

// halve merges every two bins.
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

// Span returns the ticks of a bin, and how many came before.
func (t *Track) Span(bin int) (ticks, before int) {
	if bin == t.Bins()-1 {
		return t.last, bin * t.per
	}
	return t.per, bin * t.per
}

// At returns the minimum, mean and maximum of a quantity in a bin.
func (t *Track) At(bin, quantity int) (low, mean, high float64) {
	s := t.stats[bin*t.width+quantity]
	ticks, _ := t.Span(bin)
	return s.low, s.sum / float64(ticks), s.high
}

// Zero reports whether a quantity has always been zero.
func (t *Track) Zero(quantity int) bool {
	for i := quantity; i < len(t.stats); i += t.width {
		if s := t.stats[i]; s.low != 0 || s.high != 0 {
			return false
		}
	}
	return true
}
