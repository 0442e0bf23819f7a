package figure

import (
	"math"
	"slices"
	"strconv"
)

// Span is an axis laid out for the values on it.
type Span struct {
	Low, High float64
	Ticks     []float64
	scale     Scale
}

// NewSpan lays out an axis for its values, with about the given number of ticks.
func NewSpan(a *Axis, values []float64, ticks int) Span {
	s := Span{scale: a.Scale}
	s.Low, s.High = a.bounds(values)
	for _, v := range tickValues(a.Scale, s.Low, s.High, ticks) {
		if at := s.At(v); at > -1e-9 && at < 1+1e-9 {
			s.Ticks = append(s.Ticks, v)
		}
	}
	if a.Unit == Ratio && a.Scale != Log && s.Low == 1 { // where slowdown begins
		s.Ticks = slices.DeleteFunc(s.Ticks, func(v float64) bool { return s.At(v) < 0.08 })
		s.Ticks = slices.Insert(s.Ticks, 0, 1)
	}
	return s
}

// At returns the position of a value: 0 at Low, 1 at High.
func (s *Span) At(v float64) float64 {
	low, high := s.scale.to(s.Low), s.scale.to(s.High)
	return (s.scale.to(v) - low) / (high - low)
}

// Labels writes the ticks, with four digits or as many as distinguish them.
func (s *Span) Labels(u Unit) []string {
	for digits := 4; ; digits++ {
		var all []string
		for _, v := range s.Ticks {
			all = append(all, u.Text(v, digits))
		}
		if digits == 12 || len(slices.Compact(slices.Clone(all))) == len(all) {
			return all
		}
	}
}

// to maps a value to its position along an axis of the scale.
func (s Scale) to(v float64) float64 {
	switch s {
	case Log:
		return math.Log10(v)
	case Nines:
		return -math.Log10(1 - v)
	}
	return v
}

// least is the shortest axis, as a share of its values: on a shorter one they count as equal, since 1 and the
// mean of many ones may differ only in the last bit, which leaves no place for ticks.
const least = 1e-9

// bounds returns the range of an axis, which is never empty.
func (a *Axis) bounds(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if a.Scale != Log || v > 0 { // others have no place on it
			low, high = min(low, v), max(high, v)
		}
	}
	if a.Scale == Nines {
		return a.nines(values, low)
	}
	if a.From != nil {
		low = float64(*a.From)
	}
	if a.To != nil {
		high = float64(*a.To)
	}
	switch {
	case !(low <= high) && a.Scale == Log:
		return 1, 10
	case !(low <= high):
		return 0, 1
	}
	if a.Unit == Ratio && a.From == nil {
		low = min(low, 1)
	}
	alike := high-low <= least*max(math.Abs(low), math.Abs(high))
	switch {
	case a.Scale == Log && alike:
		return low / 2, high * 2
	case a.Scale == Log:
		return low, high
	case alike && low == 0:
		return 0, 1
	case alike:
		return low - math.Abs(low)/2, high + math.Abs(high)/2
	case a.To == nil:
		high += (high - low) * 0.05
	}
	return low, high
}

// nines returns the range of a scale of nines: up to the nines that hold the largest value below 1,
// at least 99 %, at most 99.999 %.
func (a *Axis) nines(values []float64, low float64) (float64, float64) {
	if a.From != nil {
		low = float64(*a.From)
	}
	most := 0.0
	for _, v := range values {
		if v < 1 {
			most = max(most, v)
		}
	}
	n := min(max(math.Ceil(-math.Log10(1-most)), 2), 5)
	return min(low, 0.9), 1 - math.Pow(10, -n)
}

// tickValues returns round values of a range, perhaps some outside it.
func tickValues(s Scale, low, high float64, count int) []float64 {
	switch {
	case s == Nines:
		all := []float64{0}
		for v := 0.1; v > (1-high)*0.99; v /= 10 {
			all = append(all, 1-v)
		}
		return all
	case s == Log && high/low >= 5:
		return logTicks(low, high, count)
	}
	raw := (high - low) / float64(count)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	steps := []float64{1, 2, 5, 10}
	step := power * steps[slices.IndexFunc(steps, func(k float64) bool { return k*power >= raw*0.999 })]
	var all []float64
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		all = append(all, rounded(i*step)+0) // no -0
	}
	return all
}

// logTicks returns decades, with steps between them if there are few.
func logTicks(low, high float64, count int) []float64 {
	decades := math.Log10(high / low)
	steps := []float64{1, 2, 5}
	switch {
	case decades > 3:
		steps = []float64{1}
	case decades > 1.5:
		steps = []float64{1, 3}
	}
	skip := max(1, int(math.Ceil(decades/float64(count))))
	var all []float64
	for e := int(math.Floor(math.Log10(low))); e <= int(math.Ceil(math.Log10(high))); e++ {
		if e%skip != 0 {
			continue
		}
		for _, k := range steps {
			all = append(all, rounded(k*math.Pow(10, float64(e))))
		}
	}
	return all
}

// rounded removes digits that come from binary fractions.
func rounded(v float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		panic(err)
	}
	return v
}
