package figure

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		unit   Unit
		v      float64
		digits int
		want   string
	}{
		{Bytes, 0, 3, "0"}, {Bytes, 999, 3, "999 B"}, {Bytes, 999.5, 3, "1 KB"}, {Bytes, 123456, 3, "123 KB"}, {Bytes, 5e15, 3, "5000 TB"},
		{Time, 1500, 4, "1.5 µs"}, {Time, 2e9, 3, "2 s"}, {Time, 0.25, 3, "0.25 ns"}, {Rate, 1e11, 3, "100 Gb/s"},
		{Count, 12, 3, "12"}, {Count, 1.2e6, 3, "1.2 M"}, {Ratio, 3.14159, 3, "3.14"}, {Ratio, 1e-5, 3, "0.00001"}, {Ratio, 1e21, 3, "1000000000000000000000"},
		{Share, 0.5, 3, "50 %"}, {Share, 0.9999, 3, "99.99 %"}, {Share, 0.99, 3, "99 %"}, {Share, 1, 3, "100 %"},
		{Share, 0.9, 3, "90 %"}, {Share, 0.90625, 3, "90.6 %"}, {Share, 0.996, 2, "99.6 %"}, {Share, 0.99962, 2, "99.962 %"},
		{Share, math.Nextafter(0.9, 1), 3, "90 %"}, {Share, 0.99999999, 3, "99.999999 %"}, {Share, 0.999999999, 3, "99.9999999 %"}, {Share, 1.5, 3, "150 %"},
	} {
		if got := c.unit.Text(c.v, c.digits); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 1: "1.00", 9.994: "9.99", 9.996: "10.0", 99.94: "99.9", 99.96: "100", 12345.6: "12346", -9.996: "-10.0"} {
		if got := ThreeDigits(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		want   []float64
	}{
		{Axis{}, nil, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{Axis{From: At(0), To: At(1)}, []float64{0.4}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{Axis{To: At(10)}, []float64{-7, 3}, []float64{-5, 0, 5, 10}},
		{Axis{}, []float64{0, 10}, []float64{0, 5, 10}}, // to 10.5
		{Axis{}, []float64{0, 9.5}, []float64{0, 2, 4, 6, 8}},
		{Axis{}, []float64{0, 19}, []float64{0, 5, 10, 15}},
		{Axis{}, []float64{0, 4.7}, []float64{0, 1, 2, 3, 4}},
		{Axis{}, []float64{0, 28}, []float64{0, 10, 20}},
		{Axis{Unit: Ratio}, []float64{1.5, 17}, []float64{1, 5, 10, 15}},
		{Axis{Unit: Ratio}, []float64{1.5, 2}, []float64{1, 1.5, 2}},
		{Axis{From: At(1), To: At(24)}, nil, []float64{5, 10, 15, 20}}, // no ratio
		{Axis{Scale: Log}, []float64{2, 6}, []float64{2, 3, 4, 5, 6}},
		{Axis{Scale: Log}, []float64{2, 12}, []float64{2, 5, 10}},
		{Axis{Scale: Log}, []float64{1, 100}, []float64{1, 3, 10, 30, 100}},
		{Axis{Scale: Log}, []float64{0.01, 0.5}, []float64{0.01, 0.03, 0.1, 0.3}},
		{Axis{Scale: Log}, []float64{1, 3000}, []float64{1, 10, 100, 1000}},
		{Axis{Scale: Log}, []float64{3, 4e6}, []float64{100, 1e4, 1e6}},
		{Axis{Scale: Log}, []float64{1, 30}, []float64{1, 2, 5, 10, 20}},
		{Axis{Scale: Nines, From: At(0)}, []float64{0.2, 0.9993, 1}, []float64{0, 0.9, 0.99, 0.999, 0.9999}},
	} {
		s := NewSpan(&c.axis, c.values, 5)
		if !slices.EqualFunc(s.Ticks, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, math.Abs(b)) }) {
			t.Errorf("%+v, %v: %v, want %v", c.axis, c.values, s.Ticks, c.want)
		}
		for _, v := range s.Ticks {
			if at := s.At(v); math.Signbit(v) && v == 0 || at < -1e-9 || at > 1+1e-9 {
				t.Errorf("%+v: the tick %v stands at %v", c.axis, v, at)
			}
		}
	}
}

// Slowdown begins at 1. A round tick close to 1 gives way.
func TestRatioFromOne(t *testing.T) {
	for most, want := range map[float64][]float64{18: {1, 4, 6, 8, 10, 12, 14, 16, 18}, 12: {1, 2, 4, 6, 8, 10, 12}} {
		s := NewSpan(&Axis{Unit: Ratio}, []float64{1.5, most}, int(most/2)+1)
		if !slices.Equal(s.Ticks, want) {
			t.Errorf("to %v: %v, want %v", most, s.Ticks, want)
		}
	}
}

