package render

import (
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/qbb-sim/qbb/internal/figure"
)

// dense is the number of points in a curve at which all curves become thin.
const dense = 200

// margin is left free at the edges of a picture.
const margin = 4

// paint draws a figure on the whole of a canvas.
func paint(c draw.Canvas, f *figure.Figure) {
	c.FillPolygon(rgb(0xffffff), corners(c.Rectangle))
	c = draw.Crop(c, margin, -margin, margin, -margin)
	c = legend(c, f)
	if f.Kind == figure.Bars {
		paintBars(c, f)
		return
	}
	paintLines(c, f)
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// plot is the part of a canvas between the axes.
type plot struct {
	draw.Canvas
	x, y figure.Span
}

// point returns the place of a value. Values off the axes stay near them.
func (p *plot) point(x, y figure.Num) vg.Point {
	at := func(s *figure.Span, v figure.Num) float64 { return min(max(s.At(float64(v)), -1), 2) }
	return vg.Point{X: p.X(at(&p.x, x)), Y: p.Y(at(&p.y, y))}
}

// place returns the place of a value of a curve. Marks with ranges of several names are side by
// side, so that the ranges do not hide each other.
func (p *plot) place(f *figure.Figure, s *figure.Series, x, y figure.Num) vg.Point {
	const apart = 1.2
	at := p.point(x, y)
	if f.Marks && len(s.Low) > 0 && p.ContainsX(at.X) {
		at.X += apart * (vg.Length(s.Name) - vg.Length(len(f.Names)-1)/2)
		at.X = min(max(at.X, p.Min.X), p.Max.X)
	}
	return at
}

func paintLines(c draw.Canvas, f *figure.Figure) {
	var xs, ys []float64
	for i := range f.Series {
		s := &f.Series[i]
		for _, list := range [...][]figure.Num{s.Y, s.Low, s.High} {
			ys = append(ys, floats(list)...)
		}
		xs = append(xs, floats(s.X)...)
	}
	p := plot{Canvas: c, x: figure.NewSpan(&f.X, xs, 6), y: figure.NewSpan(&f.Y, ys, 5)}
	if f.X.To == nil && f.X.Scale != figure.Log { // curves end at the frame
		x := f.X
		x.To = figure.At(slices.Max(xs))
		p.x = figure.NewSpan(&x, xs, 6)
	}
	p.Canvas = axes(c, f, &p)
	for i := range f.Series {
		p.ranges(f, &f.Series[i])
	}
	for i := range f.Series {
		p.line(f, &f.Series[i])
	}
}

// floats returns what is a number in a list.
func floats(list []figure.Num) []float64 {
	var out []float64
	for _, v := range list {
		if v := float64(v); !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

// ranges draws the ranges of a curve: bars about its marks, or a band.
func (p *plot) ranges(f *figure.Figure, s *figure.Series) {
	switch {
	case len(s.Low) == 0:
	case f.Marks:
		p.whiskers(f, s)
	default:
		p.band(f, s)
	}
}

// endCap is half the length of the caps at the ends of a range.
const endCap = 1.6

// whiskers draws the range of every mark as a bar with caps.
func (p *plot) whiskers(f *figure.Figure, s *figure.Series) {
	style := draw.LineStyle{Color: colour(s.Name), Width: 0.6}
	for i := range s.X {
		if math.IsNaN(float64(s.Low[i])) {
			continue
		}
		low, high := p.place(f, s, s.X[i], s.Low[i]), p.place(f, s, s.X[i], s.High[i])
		if p.ContainsX(low.X) {
			p.StrokeLine2(style, low.X, max(low.Y, p.Min.Y), high.X, min(high.Y, p.Max.Y))
		}
		for _, end := range [...]vg.Point{low, high} {
			if p.Contains(end) {
				p.StrokeLine2(style, end.X-endCap, end.Y, end.X+endCap, end.Y)
			}
		}
	}
}

// band fills the space between the ends of a curve's ranges.
func (p *plot) band(f *figure.Figure, s *figure.Series) {
	around, back := p.edge(f, s, s.High), p.edge(f, s, s.Low)
	slices.Reverse(back)
	fill := colour(s.Name)
	fill.A = 50
	p.FillPolygon(fill, p.ClipPolygonXY(append(around, back...)))
}

// edge returns the points of a line through values at the places of a curve, or of steps.
func (p *plot) edge(f *figure.Figure, s *figure.Series, values []figure.Num) (points []vg.Point) {
	for i, x := range s.X {
		if f.Steps && i > 0 {
			points = append(points, p.place(f, s, x, values[i-1]))
		}
		points = append(points, p.place(f, s, x, values[i]))
	}
	return points
}

// line draws a curve and its marks. Steps begin on the axis, and go on to the end of the plot unless they end at 0.
func (p *plot) line(f *figure.Figure, s *figure.Series) {
	points := p.edge(f, s, s.Y)
	if f.Steps && len(points) > 0 {
		points = slices.Insert(points, 0, vg.Point{X: points[0].X, Y: p.Min.Y})
		if last := len(points) - 1; s.Y[len(s.Y)-1] > 0 {
			points = append(points, vg.Point{X: p.Max.X, Y: points[last].Y})
		}
	}
	p.StrokeLines(lineStyle(f, s), p.ClipLinesXY(points)...)
	if lone := len(s.X) == 1 && !f.Steps; !f.Marks && !lone { // one point has no line
		return
	}
	for i := range s.X {
		if at := p.place(f, s, s.X[i], s.Y[i]); p.Contains(at) {
			p.DrawGlyph(glyph(s.Name), at)
		}
	}
}

func lineStyle(f *figure.Figure, s *figure.Series) draw.LineStyle {
	width := vg.Length(1.2)
	if slices.ContainsFunc(f.Series, func(s figure.Series) bool { return len(s.X) > dense }) {
		width = 0.9
	}
	return draw.LineStyle{Color: colour(s.Name), Width: width, Dashes: dashes[dash(f, s)%len(dashes)]}
}

// dash is the number of a curve's dash: its variant's, or its name's if names are otherwise distinguished only by
// colour.
func dash(f *figure.Figure, s *figure.Series) int {
	if len(variants(f)) > 1 || f.Marks && len(f.Variants) > 0 {
		return s.Variant
	}
	return s.Name
}

// variants lists those that are shown.
func variants(f *figure.Figure) []int {
	var shown []int
	for v := range f.Variants {
		if !slices.Contains(f.Hidden, v) {
			shown = append(shown, v)
		}
	}
	return shown
}

func glyph(name int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: colour(name), Radius: 1.8, Shape: glyphs[name%len(glyphs)]}
}

// axes draws grid, ticks and labels, and returns the part of the canvas between the axes.
func axes(c draw.Canvas, f *figure.Figure, p *plot) draw.Canvas {
	ticks, label := small(), letters()
	wide := vg.Length(0)
	names := p.y.Labels(f.Y.Unit)
	for _, name := range names {
		wide = max(wide, ticks.Width(name))
	}
	high := ticks.Height("0")
	left, bottom := label.Height("0")+wide+8, label.Height("0")+high+8
	last := f.X.Unit.Text(p.x.High, 4)
	in := draw.Crop(c, left, -ticks.Width(last)/2, bottom, -high/2)
	grid, frame := draw.LineStyle{Color: paper, Width: 0.5}, draw.LineStyle{Color: ink, Width: 0.6}
	ticks.XAlign, ticks.YAlign = text.XRight, text.YCenter
	for i, v := range p.y.Ticks {
		y := in.Y(p.y.At(v))
		in.StrokeLine2(grid, in.Min.X, y, in.Max.X, y)
		c.FillText(ticks, vg.Point{X: in.Min.X - 3, Y: y + lift}, names[i])
	}
	ticks.XAlign, ticks.YAlign = text.XCenter, text.YTop
	end := vg.Length(math.Inf(-1))
	names = p.x.Labels(f.X.Unit)
	for i, v := range p.x.Ticks {
		x, name := in.X(p.x.At(v)), names[i]
		in.StrokeLine2(grid, x, in.Min.Y, x, in.Max.Y)
		if half := ticks.Width(name) / 2; x-half > end {
			c.FillText(ticks, vg.Point{X: x, Y: in.Min.Y - 3}, name)
			end = x + half + 3
		}
	}
	in.StrokeLines(frame, []vg.Point{{X: in.Min.X, Y: in.Max.Y}, in.Min, {X: in.Max.X, Y: in.Min.Y}})
	label.XAlign, label.YAlign = text.XCenter, text.YBottom
	c.FillText(label, vg.Point{X: (in.Min.X + in.Max.X) / 2, Y: c.Min.Y}, f.X.Label)
	label.Rotation, label.YAlign = math.Pi/2, text.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: (in.Min.Y + in.Max.Y) / 2}, f.Y.Label)
	return in
}
