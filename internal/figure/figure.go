package figure

import (
	"math"
	"slices"
	"strconv"
)

// Figure is a diagram: lines, or bars by label. The JSON is what the script of the report reads.
type Figure struct {
	ID       string   `json:"id"`
	Kind     Kind     `json:"kind"`
	Title    string   `json:"title"`
	About    string   `json:"-"` // how to read it
	Note     string   `json:"-"` // what the reader must know about this figure
	X        Axis     `json:"x"` // of bars: the axis of their lengths
	Y        Axis     `json:"y"` // unused by bars
	Names    []string `json:"names"`
	Variants []string `json:"variants,omitempty"` // curves of a name, told apart by dashes
	Hidden   []int    `json:"hidden,omitempty"`   // variants that are hidden at first
	Steps    bool     `json:"steps,omitempty"`    // lines are steps: y holds from x on
	Marks    bool     `json:"marks,omitempty"`    // every point has a mark
	Labels   []string `json:"labels,omitempty"`   // of bars
	Series   []Series `json:"series"`
	Empty    string   `json:"-"` // why there is nothing to draw, if so
}

// Kind is the kind of a diagram.
type Kind string

// Kinds of diagram.
const (
	Lines Kind = "line"
	Bars  Kind = "bar"
)

// MaxNames is the number of colours, dashes and marks that a reader can distinguish.
const MaxNames = 8

// Axis says what is drawn along a direction. Values are in the base of the unit.
type Axis struct {
	Label string `json:"label"`
	Unit  Unit   `json:"unit"`
	Scale Scale  `json:"scale"`
	From  *Num   `json:"from,omitempty"` // fixed ends
	To    *Num   `json:"to,omitempty"`
}

// Unit is the unit of an axis.
type Unit string

// Units of an axis.
const (
	Bytes Unit = "B"
	Time  Unit = "ns"
	Rate  Unit = "bps"
	Ratio Unit = "ratio"
	Share Unit = "share" // 1 is 100 %
	Count Unit = "count"
)

// Scale is the scale of an axis; empty: Linear.
type Scale string

// Scales of an axis.
const (
	Linear Scale = "linear"
	Log    Scale = "log"
	Nines  Scale = "nines" // 0, 90 %, 99 %, ... at equal distances
)

// Series is a curve, or the bars of a name.
type Series struct {
	Name    int   `json:"name"` // index into Figure.Names
	Variant int   `json:"variant"`
	X       []Num `json:"x,omitempty"` // empty for bars
	Y       []Num `json:"y"`
	// Low and High are the range of each bar, or at each x: a band, or with Figure.Marks a line about the mark, where not a
	// number stands for none.
	Low  []Num `json:"low,omitempty"`
	High []Num `json:"high,omitempty"`
}

// Num is a number of a diagram: six digits are finer than any screen or paper.
type Num float64

// MarshalJSON writes at most six digits, and null for what is not a number.
func (n Num) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
}

// At returns a fixed end of an axis.
func At(v float64) *Num {
	n := Num(v)
	return &n
}

// Add appends a point without a range, unless it has no place: not a number, or infinite.
func (s *Series) Add(x, y float64) {
	if !finite(x, y) {
		return
	}
	s.X, s.Y = append(s.X, Num(x)), append(s.Y, Num(y))
	if len(s.Low) > 0 {
		s.noRanges()
	}
}

// AddBand appends a point with its range, unless one of these has no place.
func (s *Series) AddBand(x, y, low, high float64) {
	if !finite(x, y, low, high) {
		return
	}
	s.noRanges()
	s.X, s.Y, s.Low, s.High = append(s.X, Num(x)), append(s.Y, Num(y)), append(s.Low, Num(low)), append(s.High, Num(high))
}

// noRanges notes that the points that are not known to have a range have none.
func (s *Series) noRanges() {
	for len(s.Low) < len(s.X) {
		s.Low, s.High = append(s.Low, Num(math.NaN())), append(s.High, Num(math.NaN()))
	}
}

func finite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// Line appends a curve through the points (x[i], y[i]) under a name, which is added if it is new.
func (f *Figure) Line(name string, x, y []float64) { f.LineOf(name, "", x, y) }

// LineOf appends a curve under a name and a variant, which are added if they are new.
func (f *Figure) LineOf(name, variant string, x, y []float64) {
	s := Series{Name: index(&f.Names, name)}
	if variant != "" {
		s.Variant = index(&f.Variants, variant)
	}
	for i := range x {
		s.Add(x[i], y[i])
	}
	f.Series = append(f.Series, s)
}

// index returns the index of a word in a list, to which it is added if it is new.
func index(list *[]string, word string) int {
	i := slices.Index(*list, word)
	if i < 0 {
		i = len(*list)
		*list = append(*list, word)
	}
	return i
}