// Positions of values: on a linear axis, by decades, by nines.
func TestAt(t *testing.T) {
	for _, c := range []struct {
		scale       Scale
		low, high   float64
		value, want float64
	}{
		{Linear, 10, 30, 15, 0.25}, {Log, 1, 100, 10, 0.5}, {Log, 1, 1000, 100, 2. / 3}, {Nines, 0, 0.999, 0.9, 1. / 3}, {Nines, 0.9, 0.999, 0.99, 0.5},
	} {
		s := Span{Low: c.low, High: c.high, scale: c.scale}
		if got := s.At(c.value); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s from %v to %v: %v stands at %v, want %v", c.scale, c.low, c.high, c.value, got, c.want)
		}
	}
}

// Every range has a length, whatever the values.
func TestSpans(t *testing.T) {
	for _, scale := range []Scale{Linear, Log, Nines} {
		for _, values := range [][]float64{nil, {0.5}, {0.5, 0.5}, {0.1, 0.9}, {0}, {0, 0.5}, {-3, 0.5}} {
			s := NewSpan(&Axis{Scale: scale}, values, 5)
			if !(s.At(s.Low) == 0 && s.At(s.High) == 1) {
				t.Errorf("%s %v: %+v", scale, values, s)
			}
		}
	}
}

// Values that a logarithmic axis cannot show do not stretch it, and a single value has ticks on both sides, as have
// several that are almost equal.
func TestSpansOfOddValues(t *testing.T) {
	for _, c := range []struct {
		scale     Scale
		values    []float64
		low, high float64
	}{
		{Log, []float64{0, 2, 50}, 2, 50}, {Log, []float64{-1, 0}, 1, 10}, {Log, []float64{7}, 3.5, 14},
		{Linear, []float64{1e11}, 5e10, 1.5e11}, {Linear, []float64{-4, -4}, -6, -2}, {Linear, []float64{0, 0}, 0, 1},
		{Linear, []float64{1, math.Nextafter(1, 0)}, math.Nextafter(1, 0) / 2, 1.5}, {Linear, []float64{3, 3 + 1e-12}, 1.5, (3 + 1e-12) * 1.5},
		{Log, []float64{7, math.Nextafter(7, 8)}, 3.5, math.Nextafter(14, 15)},
		{Nines, []float64{0.2}, 0.2, 0.99}, {Nines, []float64{0.9999999}, 0.9, 0.99999},
	} {
		s := NewSpan(&Axis{Scale: c.scale}, c.values, 5)
		if s.Low != c.low || s.High != c.high || len(s.Ticks) < 2 || len(s.Ticks) > 12 {
			t.Errorf("%s %v: %+v", c.scale, c.values, s)
		}
	}
}

// Labels of neighbouring ticks differ, however close they are.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []string
	}{
		{[]float64{0, 5e6}, []string{"0", "2 ms", "4 ms"}},
		{[]float64{4106, 4106.8}, []string{"4.106 µs", "4.1062 µs", "4.1064 µs", "4.1066 µs", "4.1068 µs"}},
	} {
		s := NewSpan(&Axis{}, c.values, 5)
		if got := s.Labels(Time); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
}

// A point without a position is left out, with its range.
func TestNowhere(t *testing.T) {
	var s Series
	s.Add(1, math.NaN())
	s.Add(math.Inf(1), 1)
	s.AddBand(1, 2, math.Inf(-1), 3)
	s.AddBand(1, 2, 0, 3)
	s.AddBand(1, 2, 0, math.NaN())
	if want := (Series{X: []Num{1}, Y: []Num{2}, Low: []Num{0}, High: []Num{3}}); !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
}

func TestLines(t *testing.T) {
	var f Figure
	f.LineOf("a", "p50", []float64{1}, []float64{2})
	f.LineOf("a", "p99", []float64{1}, []float64{3})
	f.LineOf("b", "p50", []float64{1}, []float64{1. / 3})
	f.Line("a", []float64{7}, []float64{8})
	if last := f.Series[3]; last.Name != 0 || last.Variant != 0 || !slices.Equal(last.X, []Num{7}) || !slices.Equal(last.Y, []Num{8}) {
		t.Errorf("the last line is %+v", last)
	}
	if !slices.Equal(f.Names, []string{"a", "b"}) || !slices.Equal(f.Variants, []string{"p50", "p99"}) {
		t.Errorf("names %q, variants %q", f.Names, f.Variants)
	}
	text, err := json.Marshal(f.Series[2])
	if err != nil || string(text) != `{"name":1,"variant":0,"x":[1],"y":[0.333333]}` {
		t.Errorf("%s, %v", text, err)
	}
}
