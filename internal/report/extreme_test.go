package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
)

// hostile is a name that is an element, if it is not escaped.
const hostile = `</script><b class="foreign" title='"&amp;'>{{.}}</b>`

// lines makes a figure of curves through the same points, one for each name.
func lines(id string, x, y figure.Axis, names int, points ...[2]float64) figure.Figure {
	f := figure.Figure{ID: id, Kind: figure.Lines, Title: id, X: x, Y: y}
	for i := range names {
		s := figure.Series{Name: i}
		for _, p := range points {
			s.Add(p[0], p[1])
		}
		f.Names, f.Series = append(f.Names, fmt.Sprint(hostile, i)), append(f.Series, s)
	}
	return f
}

// extremes are figures that are hard to draw: few points, equal points, huge, negative or tiny
// numbers, ends of scales, and names that are markup.
func extremes() []figure.Figure {
	at := func(u figure.Unit, s figure.Scale) figure.Axis {
		return figure.Axis{Label: hostile, Unit: u, Scale: s}
	}
	many := make([][2]float64, 500)
	for i := range many {
		many[i] = [2]float64{1e9 + float64(i), math.Inf(1 - i%2)}
		if i%5 > 0 {
			many[i][1] = float64(i)
		}
	}
	bars := figure.Figure{ID: "bars", Kind: figure.Bars, X: figure.Axis{Unit: figure.Share}, Labels: []string{hostile, "b"}}
	for i := range figure.MaxNames {
		bars.Names = append(bars.Names, hostile)
		bars.Series = append(bars.Series, figure.Series{Name: i, Y: []figure.Num{figure.Num(i), 0}})
	}
	steps := lines("steps", at(figure.Time, figure.Log), at(figure.Share, figure.Nines), 2, [2]float64{1, 0.5}, [2]float64{1e15, 1})
	steps.Steps, steps.Y.From = true, figure.At(0)
	marks := lines("marks", at(figure.Bytes, figure.Log), at(figure.Ratio, figure.Log), figure.MaxNames, [2]float64{1, 1}, [2]float64{5e12, 9e8})
	marks.Marks, marks.Variants = true, []string{hostile, "p99"}
	ranges := lines("ranges", at(figure.Time, figure.Linear), at(figure.Ratio, figure.Linear), 2, [2]float64{10, 20}, [2]float64{11, 20})
	ranges.Marks = true
	for i := range ranges.Series {
		none := figure.Num(math.NaN())
		ranges.Series[i].Low, ranges.Series[i].High = []figure.Num{none, 15}, []figure.Num{none, 25}
	}
	ranges.Series[1].Low[1], ranges.Series[1].High[1] = ranges.Series[1].Low[0], ranges.Series[1].High[0]
	return []figure.Figure{
		lines("one", at(figure.Bytes, figure.Log), at(figure.Ratio, figure.Linear), 1, [2]float64{500, 1}),
		lines("zero", at(figure.Time, figure.Linear), at(figure.Count, figure.Linear), 1, [2]float64{0, 0}),
		lines("equal", at(figure.Time, figure.Linear), at(figure.Rate, figure.Linear), 2, [2]float64{5, 1e11}, [2]float64{5, 1e11}),
		lines("huge", at(figure.Time, figure.Linear), at(figure.Bytes, figure.Linear), 2, [2]float64{0, 0}, [2]float64{4e18, 1e300}),
		lines("negative", at(figure.Time, figure.Linear), at(figure.Count, figure.Linear), 2, [2]float64{-3e9, -7}, [2]float64{-1, 2}),
		lines("logzero", at(figure.Time, figure.Linear), at(figure.Ratio, figure.Log), 1, [2]float64{1, 0}, [2]float64{2, 50}),
		lines("close", at(figure.Time, figure.Log), at(figure.Share, figure.Linear), 1, [2]float64{4106.0, 0}, [2]float64{4106.8, 1}),
		lines("infinite", at(figure.Time, figure.Linear), at(figure.Count, figure.Linear), 8, many...),
		bars, steps, marks, ranges,
	}
}

// The script draws whatever a figure may hold, and never takes a name for markup.
func TestExtremes(t *testing.T) {
	p := page{
		Title: hostile, Style: template.CSS(asset("style.css")), Script: template.JS(asset("charts.js") + asset("picture.js")),
		Tags: []bucket{{Label: hostile, Rows: []bucketRow{{Run: hostile}}}}, Remarks: []results.Remark{{Run: hostile, Text: hostile}}, Charts: extremes(),
		Options: table{[]string{hostile, "b"}, []row{{hostile, []string{hostile, ""}}}},
		Runs:    []*results.Run{{Name: hostile}, {Name: "b"}},
	}
	p.Data = data{Runs: []string{hostile}, Charts: p.Charts, Picture: &results.Picture{
		Nodes: []results.PictureNode{{ID: 0, Host: true, X: 0.5}}, Rows: 1, Tops: []float64{1, 1, 1},
		Links: []results.PictureLink{{A: 0, B: 0}}, Runs: []results.PictureRun{{Ns: 1, Levels: []string{"A", "9", "_"}}},
	}}
	var b strings.Builder
	if err := p.write(&b); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.String())
	for _, o := range browse(t, b.String(), 320, 1600) {
		if len(o.Errors) > 0 || len(o.Bad) > 0 || o.Foreign > 0 {
			t.Errorf("%d px: errors %q, not numbers %q, %d elements from names", o.Width, o.Errors, o.Bad, o.Foreign)
		}
		if len(o.Charts) != len(p.Charts) {
			t.Errorf("%d px: %d charts of %d", o.Width, len(o.Charts), len(p.Charts))
		}
		for id, c := range o.Charts {
			if c.Drawn == 0 || c.Back != c.Drawn {
				t.Errorf("%d px, %s: %d curves, %d after hiding a name and showing it", o.Width, id, c.Drawn, c.Back)
			}
			if want := map[string]int{"one": 1, "zero": 1, "marks": 2 * figure.MaxNames, "ranges": 4}[id]; c.Marks != want {
				t.Errorf("%d px, %s: %d marks, want %d", o.Width, id, c.Marks, want)
			}
			if id == "ranges" && !slices.Equal(c.Values, []string{hostile + ": 11 ns", "20 (15 – 25)", "20"}) {
				t.Errorf("%d px, ranges: values %q", o.Width, c.Values)
			}
			if id != "bars" && (!c.Keys || !c.Distinct || len(c.Values) < 2) {
				t.Errorf("%d px, %s: keys %v, labels apart %v, values %q", o.Width, id, c.Keys, c.Distinct, c.Values)
			}
		}
	}
}
