package report

import "strconv"

// maxRuns is the number of colours, dashes and marks that can be told apart.
const maxRuns = 8

// data is what the script of the page draws.
type data struct {
	Runs   []string `json:"runs"`
	Charts []chart  `json:"charts"`
}

// chart is a diagram: lines, or bars by label.
type chart struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"` // lineChart or barChart
	Title    string   `json:"title"`
	About    string   `json:"-"` // how to read it
	X        axis     `json:"x"`
	Y        axis     `json:"y"`                  // unused by bars
	Variants []string `json:"variants,omitempty"` // curves of a run, told apart by dashes
	Hidden   []int    `json:"hidden,omitempty"`   // variants that are not shown at first
	Steps    bool     `json:"steps,omitempty"`    // lines are steps: y holds from x on
	Labels   []string `json:"labels,omitempty"`   // of bars
	Series   []series `json:"series"`
	Empty    string   `json:"-"` // why there is nothing to draw, if so
}

const (
	lineChart = "line"
	barChart  = "bar"
)

// axis says what is drawn along a direction. Values are in the base of the unit.
type axis struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Scale string `json:"scale"`
	From  *num   `json:"from,omitempty"` // fixed ends
	To    *num   `json:"to,omitempty"`
}

// Units and scales of an axis.
const (
	unitBytes = "B"
	unitTime  = "ns"
	unitRatio = "ratio"
	unitShare = "share" // 1 is 100 %
	unitCount = "count"

	scaleLinear = "linear"
	scaleLog    = "log"
	scaleNines  = "nines" // 0, 90 %, 99 %, ... at equal distances
)

// series is a curve, or the bars of a run. X is empty for bars.
type series struct {
	Run     int   `json:"run"`
	Variant int   `json:"variant"`
	X       []num `json:"x,omitempty"`
	Y       []num `json:"y"`
}

// num is a number of the page: six digits are finer than any screen.
type num float64

// MarshalJSON writes at most six digits.
func (n num) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
}

func fixed(v float64) *num {
	n := num(v)
	return &n
}

// add appends a point.
func (s *series) add(x, y float64) {
	s.X, s.Y = append(s.X, num(x)), append(s.Y, num(y))
}
