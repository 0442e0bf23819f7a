package render

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/qbb-sim/qbb/internal/figure"
)

// entry is a sample and its name in a legend.
type entry struct {
	name string
	line draw.LineStyle
	mark *draw.GlyphStyle
	box  bool
	bare bool // the name alone: all curves are of it
}

// sample is the width of a legend's sample.
const sample = 16

// legend draws names, then variants, at the top of the canvas and returns the rest of it. A
// single name needs none.
func legend(c draw.Canvas, f *figure.Figure) draw.Canvas {
	all := entries(f)
	if len(all) < 2 {
		return c
	}
	style := letters()
	style.XAlign, style.YAlign = text.XLeft, text.YCenter
	line := style.Height("0") + 3
	x, y := c.Min.X, c.Max.Y-line/2
	for i, e := range all {
		left := vg.Length(sample + 4)
		if e.bare {
			left = 0
		}
		wide := left + style.Width(e.name) + 10
		if i > 0 && x+wide-10 > c.Max.X {
			x, y = c.Min.X, y-line
		}
		e.draw(&c, vg.Point{X: x, Y: y})
		c.FillText(style, vg.Point{X: x + left, Y: y + lift}, e.name)
		x += wide
	}
	return draw.Crop(c, 0, 0, 0, y-line/2-2-c.Max.Y)
}

func (e *entry) draw(c *draw.Canvas, at vg.Point) {
	if e.bare {
		return
	}
	if e.box {
		c.FillPolygon(e.line.Color, corners(vg.Rectangle{
			Min: vg.Point{X: at.X + 4, Y: at.Y - 3}, Max: vg.Point{X: at.X + sample - 4, Y: at.Y + 3},
		}))
		return
	}
	c.StrokeLine2(e.line, at.X, at.Y, at.X+sample, at.Y)
	if e.mark != nil {
		c.DrawGlyphNoClip(*e.mark, vg.Point{X: at.X + sample/2, Y: at.Y})
	}
}

// entries lists what the legend explains: the names and variants that occur.
func entries(f *figure.Figure) []entry {
	var all []entry
	for i, name := range f.Names {
		for k := range f.Series {
			s := &f.Series[k]
			if s.Name != i {
				continue
			}
			e := entry{name: name, line: draw.LineStyle{Color: colour(i), Width: 1.2}, box: f.Kind == figure.Bars}
			if f.Marks {
				g := glyph(i)
				e.mark = &g
			}
			if len(variants(f)) < 2 {
				e.line = lineStyle(f, s)
			}
			all = append(all, e)
			break
		}
	}
	if len(f.Variants) < 2 {
		return all
	}
	shown := variants(f)
	for _, v := range shown {
		e := entry{name: f.Variants[v], line: draw.LineStyle{Color: ink, Width: 1.2, Dashes: dashes[v%len(dashes)]}}
		e.bare = len(shown) == 1
		all = append(all, e)
	}
	return all
}
