package render

import (
	"regexp"
	"slices"

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
	bare bool // only the name: all curves have it
	// text is the name as it is drawn, in a row of the legend from x on.
	text string
	row  int
	x    vg.Length
}

// sample is the width of a legend's sample.
const sample = 16

// apart is the space between two entries of a row.
const apart = 10

// legend draws names, then variants, at the top of the canvas and returns the rest of it, which is more
// than half. A single name needs none.
func legend(c draw.Canvas, f *figure.Figure) draw.Canvas {
	style := letters()
	style.XAlign, style.YAlign = text.XLeft, text.YCenter
	all, rows := layOut(f, style, c.Size())
	if len(all) < 2 {
		return c
	}
	line := lineHeight(style)
	for _, e := range all {
		at := vg.Point{X: c.Min.X + e.x, Y: c.Max.Y - line*(vg.Length(e.row)+0.5)}
		e.draw(&c, at)
		c.FillText(style, vg.Point{X: at.X + e.left(), Y: at.Y + lift}, e.text)
	}
	return draw.Crop(c, 0, 0, 0, -line*vg.Length(rows)-2)
}

// layOut returns the entries of a legend with their places, and the number of rows. Long names are shortened; where
// that would make two equal, the words that all share are left out first.
func layOut(f *figure.Figure, style text.Style, size vg.Point) (all []entry, rows int) {
	all = entries(f, f.Names)
	rows = fit(all, style, size)
	for _, between := range separators {
		if !alike(all) {
			break
		}
		all = entries(f, brief(f.Names, between))
		rows = fit(all, style, size)
	}
	return all, rows
}

func lineHeight(style text.Style) vg.Length { return style.Height("0") + 3 }

// fit arranges the entries with as much room for each as leaves half of the height to the curves, and returns the
// number of rows.
func fit(all []entry, style text.Style, size vg.Point) (rows int) {
	const most = 0.45 // of the height
	for columns := vg.Length(1); columns <= 4; columns++ {
		if rows = arrange(all, style, size.X, (size.X-apart*(columns-1))/columns); lineHeight(style)*vg.Length(rows) <= size.Y*most {
			break
		}
	}
	return rows
}

func alike(all []entry) bool {
	seen := make(map[string]bool)
	return slices.ContainsFunc(all, func(e entry) bool {
		twice := seen[e.text]
		seen[e.text] = true
		return twice
	})
}

// separators are between the words of a name: first those of folders and of lists of settings, then blanks too, so that
// the keys of settings count as words.
var separators = []*regexp.Regexp{regexp.MustCompile(`, |-|,`), regexp.MustCompile(`, |-|,| `)}

// brief leaves out the words that all names have, as often as all have them, unless a name would become empty.
func brief(names []string, between *regexp.Regexp) []string {
	type word struct {
		text string
		nth  int // which occurrence in the name
	}
	words, having := make([][]word, len(names)), make(map[word]int)
	for i, name := range names {
		times := make(map[string]int)
		for _, w := range between.Split(name, -1) {
			words[i] = append(words[i], word{w, times[w]})
			having[word{w, times[w]}]++
			times[w]++
		}
	}
	short := make([]string, len(names))
	for i, name := range names {
		gaps := append([]string{""}, between.FindAllString(name, -1)...)
		for k, w := range words[i] {
			if having[w] == len(names) {
				continue
			}
			if short[i] != "" {
				short[i] += gaps[k]
			}
			short[i] += w.text
		}
	}
	if slices.Contains(short, "") {
		return names
	}
	return short
}

// arrange gives every entry its place and its text, of limited width, in rows of a width, and returns the number of
// rows.
func arrange(all []entry, style text.Style, width, most vg.Length) (rows int) {
	x := vg.Length(0)
	for i := range all {
		e := &all[i]
		e.text = shorten(e.name, style, most-e.left())
		wide := e.left() + style.Width(e.text)
		if i > 0 && x+wide > width {
			x, rows = 0, rows+1
		}
		e.x, e.row = x, rows
		x += wide + apart
	}
	return rows + 1
}

// shorten leaves out the middle of a name that is too wide. The ends of names differ more often than
// their beginnings.
func shorten(name string, style text.Style, most vg.Length) string {
	letters, short := []rune(name), name
	for keep := len(letters) - 1; keep > 3 && style.Width(short) > most; keep-- {
		short = string(letters[:keep/3]) + "…" + string(letters[len(letters)-(keep-keep/3):])
	}
	return short
}

// left is the width of the sample.
func (e *entry) left() vg.Length {
	if e.bare {
		return 0
	}
	return sample + 4
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

// entries lists what the legend explains: the names, in the given forms, and the variants that
// occur.
func entries(f *figure.Figure, names []string) []entry {
	var all []entry
	for i, name := range names {
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
