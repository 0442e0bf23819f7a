package render

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/qbb-sim/qbb/internal/figure"
)

// paintBars draws a group of bars for every label, each with its value: from the first label on, as
// many as leave room for the values.
func paintBars(c draw.Canvas, f *figure.Figure) {
	ticks, label := small(), letters()
	longest := 1e-9
	wide, number := vg.Length(0), vg.Length(0)
	for _, name := range f.Labels {
		wide = max(wide, ticks.Width(name))
	}
	for i := range f.Series {
		for _, v := range f.Series[i].High {
			longest = max(longest, float64(v))
		}
		for _, v := range f.Series[i].Y {
			longest = max(longest, float64(v))
			number = max(number, ticks.Width(f.X.Unit.Text(float64(v), 3)))
		}
	}
	axis := f.X
	axis.From = figure.At(0)
	if axis.To == nil {
		axis.To = figure.At(longest)
	}
	span := figure.NewSpan(&axis, nil, 4) // both ends are fixed
	bottom := label.Height("0") + ticks.Height("0") + 8
	in := draw.Crop(c, wide+6, -number-4, bottom, -2)
	barAxis(c, in, f, &span)
	least := ticks.Height("0") * 1.2 * vg.Length(len(f.Series))
	labels := f.Labels[:min(len(f.Labels), max(1, int(in.Size().Y/least)))]
	each := in.Size().Y / vg.Length(len(labels))
	bar := each * 0.8 / vg.Length(len(f.Series))
	for i, name := range labels {
		top := in.Max.Y - each*(vg.Length(i)+0.1)
		ticks.XAlign, ticks.YAlign = text.XRight, text.YCenter
		c.FillText(ticks, vg.Point{X: in.Min.X - 4, Y: top - each*0.4 + lift}, name)
		ticks.XAlign = text.XLeft
		for k := range f.Series {
			s := &f.Series[k]
			y, x := top-bar*vg.Length(k), in.X(span.At(float64(s.Y[i])))
			c.FillPolygon(colour(s.Name), corners(vg.Rectangle{
				Min: vg.Point{X: in.Min.X, Y: y - bar*0.9}, Max: vg.Point{X: x, Y: y},
			}))
			middle := y - bar*0.45
			if len(s.Low) > 0 {
				x = max(x, barRange(in, &span, s, i, middle))
			}
			c.FillText(ticks, vg.Point{X: x + 2, Y: middle + lift}, f.X.Unit.Text(float64(s.Y[i]), 3))
		}
	}
}

// barRange draws the range of a bar as a line with caps, and returns where it ends.
func barRange(in draw.Canvas, span *figure.Span, s *figure.Series, i int, y vg.Length) vg.Length {
	style := draw.LineStyle{Color: ink, Width: 0.6}
	at := func(v figure.Num) vg.Length { return in.X(min(span.At(float64(v)), 1)) }
	low, high := at(s.Low[i]), at(s.High[i])
	in.StrokeLine2(style, low, y, high, y)
	for _, x := range [...]vg.Length{low, high} {
		in.StrokeLine2(style, x, y-endCap, x, y+endCap)
	}
	return high
}

// barAxis draws the axis of the lengths.
func barAxis(c, in draw.Canvas, f *figure.Figure, span *figure.Span) {
	ticks, label := small(), letters()
	ticks.XAlign, ticks.YAlign = text.XCenter, text.YTop
	names := span.Labels(f.X.Unit)
	for i, v := range span.Ticks {
		x := in.X(span.At(v))
		in.StrokeLine2(draw.LineStyle{Color: paper, Width: 0.5}, x, in.Min.Y, x, in.Max.Y)
		c.FillText(ticks, vg.Point{X: x, Y: in.Min.Y - 3}, names[i])
	}
	in.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.6}, in.Min.X, in.Min.Y, in.Min.X, in.Max.Y)
	label.XAlign, label.YAlign = text.XCenter, text.YBottom
	c.FillText(label, vg.Point{X: (in.Min.X + in.Max.X) / 2, Y: c.Min.Y}, f.X.Label)
}
